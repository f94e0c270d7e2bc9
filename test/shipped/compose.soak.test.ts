import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { provideTool } from '../../infra/provision/tools.mjs';
import { copiedCheckout, packed, ROOT, runProgram } from '../package/package.fixture.ts';
import { newFolder } from '../support/new-folder.ts';
import { readProjectFile } from '../tidy/source-files.ts';
import { readCompose } from './compose-file.ts';
import { Containers, type Image } from './containers.ts';

/** What PostgreSQL's image does when its folder is empty, and then always: its script is not here. */
const POSTGRES = `#!/bin/sh
set -e
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" -A scram-sha-256 -E UTF8 --locale=C --no-sync
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
exec "$@"
`;

/** What its images have of BusyBox and of PostgreSQL: they ask whether a server takes connections, or answers. */
const ASKING = {
  nc: 'exec 3<>"/dev/tcp/$2/$3"',
  // A server that recovers says something else.
  pg_isready: 'PGPASSWORD=none psql -h "$2" -U "$4" -c "SELECT 1" 2>&1 | grep -q "password authentication failed"',
  wget: `url=\${!#}; place=\${url#http://}; host=\${place%%/*}
exec 3<>"/dev/tcp/\${host%%:*}/\${host##*:}"
printf 'GET /%s HTTP/1.0\\r\\nHost: %s\\r\\n\\r\\n' "\${place#*/}" "$host" >&3
read -r status <&3; [[ $status == *' 200 '* ]]`,
};

const folder = newFolder();
let containers: Containers;

beforeAll(async () => {
  const tools = join(folder, 'tools');
  const script = async (name: string, text: string): Promise<string> => {
    await mkdir(tools, { recursive: true });
    await writeFile(join(tools, name), text, { mode: 0o755 });
    return join(tools, name);
  };
  const [postgres, temporal, versitygw, { prometheus }] = await Promise.all([
    provideTool('postgres'),
    provideTool('temporal-server 1.29.1'),
    provideTool('versitygw 1.8.0'),
    provideTool('prometheus'),
  ]);
  const asking = async (name: keyof typeof ASKING) => ({
    [`/usr/local/bin/${name}`]: await script(name, `#!/usr/bin/env bash\n${ASKING[name]}\n`),
  });
  const dockerfile = readProjectFile('Dockerfile');
  const images: Record<string, Image> = {
    opaline: {
      files: { '/opt/opaline': await installed(), '/opt/opaline/node_modules': join(ROOT, 'node_modules') },
      environment: { OPALINE_HEALTH: 'http://127.0.0.1:9465/readyz' },
      entrypoint: JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)![1]!),
      healthcheck: ['CMD', ...JSON.parse(/^ {2}CMD (\[.*)$/m.exec(dockerfile)![1]!)],
    },
    postgres: {
      files: {
        '/usr/local/bin/docker-entrypoint.sh': await script('docker-entrypoint.sh', POSTGRES),
        '/usr/local/lib/postgres': await readable(dirname(postgres.postgres)),
        ...(await asking('pg_isready')),
      },
      environment: { PATH: '/usr/local/lib/postgres:/usr/local/bin:/usr/bin:/bin' },
      entrypoint: ['docker-entrypoint.sh', 'postgres'],
    },
    'temporalio/admin-tools': { files: { '/usr/local/bin/temporal-sql-tool': temporal.sql } },
    'temporalio/server': {
      files: { '/usr/local/bin/temporal-server': temporal.server, ...(await asking('nc')) },
    },
    'versity/versitygw': { files: { '/usr/local/bin/versitygw': versitygw, ...(await asking('wget')) } },
    'prom/prometheus': { files: { '/usr/local/bin/prometheus': prometheus }, entrypoint: ['prometheus'] },
  };
  const { services } = readCompose();
  containers = new Containers({ folder, project: ROOT, services, images });
}, 600_000);
afterAll(() => containers?.down());

/** A copy that everybody may read: the cache may be its owner's alone. */
async function readable(from: string): Promise<string> {
  const copy = join(folder, 'postgres');
  await runProgram('cp', ['-r', from, copy]);
  await runProgram('chmod', ['-R', 'a+rX', copy]);
  return copy;
}

