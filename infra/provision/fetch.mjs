import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, isExecutable, lastOf, runProgram } from './run-program.mjs';

/** The largest download is about 60 MB; where there is no way out, the attempt should not hold up the rest for long. */
const DOWNLOAD_TIMEOUT = 120_000;

/** Downloads a .tar.gz archive and unpacks it into a folder if its SHA-256 is the one given. Throws SetupError. */
export async function downloadArchive(url, sha256, folder) {
  const bytes = await bytesOf(url);
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (digest !== sha256) throw new SetupError(`${url} has the SHA-256 ${digest}, which is not the one of this version`);
  const archive = join(folder, 'archive.tar.gz');
  await writeFile(archive, bytes);
  const { code, output } = await runProgram('tar', ['-xzf', archive, '-C', folder]);
  if (code !== 0) throw new SetupError(`${url} could not be unpacked: ${lastOf(output)}`);
  await rm(archive);
}

async function bytesOf(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT) });
    if (!response.ok) throw new Error(`the answer is ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    throw new SetupError(`${url} could not be downloaded: ${error.message}`);
  }
}

/**
 * Builds a Go program of a fixed version into a folder. `repository`: its Go module; `program`: the folder of its
 * command in there; `sum`: the digest of the module as Go writes it (`h1:…`); `takes`: how long, in words. Throws
 * SetupError when Go is missing, the build fails, or other sources were built; its message ends with `otherwise`: what to
 * do then.
 */
export async function goInstall({ repository, program, version, sum, binary, takes, otherwise }, folder) {
  progress(`building ${binary} ${version} with Go (once; about ${takes})`);
  const go = findOnPath('go');
  if (go === null)
    throw new SetupError(
      `${binary} ${version} could not be installed: Go is not on the PATH. Install Go, or ${otherwise}`,
    );
  const command = `${repository}/${program}@${version}`;
  const { code, output } = await runProgram(go, ['install', command], {
    environment: { ...process.env, GOBIN: folder },
  });
  if (code !== 0 || !isExecutable(join(folder, binary)))
    throw new SetupError(
      `${binary} ${version} could not be built: "go install ${command}" failed. ` +
        `Check that Go can reach its module proxy, or ${otherwise} Go said: ${lastOf(output)}`,
    );
  const [wrong] = await findUnknown(go, join(folder, binary), `${repository}@${version}`, sum);
  if (wrong !== undefined)
    throw new SetupError(
      `${binary} ${version} was built from sources of another digest (${wrong}), and is not used. ` +
        `Check the Go module proxy and GONOSUMDB of this machine, or ${otherwise}`,
    );
}

/**
 * Copies one file of a Go module into a folder, executable so that it counts as there. Throws SetupError when Go is
 * missing, or the module has another digest than `sum`.
 */
export async function copyFromModule({ module, file, sum, otherwise }, folder) {
  const go = findOnPath('go');
  const run = go && (await runProgram(go, ['mod', 'download', '-json', module], { folder: '/' }));
  const { Dir, Sum } = run?.code === 0 ? JSON.parse(run.output.slice(run.output.indexOf('{'))) : {};
  if (Sum !== sum)
    throw new SetupError(`${module} could not be fetched by Go, or is not the one of this version; ${otherwise}`);
  const path = join(folder, basename(file));
  await copyFile(join(Dir, file), path);
  await chmod(path, 0o755);
}

/**
 * The modules in a built program that are not what they were when `sum` was written down, as `path version digest`.
 * `sum` is the digest of the program's own module, and its file go.sum, which that digest covers, has those of all
 * others. Go compares with its checksum database as well, unless the machine tells it not to.
 */
async function findUnknown(go, file, module, sum) {
  const list = await runProgram(go, ['version', '-m', file]);
  const cache = await runProgram(go, ['env', 'GOMODCACHE']);
  const others = await readFile(join(cache.output, module, 'go.sum'), 'utf8').catch(() => null);
  if (others === null) return [`${module} has no go.sum`];
  const sums = new Set([`${module.replace('@', ' ')} ${sum}`, ...others.split('\n')]);
  const modules = list.output.split('\n').map((line) => line.trim().split(/\s+/));
  const lines = modules.filter(([kind]) => ['mod', 'dep', '=>'].includes(kind)).map(([, ...rest]) => rest.join(' '));
  return lines.length === 0 ? [`${module} is not named in it`] : lines.filter((line) => !sums.has(line));
}

/** A browser with its libraries is about 170 MB; lists of packages that are fetched again are about 10 MB. */
const APT_TIMEOUT = 600_000;

/**
 * Unpacks packages of Debian or Ubuntu below a folder: `usr/bin/...` and so on. `withMissing`: also the packages that
 * they need and that this machine does not have. Nothing is installed in the system, and no rights are needed: the
 * machine's lists of packages may be missing or old, and stay as they are. Throws SetupError, whose message ends with
 * `otherwise`.
 */
export async function unpackPackages({ names, withMissing = false, otherwise }, folder) {
  if (findOnPath('apt-get') === null || findOnPath('dpkg-deb') === null)
    throw new SetupError(`Only on Debian and Ubuntu can Opaline fetch ${names[0]} itself. ${otherwise}`);
  progress(`unpacking Debian's ${names[0]} into the cache (once; a minute at most)`);
  const temporary = await mkdtemp(join(folder, 'packages-'));
  const download = async (lists) => {
    const packages = new Set(names);
    const plan = withMissing
      ? await aptGet(['install', '--simulate', '--no-install-recommends', ...names, ...lists])
      : { code: 0, output: '' };
    for (const [, name] of plan.output.matchAll(/^Inst (\S+)/gm)) packages.add(name);
    return plan.code === 0 ? aptGet(['download', ...packages, ...lists], temporary) : plan;
  };
  let result = await download([]);
  if (result.code !== 0) result = await download(await ownLists(temporary));
  if (result.code !== 0)
    throw new SetupError(`apt-get could not download ${names[0]}: ${result.output.slice(-400)}\n${otherwise}`);
  for (const file of (await readdir(temporary)).filter((one) => one.endsWith('.deb'))) {
    const { code, output } = await runProgram('dpkg-deb', ['-x', join(temporary, file), folder]);
    if (code !== 0) throw new SetupError(`dpkg-deb could not unpack ${file}: ${lastOf(output)}\n${otherwise}`);
  }
  await rm(temporary, { recursive: true });
}

/** Options of apt-get that make it keep lists of packages in a folder, and so be allowed to fetch them. */
async function ownLists(folder) {
  const settings = { 'Dir::State::lists': join(folder, 'lists'), 'Dir::Cache': join(folder, 'cache') };
  for (const path of Object.values(settings)) await mkdir(path);
  const lists = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  await aptGet(['update', ...lists]);
  return lists;
}

function aptGet(words, folder) {
  // What root starts would drop its rights for the download, and then could not write into root's cache.
  const settings = ['-q', '-o', 'Acquire::Retries=3', '-o', 'APT::Sandbox::User=root'];
  return runProgram('apt-get', [...words, ...settings], { folder, timeout: APT_TIMEOUT });
}
