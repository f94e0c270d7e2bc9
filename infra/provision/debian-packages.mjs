import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from './progress.mjs';
import { findOnPath, runProgram } from './run-program.mjs';

/** A browser with its libraries is about 170 MB; lists of packages that are fetched anew are about 10 MB. */
const APT_TIMEOUT = 600_000;

/** A list of packages to install has a line of about 100 characters for each. */
const LIST_LENGTH = 100_000;

/**
 * Unpacks packages of Debian or Ubuntu below a folder: `usr/bin/...` and so on. `withMissing`: also the packages that
 * they need and that this machine does not have. Nothing is installed in the system, and no rights are needed. Throws
 * SetupError, whose message ends with `otherwise`.
 */
export async function unpackPackages(names, folder, { withMissing = false, otherwise }) {
  if (findOnPath('apt-get') === null || findOnPath('dpkg-deb') === null)
    throw new SetupError(`Only on Debian and Ubuntu can Opaline fetch ${names[0]} itself. ${otherwise}`);
  const temporary = await mkdtemp(join(folder, 'packages-'));
  let result = await download(names, temporary, { withMissing, lists: [] });
  // The machine's lists of packages may be missing or old; they stay as they are.
  if (result.code !== 0) result = await download(names, temporary, { withMissing, lists: await ownLists(temporary) });
  if (result.code !== 0)
    throw new SetupError(`apt-get could not download ${names[0]}: ${result.output.slice(-400)}\n${otherwise}`);
  for (const file of (await readdir(temporary)).filter((one) => one.endsWith('.deb'))) {
    const { code, output } = await runProgram('dpkg-deb', ['-x', join(temporary, file), folder]);
    if (code !== 0) throw new SetupError(`dpkg-deb could not unpack ${file}: ${output}\n${otherwise}`);
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

/** Downloads into the folder; gives the exit code and the output of what apt-get did last. */
async function download(names, folder, { withMissing, lists }) {
  const wanted = new Set(names);
  if (withMissing) {
    const plan = await aptGet(['install', '--simulate', '--no-install-recommends', ...names, ...lists]);
    if (plan.code !== 0) return plan;
    for (const [, missing] of plan.output.matchAll(/^Inst (\S+)/gm)) wanted.add(missing);
  }
  return aptGet(['download', ...wanted, ...lists], folder);
}

function aptGet(words, folder) {
  // What root starts would drop its rights for the download, and then could not write into root's cache.
  const settings = ['-q', '-o', 'Acquire::Retries=3', '-o', 'APT::Sandbox::User=root'];
  return runProgram('apt-get', [...words, ...settings], { folder, timeout: APT_TIMEOUT, kept: LIST_LENGTH });
}
