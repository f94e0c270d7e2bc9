import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { ownNode } from '../run-with-own-node.mjs';
import { cacheFolder } from './cache.mjs';
import { downloadArchive } from './fetch.mjs';

// Each provider runs in processes of its own, as npm start and npm test run it. Go and npm are scripts that say what
// they were asked for: the real ones take minutes, and the packages of this very run must stay as they are.

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = newFolder();
});

const script = (path: string, lines: string) => writeFile(path, `#!/bin/sh\n${lines}\n`).then(() => chmod(path, 0o755));

/** Runs `export(...parameters)` of a module in a new process and returns its JSON answer and its progress lines. */
async function provide(module: string, call: string, environment: Record<string, string> = {}) {
  const file = fileURLToPath(new URL(module, import.meta.url));
  const code = `import * as m from ${JSON.stringify(file)}; console.log(JSON.stringify(await m.${call}))`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', code], {
    env: {
      PATH: join(folder, 'bin'),
      HOME: folder,
      OPALINE_CACHE: join(folder, 'cache'),
      OPALINE_TEMPORAL_DOWNLOAD: 'no',
      ...environment,
    },
  });
  return { answer: JSON.parse(stdout), progress: stderr };
}

/**
 * A `go` that notes what it installs, takes half a second to write the program, named by the last word of its path, and
 * says of which modules it was made:
 * one whose digest we have written down, and those of `others`, of which its go.sum knows a v1.0.0.
 */
async function fakeGo(module: string, others = ['example.org/a v1.0.0 h1:a=']) {
  await mkdir(join(folder, 'bin'), { recursive: true });
  const lines = [module, ...others].map((line, index) => `echo '\t${index === 0 ? 'mod' : 'dep'} ${line}'`);
  const [path, version] = module.split(' ');
  await mkdir(join(folder, 'modules', `${path}@${version}`), { recursive: true });
  await writeFile(join(folder, 'modules', `${path}@${version}`, 'go.sum'), 'example.org/a v1.0.0 h1:a=\n');
  await script(
    join(folder, 'bin', 'go'),
    `case $1 in version) ${lines.join('; ')}; exit 0 ;; env) echo ${folder}/modules; exit 0 ;; esac
echo "$@" >> ${folder}/calls; program=\${2##*/}; program=\${program%@*}
printf '#!/bin/sh\\n' > "$GOBIN/$program"; /bin/chmod +x "$GOBIN/$program"
/bin/sleep 0.5; echo 'echo complete' >> "$GOBIN/$program"`,
  );
}

const VERSITYGW = 'github.com/versity/versitygw v1.8.0 h1:au+wI+aybno/STsQiSm35Uu6Q6iK5MWReQxgO6SEMFc=';
const TEMPORAL = 'github.com/temporalio/cli v1.5.1 h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=';

test('the cache folder is OPALINE_CACHE, else below XDG_CACHE_HOME, else below the home folder', () => {
  expect(cacheFolder({ OPALINE_CACHE: '/a', XDG_CACHE_HOME: '/b' })).toBe('/a');
  expect(cacheFolder({ XDG_CACHE_HOME: '/b' })).toBe('/b/opaline');
  expect(cacheFolder({})).toMatch(/\/\.cache\/opaline$/);
});

test('five processes that want versitygw at once build it once, and each gets a complete program', async () => {
  await fakeGo(VERSITYGW);
  const results = await Promise.all(
    Array.from({ length: 5 }, () => provide('./tools.mjs', "provideTool('versitygw 1.8.0')")),
  );
  for (const { answer } of results) expect((await run(answer)).stdout).toBe('complete\n');
  expect(await readFile(join(folder, 'calls'), 'utf8')).toBe(
    'install github.com/versity/versitygw/cmd/versitygw@v1.8.0\n',
  );
  expect(await readdir(join(folder, 'cache', 'versitygw'))).toEqual(['v1.8.0']);
  expect(results.map((result) => result.progress).join('')).toContain('setup: building versitygw v1.8.0');
});

