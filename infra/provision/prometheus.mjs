import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cachedBinary, installInCache } from './cache-folder.mjs';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, isExecutable, runProgram } from './run-program.mjs';

/** The package is about 20 MB; a list of packages that is fetched anew about 10 MB. */
const APT_TIMEOUT = 300_000;

const OTHERWISE =
  'Install Prometheus (its programs `prometheus` and `promtool`), or set OPALINE_PROMETHEUS to the folder of both.';

/**
 * The paths of a Prometheus server and of its promtool, for the tests of alerts and metrics: in the folder
 * OPALINE_PROMETHEUS, on PATH, in the cache, else unpacked there from the package of Debian or Ubuntu. Nothing is
 * installed in the system and no rights are needed. Throws SetupError.
 */
export async function providePrometheus() {
  const folder = process.env.OPALINE_PROMETHEUS;
  if (folder) {
    const given = programsIn(folder);
    if (given) return given;
    throw new SetupError(`OPALINE_PROMETHEUS names ${folder}, which does not hold both programs. ${OTHERWISE}`);
  }
  const [prometheus, promtool] = [findOnPath('prometheus'), findOnPath('promtool')];
  if (prometheus && promtool) return { prometheus, promtool };
  const cached = dirname(cachedBinary('prometheus', 'package', 'promtool'));
  return programsIn(cached) ?? programsIn(dirname(await installInCache('prometheus', 'package', 'promtool', unpack)));
}

function programsIn(folder) {
  const programs = { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') };
  return Object.values(programs).every(isExecutable) ? programs : null;
}

async function unpack(folder) {
  if (findOnPath('apt-get') === null || findOnPath('dpkg-deb') === null)
    throw new SetupError(`The tests of alerts need Prometheus, and none was found. ${OTHERWISE}`);
  progress("unpacking Debian's prometheus into the cache (once; some seconds)");
  const temporary = await mkdtemp(join(folder, 'package-'));
  const download = () =>
    runProgram('apt-get', ['download', '-q', '-o', 'Acquire::Retries=3', 'prometheus'], {
      folder: temporary,
      timeout: APT_TIMEOUT,
    });
  let result = await download();
  // The lists of packages may be missing or old. Only root can fetch them, for others the first answer stands.
  if (result.code !== 0 && (await runProgram('apt-get', ['update', '-q'], { timeout: APT_TIMEOUT })).code === 0)
    result = await download();
  const [file] = (await readdir(temporary)).filter((name) => name.endsWith('.deb'));
  if (result.code !== 0 || !file)
    throw new SetupError(`apt-get could not download prometheus: ${result.output.slice(-400)}\n${OTHERWISE}`);
  const unpacked = await runProgram('dpkg-deb', ['-x', join(temporary, file), temporary]);
  if (unpacked.code !== 0) throw new SetupError(`dpkg-deb could not unpack ${file}: ${unpacked.output}\n${OTHERWISE}`);
  for (const name of ['prometheus', 'promtool']) await rename(join(temporary, 'usr', 'bin', name), join(folder, name));
  await rm(temporary, { recursive: true });
}
