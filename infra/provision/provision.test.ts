import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cacheFolder } from './cache-folder.mjs';

// Each provider runs in processes of its own, as npm start and npm test run it. Go and npm are scripts that say what
// they were asked for: the real ones take minutes, and the packages of this very run must stay as they are.

const run = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opaline-provision-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

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

/** A `go` that notes its call and installs a program which takes half a second to write. */
async function fakeGo(program: string) {
  await mkdir(join(folder, 'bin'));
  await script(
    join(folder, 'bin', 'go'),
    `echo "$@" >> ${folder}/calls; printf '#!/bin/sh\\n' > "$GOBIN/${program}"; /bin/chmod +x "$GOBIN/${program}"; /bin/sleep 0.5; echo 'echo complete' >> "$GOBIN/${program}"`,
  );
}

test('the cache folder is OPALINE_CACHE, else below XDG_CACHE_HOME, else below the home folder', () => {
  expect(cacheFolder({ OPALINE_CACHE: '/a', XDG_CACHE_HOME: '/b' })).toBe('/a');
  expect(cacheFolder({ XDG_CACHE_HOME: '/b' })).toBe('/b/opaline');
  expect(cacheFolder({})).toMatch(/\/\.cache\/opaline$/);
});

test('five processes that want versitygw at once build it once, and each gets a complete program', async () => {
  await fakeGo('versitygw');
  const results = await Promise.all(Array.from({ length: 5 }, () => provide('./versitygw.mjs', 'provideVersitygw()')));
  for (const { answer } of results) expect((await run(answer)).stdout).toBe('complete\n');
  expect(await readFile(join(folder, 'calls'), 'utf8')).toBe(
    'install github.com/versity/versitygw/cmd/versitygw@v1.8.0\n',
  );
  expect(await readdir(join(folder, 'cache', 'versitygw'))).toEqual(['v1.8.0']);
  expect(results.map((result) => result.progress).join('')).toContain('setup: building versitygw v1.8.0');
});