test('a build that is killed leaves nothing that looks installed, and its lock is taken over', async () => {
  await fakeGo(VERSITYGW);
  await mkdir(join(folder, 'cache', 'versitygw', 'v1.8.0.partial-x'), { recursive: true });
  await writeFile(join(folder, 'cache', 'versitygw', 'v1.8.0.partial-x', 'versitygw'), 'half');
  const dead = await run(process.execPath, ['-e', 'console.log(process.pid)']);
  await writeFile(join(folder, 'cache', 'versitygw', 'v1.8.0.lock'), `${dead.stdout.trim()} gone`);
  const results = await Promise.all(
    Array.from({ length: 3 }, () => provide('./tools.mjs', "provideTool('versitygw 1.8.0')")),
  );
  for (const { answer } of results) expect((await run(answer)).stdout).toBe('complete\n');
  expect((await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')).toHaveLength(1);
});

test('the Temporal CLI is the one of OPALINE_TEMPORAL_CLI, of the PATH, of the cache, else it is built', async () => {
  await fakeGo(TEMPORAL);
  const call = "provideTool('temporal-cli')";
  const built = await provide('./tools.mjs', call);
  expect(built.answer).toBe(join(folder, 'cache', 'temporal-cli', 'v1.5.1', 'temporal'));
  expect(await readFile(join(folder, 'calls'), 'utf8')).toBe('install github.com/temporalio/cli/cmd/temporal@v1.5.1\n');
  const cached = await provide('./tools.mjs', call);
  expect(cached).toEqual({ answer: built.answer, progress: '' });
  await script(join(folder, 'bin', 'temporal'), 'exit 0');
  expect((await provide('./tools.mjs', call)).answer).toBe(join(folder, 'bin', 'temporal'));
  await script(join(folder, 'mine'), 'exit 0');
  const named = await provide('./tools.mjs', call, { OPALINE_TEMPORAL_CLI: join(folder, 'mine') });
  expect(named.answer).toBe(join(folder, 'mine'));
});

test('a program that was named but does not run is an error, not passed over', async () => {
  await script(join(folder, 'broken'), 'exit 1');
  const broken = join(folder, 'broken');
  await expect(provide('./tools.mjs', "provideTool('temporal-cli')", { OPALINE_TEMPORAL_CLI: broken })).rejects.toThrow(
    'which is not there or does not run. Correct it, or unset it',
  );
  await expect(
    provide('./tools.mjs', "provideTool('versitygw 1.8.0')", { OPALINE_VERSITYGW: join(folder, 'absent') }),
  ).rejects.toThrow('which is not there or does not run. Correct it, or unset it');
});

test('without Go the error says what is missing and what to do', async () => {
  await expect(provide('./tools.mjs', "provideTool('versitygw 1.8.0')")).rejects.toThrow(
    'Go is not on the PATH. Install Go, or set OPALINE_VERSITYGW',
  );
});

test('a build that fails says so, shows what Go said, and leaves nothing behind', async () => {
  await mkdir(join(folder, 'bin'));
  await script(join(folder, 'bin', 'go'), 'echo no such host; exit 1');
  await expect(provide('./tools.mjs', "provideTool('versitygw 1.8.0')")).rejects.toThrow('Go said: no such host');
  expect(await readdir(join(folder, 'cache', 'versitygw'))).toEqual([]);
});

test.each([
  ['the program itself', VERSITYGW.replace('=', 'x='), undefined],
  ['a module it uses', VERSITYGW, ['example.org/a v1.0.0 h1:b=']],
  ['a module put in the place of another', VERSITYGW, ['example.org/a v1.0.0 h1:a=', 'example.org/b v1.0.0 h1:a=']],
])('a Go build of other sources is refused: %s', async (_, module, others) => {
  await fakeGo(module, others);
  await expect(provide('./tools.mjs', "provideTool('versitygw 1.8.0')")).rejects.toThrow(
    'was built from sources of another digest',
  );
  expect(await readdir(join(folder, 'cache', 'versitygw'))).toEqual([]);
});

test('an archive is unpacked when its digest is the one written down, and refused otherwise', async () => {
  await writeFile(join(folder, 'temporal'), 'the program');
  await run('tar', ['-czf', join(folder, 'a.tar.gz'), '-C', folder, 'temporal']);
  const bytes = await readFile(join(folder, 'a.tar.gz'));
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/a.tar.gz' ? 200 : 404;
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const target = join(folder, 'target');
    await mkdir(target);
    const digest = createHash('sha256').update(bytes).digest('hex');
    await expect(downloadArchive(`${address}/a.tar.gz`, '0'.repeat(64), target)).rejects.toThrow(
      `has the SHA-256 ${digest}, which is not the one of this version`,
    );
    await expect(downloadArchive(`${address}/none`, digest, target)).rejects.toThrow('the answer is 404');
    expect(await readdir(target)).toEqual([]);
    await downloadArchive(`${address}/a.tar.gz`, digest, target);
    expect(await readdir(target)).toEqual(['temporal']);
  } finally {
    server.close();
  }
});

test('npm ci runs once for several processes, and again only when package-lock.json changes', async () => {
  await mkdir(join(folder, 'bin'));
  // What npm ci leaves: the packages, and last its own record of them.
  await script(
    join(folder, 'bin', 'npm'),
    `echo "$@" >> ${folder}/calls; /bin/sleep 0.3; /bin/mkdir -p node_modules; /bin/cp package-lock.json node_modules/.package-lock.json`,
  );
  const lock = (version: string) =>
    writeFile(
      join(folder, 'package-lock.json'),
      JSON.stringify({ packages: { '': {}, 'node_modules/a': { version, integrity: `sha512-${version}` } } }),
    );
  const call = `provideNodeModules(${JSON.stringify(folder)})`;
  await lock('1.0.0');
  const first = await Promise.all(Array.from({ length: 3 }, () => provide('./node-modules.mjs', call)));
  expect(first.filter((result) => result.answer)).toHaveLength(1);
  expect(await provide('./node-modules.mjs', call)).toEqual({ answer: false, progress: '' });
  await lock('1.0.1');
  expect((await provide('./node-modules.mjs', call)).answer).toBe(true);
  expect((await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')).toHaveLength(2);
  await script(join(folder, 'bin', 'npm'), 'echo offline; exit 1');
  await lock('1.0.2');
  await expect(provide('./node-modules.mjs', call)).rejects.toThrow('"npm ci" failed. Check that npm can reach');
});

test('a binary of this system that npm passed over is asked for again, one of another system is not', async () => {
  await mkdir(join(folder, 'bin'));
  const entry = (os: string, cpu: string) => ({ version: '1.0.0', integrity: 'sha512-a', optional: true, os, cpu });
  const own = entry(process.platform, process.arch);
  const others = { 'node_modules/a': entry('sunos', process.arch), 'node_modules/b': entry(process.platform, 'ia32') };
  const left = (packages: object) =>
    writeFile(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
  await mkdir(join(folder, 'node_modules'));
  const call = `provideNodeModules(${JSON.stringify(folder)})`;
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: others }));
  await left({});
  expect((await provide('./node-modules.mjs', call)).answer).toBe(false);
  await writeFile(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { ...others, 'node_modules/c': own } }),
  );
  await script(join(folder, 'bin', 'npm'), '');
  await expect(provide('./node-modules.mjs', call)).rejects.toThrow('"npm ci" failed');
  await left({ 'node_modules/c': own });
  expect((await provide('./node-modules.mjs', call)).answer).toBe(false);
});