/** /opt/opaline of the image: the package, and what npm installs with it, here that of the checkout. */
async function installed(): Promise<string> {
  const own = join(folder, 'opaline');
  await mkdir(join(own, 'node_modules'), { recursive: true });
  await runProgram('tar', [
    'xzf',
    await packed(await copiedCheckout(folder), 'package', folder),
    '-C',
    own,
    '--strip-components',
    '1',
  ]);
  await symlink(`../node_modules/node-${process.platform}-${process.arch}/bin/node`, join(own, 'bin', 'node'));
  await symlink('opaline.mjs', join(own, 'bin', 'opaline'));
  await chmod(join(own, 'bin', 'opaline.mjs'), 0o755);
  return own;
}

/** The commands of the page, in its order: the words after `docker compose`. */
const page = [...readProjectFile('docs/containers.md').matchAll(/^docker compose (.*)$/gm)].map(([, words]) =>
  [...words!.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!),
);

/** Runs a command of the page, and gives what it printed. */
async function follow(words: readonly string[]): Promise<string> {
  if (words[0] === 'up') return containers.up().then(() => '');
  if (words[0] === 'logs') return containers.log(words.at(-1)!);
  expect(words.slice(0, 2)).toEqual(['run', '--rm']);
  return containers.run(words[2]!, words.slice(3));
}

test('the page starts everything with one command, and its other commands publish a week that verifies', async () => {
  expect(page[0]).toEqual(['up', '--build', '--wait']);
  const said: string[] = [];
  for (const words of page) said.push(await follow(words));
  const [, link, doctor, run, show, approve, published, draws, purge, rejects, ledger, whole, verified] = said;
  expect(link).toMatch(/http:\/\/localhost:4180\/enter\/\S+/);
  expect(doctor).toContain('Nothing is wrong.');
  expect(run).toContain('Release demo-taps/2026-03-02/v1 is waiting');
  expect(show).toContain('published-taps');
  expect(approve).toContain('2026-03-02/v1');
  expect(published).toContain('published');
  expect(draws!.trim().split('\n')).toHaveLength(28);
  expect(purge).toContain('keeps its objects: it is at work, or was a few hours ago.');
  expect(rejects).toContain('CONFIDENTIAL');
  expect(ledger).toContain('the ledger of the private store and its copies are the same');
  expect(whole).toContain('Nothing is wrong.');
  expect(verified).toMatch(/^Verified/m);
  expect(verified).not.toContain('✗');
}, 600_000);

test('what runs has an ordinary user and no rights, and can write its own volumes alone', async () => {
  const running = await containers.processes();
  expect(Object.keys(running).sort()).toEqual([
    'console',
    'postgres',
    'private',
    'prometheus',
    'public',
    's3',
    'temporal',
  ]);
  const users = {
    console: 10001,
    postgres: 999,
    private: 10001,
    prometheus: 65534,
    public: 10001,
    s3: 10002,
    temporal: 1000,
  };
  expect(Object.fromEntries(Object.entries(running).map(([name, { uid }]) => [name, uid]))).toEqual(users);
  for (const [name, { rights }] of Object.entries(running)) expect([name, rights]).toEqual([name, 0n]);
  for (const name of ['private-files', 'public-files', 'client-files', 'console-files', 's3-files', 'stores-files'])
    for (const file of await readdir(containers.volume(name)))
      expect([file, (await stat(join(containers.volume(name), file))).mode & 0o077]).toEqual([file, 0]);
  const readable = await containers
    .run('opaline', ['check', '/volumes/private/policy.yaml'])
    .catch((error) => `${error}`);
  expect(readable).toContain('ended with 2');
});

test('a second start changes no key and repeats every job, and a worker that is killed comes back', async () => {
  const files = ['private-files/ledger.pem', 'stores-files/s3-root', 's3-files/s3-private'];
  const read = () => Promise.all(files.map((file) => readFile(join(containers.volume(''), file), 'utf8')));
  const before = await read();
  await containers.down();
  await containers.up();
  expect(await read()).toEqual(before);
  expect(await containers.run('opaline', ['doctor'])).toContain('Nothing is wrong.');
  expect(await containers.run('opaline', ['status'])).toMatch(/^demo-taps\/2026-03-02\/v1 +published/m);
}, 300_000);