test('a build that is killed leaves nothing that looks installed, and its lock is taken over', async () => {
  await fakeGo('versitygw');
  await mkdir(join(folder, 'cache', 'versitygw', 'v1.8.0.partial-x'), { recursive: true });
  await writeFile(join(folder, 'cache', 'versitygw', 'v1.8.0.partial-x', 'versitygw'), 'half');
  const dead = await run(process.execPath, ['-e', 'console.log(process.pid)']);
  await writeFile(join(folder, 'cache', 'versitygw', 'v1.8.0.lock'), `${dead.stdout.trim()} gone`);
  const results = await Promise.all(Array.from({ length: 3 }, () => provide('./versitygw.mjs', 'provideVersitygw()')));
  for (const { answer } of results) expect((await run(answer)).stdout).toBe('complete\n');
  expect((await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')).toHaveLength(1);
});

test('the Temporal CLI is the one of OPALINE_TEMPORAL_CLI, of the PATH, of the cache, else it is built', async () => {
  await fakeGo('temporal');
  const call = 'provideTemporalCli()';
  const built = await provide('./temporal-cli.mjs', call);
  expect(built.answer).toBe(join(folder, 'cache', 'temporal-cli', 'v1.5.1', 'temporal'));
  expect(await readFile(join(folder, 'calls'), 'utf8')).toBe('install github.com/temporalio/cli/cmd/temporal@v1.5.1\n');
  const cached = await provide('./temporal-cli.mjs', call);
  expect(cached).toEqual({ answer: built.answer, progress: '' });
  await script(join(folder, 'bin', 'temporal'), 'exit 0');
  expect((await provide('./temporal-cli.mjs', call)).answer).toBe(join(folder, 'bin', 'temporal'));
  await script(join(folder, 'mine'), 'exit 0');
  const named = await provide('./temporal-cli.mjs', call, { OPALINE_TEMPORAL_CLI: join(folder, 'mine') });
  expect(named.answer).toBe(join(folder, 'mine'));
});

test('a program that was named but does not run is an error, not passed over', async () => {
  await script(join(folder, 'broken'), 'exit 1');
  const broken = join(folder, 'broken');
  await expect(provide('./temporal-cli.mjs', 'provideTemporalCli()', { OPALINE_TEMPORAL_CLI: broken })).rejects.toThrow(
    'which does not run. Correct it, or unset it',
  );
  await expect(
    provide('./versitygw.mjs', 'provideVersitygw()', { OPALINE_VERSITYGW: join(folder, 'absent') }),
  ).rejects.toThrow('which is not an executable file. Correct it, or unset it');
});

test('without Go the error says what is missing and what to do', async () => {
  await expect(provide('./versitygw.mjs', 'provideVersitygw()')).rejects.toThrow(
    'Go is not on the PATH. Install Go, or set OPALINE_VERSITYGW',
  );
});

test('a build that fails says so, shows what Go said, and leaves nothing behind', async () => {
  await mkdir(join(folder, 'bin'));
  await script(join(folder, 'bin', 'go'), 'echo no such host; exit 1');
  await expect(provide('./versitygw.mjs', 'provideVersitygw()')).rejects.toThrow('Go said: no such host');
  expect(await readdir(join(folder, 'cache', 'versitygw'))).toEqual([]);
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

test('Chromium is the one of OPALINE_CHROMIUM or of the PATH, else a clear sentence says what to do', async () => {
  const call = 'provideChromium()';
  await mkdir(join(folder, 'bin'));
  const mistaken = { OPALINE_CHROMIUM: join(folder, 'none') };
  await expect(provide('./chromium.mjs', call, mistaken)).rejects.toThrow(
    /OPALINE_CHROMIUM names .* not an executable/,
  );
  await expect(provide('./chromium.mjs', call)).rejects.toThrow(
    /need a browser, and none was found.*OPALINE_CHROMIUM/s,
  );
  await script(join(folder, 'bin', 'google-chrome'), '');
  expect((await provide('./chromium.mjs', call)).answer).toBe(join(folder, 'bin', 'google-chrome'));
  await script(join(folder, 'bin', 'chromium'), '');
  expect((await provide('./chromium.mjs', call)).answer).toBe(join(folder, 'bin', 'chromium'));
  await script(join(folder, 'mine'), '');
  const named = { OPALINE_CHROMIUM: join(folder, 'mine') };
  expect((await provide('./chromium.mjs', call, named)).answer).toBe(join(folder, 'mine'));
});

test('Prometheus is that of OPALINE_PROMETHEUS or of the PATH, else a package unpacked into the cache', async () => {
  const call = 'providePrometheus()';
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await expect(provide('./prometheus.mjs', call)).rejects.toThrow(/need Prometheus, and none.*OPALINE_PROMETHEUS/s);
  await expect(provide('./prometheus.mjs', call, { OPALINE_PROMETHEUS: folder })).rejects.toThrow(
    /OPALINE_PROMETHEUS names .* does not hold both/,
  );
  // An apt-get that knows the package only after an update.
  await script(
    join(bin, 'apt-get'),
    `case $1 in update) : > ${folder}/updated ;; download) [ -e ${folder}/updated ] && : > prometheus_1.deb ;; esac`,
  );
  await expect(provide('./prometheus.mjs', call)).rejects.toThrow('need Prometheus, and none was found');
  const programs = 'for name in prometheus promtool; do : > "$3/usr/bin/$name"; /bin/chmod +x "$3/usr/bin/$name"; done';
  await script(join(bin, 'dpkg-deb'), `/bin/mkdir -p "$3/usr/bin"; ${programs}`);
  const inFolder = (path: string) => ({ prometheus: join(path, 'prometheus'), promtool: join(path, 'promtool') });
  const cached = join(folder, 'cache', 'prometheus', 'package');
  expect((await provide('./prometheus.mjs', call)).answer).toEqual(inFolder(cached));
  expect((await readdir(cached)).sort()).toEqual(['prometheus', 'promtool']);
  await script(join(bin, 'apt-get'), 'exit 1');
  expect(await provide('./prometheus.mjs', call)).toEqual({ answer: inFolder(cached), progress: '' });
  for (const name of ['prometheus', 'promtool']) await script(join(bin, name), 'exit 0');
  expect((await provide('./prometheus.mjs', call)).answer).toEqual(inFolder(bin));
  expect((await provide('./prometheus.mjs', call, { OPALINE_PROMETHEUS: cached })).answer).toEqual(inFolder(cached));
});