test('every package is locked by a digest, and the Node that runs Opaline is one of them', async () => {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string; version: string }>;
  };
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  const own = lock.packages[`node_modules/node-${process.platform}-${process.arch}`];
  if (own) expect(process.version).toBe(`v${own.version}`);
  expect(await readFile(join(ROOT, '.npmrc'), 'utf8')).toContain('ignore-scripts=true');
});

test('the Node of Opaline is the locked one, else the one that runs if it is new enough', async () => {
  expect(ownNode(folder, '24.0.0')).toBe(process.execPath);
  expect(() => ownNode(folder, '22.12.0')).toThrow(
    /brings no Node .* this one is 22\.12\.0\. Install Node 24 or later/,
  );
  const bin = join(folder, 'node_modules', '.bin');
  await mkdir(bin, { recursive: true });
  await script(join(bin, 'node'), '');
  expect(ownNode(folder, '22.12.0')).toBe(join(bin, 'node'));
});

/** An apt-get that has package lists only where it was asked to fetch them, and records what it is asked for. */
const fakeApt = (folder: string) => `echo "$@" >> ${folder}/apt-calls
lists=; for word; do case $word in Dir::State::lists=*) lists=\${word#*=} ;; esac; done
case $1 in
  update) : > "$lists/all" ;;
  install) [ -e "$lists/all" ] && printf 'Inst libnew (1)\nInst chromium-headless-shell (2)\nConf libnew (1)\n' ;;
  download) [ -e "$lists/all" ] && : > package_1.deb ;;
esac`;

