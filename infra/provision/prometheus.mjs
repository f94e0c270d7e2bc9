import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cachedBinary, installInCache } from './cache-folder.mjs';
import { unpackPackages } from './debian-packages.mjs';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, isExecutable } from './run-program.mjs';

const OTHERWISE =
  'The tests of alerts need Prometheus: install its programs, or set OPALINE_PROMETHEUS to the folder of both.';

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
  progress("unpacking Debian's prometheus into the cache (once; some seconds)");
  await unpackPackages(['prometheus'], folder, { otherwise: OTHERWISE });
  for (const name of ['prometheus', 'promtool']) await rename(join(folder, 'usr', 'bin', name), join(folder, name));
}