test('Chromium is that of OPALINE_CHROMIUM or of the PATH, else packages unpacked into the cache', async () => {
  const call = "provideTool('chromium')";
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const mistaken = { OPALINE_CHROMIUM: join(folder, 'none') };
  await expect(provide('./tools.mjs', call, mistaken)).rejects.toThrow(
    /OPALINE_CHROMIUM names .* which is not there or does not run/,
  );
  await expect(provide('./tools.mjs', call)).rejects.toThrow(/Only on Debian.* need a browser.*OPALINE_CHROMIUM/s);
  await script(join(bin, 'apt-get'), fakeApt(folder));
  await script(join(bin, 'dpkg-deb'), 'exit 1');
  await expect(provide('./tools.mjs', call)).rejects.toThrow('dpkg-deb could not unpack package_1.deb');
  // A program that shows with which libraries it was started.
  const program = '"$3/usr/lib/chromium/chromium-headless-shell"';
  const made = '/bin/mkdir -p "$3/usr/lib/chromium" "$3/usr/lib/x86_64-linux-gnu"';
  await script(join(bin, 'dpkg-deb'), `${made}\nprintf '#!/bin/sh\\nexit 1' > ${program}; /bin/chmod +x ${program}`);
  await expect(provide('./tools.mjs', call)).rejects.toThrow('The unpacked Chromium does not run');
  expect(await readdir(join(folder, 'cache', 'chromium'))).toEqual([]);
  const shows = `printf '#!/bin/sh\\necho "it runs with $LD_LIBRARY_PATH"' > ${program}; /bin/chmod +x ${program}`;
  await script(join(bin, 'dpkg-deb'), `${made}\n${shows}`);
  const cached = join(folder, 'cache', 'chromium', 'package');
  expect((await provide('./tools.mjs', call)).answer).toBe(join(cached, 'chromium'));
  expect((await run(join(cached, 'chromium'))).stdout).toContain(join(cached, 'usr/lib/x86_64-linux-gnu'));
  const asked = await readFile(join(folder, 'apt-calls'), 'utf8');
  expect(asked).toContain('download chromium-headless-shell chromium-common libnew');
  // Nothing is installed, and the machine's own lists stay as they are.
  for (const line of asked.split('\n'))
    expect(line).toMatch(/^$|^download|^install --simulate|^update .*Dir::State::lists/);
  await script(join(bin, 'apt-get'), 'exit 1');
  expect(await provide('./tools.mjs', call)).toEqual({ answer: join(cached, 'chromium'), progress: '' });
  await script(join(bin, 'google-chrome'), '');
  expect((await provide('./tools.mjs', call)).answer).toBe(join(bin, 'google-chrome'));
  await script(join(bin, 'chromium'), '');
  expect((await provide('./tools.mjs', call)).answer).toBe(join(bin, 'chromium'));
  await script(join(folder, 'mine'), '');
  const named = { OPALINE_CHROMIUM: join(folder, 'mine') };
  expect((await provide('./tools.mjs', call, named)).answer).toBe(join(folder, 'mine'));
});

test('Prometheus is that of OPALINE_PROMETHEUS or of the PATH, else a package unpacked into the cache', async () => {
  const call = "provideTool('prometheus')";
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await expect(provide('./tools.mjs', call)).rejects.toThrow(/Only on Debian.*need Prometheus.*OPALINE_PROMETHEUS/s);
  await expect(provide('./tools.mjs', call, { OPALINE_PROMETHEUS: folder })).rejects.toThrow(
    /OPALINE_PROMETHEUS names .* which is not there or does not run/,
  );
  await script(join(bin, 'apt-get'), fakeApt(folder));
  const programs = 'for name in prometheus promtool; do : > "$3/usr/bin/$name"; /bin/chmod +x "$3/usr/bin/$name"; done';
  await script(join(bin, 'dpkg-deb'), `/bin/mkdir -p "$3/usr/bin"; ${programs}`);
  const inFolder = (path: string) => ({ prometheus: join(path, 'prometheus'), promtool: join(path, 'promtool') });
  const cached = join(folder, 'cache', 'prometheus', 'package');
  expect((await provide('./tools.mjs', call)).answer).toEqual(inFolder(cached));
  expect(await readdir(cached)).toEqual(expect.arrayContaining(['prometheus', 'promtool']));
  await script(join(bin, 'apt-get'), 'exit 1');
  expect(await provide('./tools.mjs', call)).toEqual({ answer: inFolder(cached), progress: '' });
  for (const name of ['prometheus', 'promtool']) await script(join(bin, name), 'exit 0');
  expect((await provide('./tools.mjs', call)).answer).toEqual(inFolder(bin));
  expect((await provide('./tools.mjs', call, { OPALINE_PROMETHEUS: cached })).answer).toEqual(inFolder(cached));
});

const SERVER = 'go.temporal.io/server v1.29.1 h1:sgiMveg/8e51lA62pWb9VzC5WTRitKFyT6XsjonHUhE=';

test('the Temporal server and its schema tool are those of OPALINE_TEMPORAL_SERVER, else they are built', async () => {
  const call = "provideTool('temporal-server 1.29.1')";
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await expect(provide('./tools.mjs', call)).rejects.toThrow(/Go is not on the PATH.*OPALINE_TEMPORAL_SERVER/s);
  await fakeGo(SERVER);
  const inFolder = (path: string) => ({ sql: join(path, 'sql'), server: join(path, 'server') });
  const cached = join(folder, 'cache', 'temporal-server', 'v1.29.1');
  expect((await provide('./tools.mjs', call)).answer).toEqual(inFolder(cached));
  const asked = await readFile(join(folder, 'calls'), 'utf8');
  expect(asked.trim().split('\n')).toEqual([
    'install go.temporal.io/server/cmd/tools/sql@v1.29.1',
    'install go.temporal.io/server/cmd/server@v1.29.1',
  ]);
  // A program called `sql` or `server` on the PATH is anybody's.
  for (const program of ['sql', 'server']) await script(join(bin, program), 'exit 0');
  expect(await provide('./tools.mjs', call)).toEqual({ answer: inFolder(cached), progress: '' });
  expect((await provide('./tools.mjs', call, { OPALINE_TEMPORAL_SERVER: bin })).answer).toEqual(inFolder(bin));
});

test('PostgreSQL is that of OPALINE_POSTGRES or of the system, else a package unpacked into the cache', async () => {
  const call = "provideTool('postgres')";
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await expect(provide('./tools.mjs', call, { OPALINE_POSTGRES: folder })).rejects.toThrow(
    /OPALINE_POSTGRES names .* which is not there or does not run/,
  );
  const own = '/usr/lib/postgresql';
  const installed = (await readdir(own).catch(() => [])).filter((version) =>
    existsSync(`${own}/${version}/bin/postgres`),
  );
  if (installed.length === 0)
    await expect(provide('./tools.mjs', call)).rejects.toThrow(/Only on Debian.*need PostgreSQL.*OPALINE_POSTGRES/s);
  await script(join(bin, 'apt-get'), fakeApt(folder));
  const place = '$3/usr/lib/postgresql/15/bin';
  const made = `/bin/mkdir -p "${place}"; printf '#!/bin/sh\\necho unpacked' > "${place}/postgres"`;
  await script(join(bin, 'dpkg-deb'), `${made}; /bin/chmod +x "${place}/postgres"`);
  const { answer } = await provide('./tools.mjs', call);
  const cached = join(folder, 'cache', 'postgres', 'package');
  const names = ['initdb', 'pg_dump', 'psql', 'postgres'];
  expect(answer).toEqual(Object.fromEntries(names.map((name) => [name, join(cached, name)])));
  const { stdout } = await run(answer.postgres, ['--version']);
  expect(stdout).toMatch(installed.length === 0 ? /^unpacked/ : /^postgres \(PostgreSQL\)/);
  for (const name of names) await script(join(bin, name), 'exit 0');
  expect((await provide('./tools.mjs', call)).answer).toEqual(answer);
  const named = { OPALINE_POSTGRES: bin };
  expect((await provide('./tools.mjs', call, named)).answer.postgres).toBe(join(bin, 'postgres'));
});
