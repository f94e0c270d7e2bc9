import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedBinary, installInCache } from './cache-folder.mjs';
import { goInstall } from './go-install.mjs';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, isExecutable, runProgram } from './run-program.mjs';

/** Server 1.29.1. Later tags cannot be installed by `go install`: their go.mod has replace directives. */
export const TEMPORAL_CLI_VERSION = 'v1.5.1';

/** The download is about 60 MB; where there is no way out, the attempt should not hold up the build for long. */
const DOWNLOAD_TIMEOUT = 120_000;

/**
 * The path of a Temporal CLI that runs: OPALINE_TEMPORAL_CLI, PATH, the cache, the SDK's own download (skipped when
 * node_modules is missing or OPALINE_TEMPORAL_DOWNLOAD is `no`), else `go install` into the cache. Throws SetupError.
 */
export async function provideTemporalCli() {
  const given = process.env.OPALINE_TEMPORAL_CLI;
  if (given) {
    if (await answers(given)) return given;
    throw new SetupError(`OPALINE_TEMPORAL_CLI names ${given}, which does not run. Correct it, or unset it.`);
  }
  const onPath = findOnPath('temporal');
  if (onPath !== null && (await answers(onPath))) return onPath;
  const cached = cachedBinary('temporal-cli', TEMPORAL_CLI_VERSION, 'temporal');
  if (isExecutable(cached)) return cached;
  return (await downloadBySdk()) ?? goInstallTemporal();
}

/** `--version` needs neither network nor configuration: it says that the file is a program for this machine. */
async function answers(path) {
  return isExecutable(path) && (await runProgram(path, ['--version'], { timeout: 10_000 })).code === 0;
}

const goInstallTemporal = () =>
  goInstall({
    tool: 'temporal-cli',
    module: 'github.com/temporalio/cli/cmd/temporal',
    version: TEMPORAL_CLI_VERSION,
    binary: 'temporal',
    expected: 'about three minutes',
    otherwise: 'install the Temporal CLI and set OPALINE_TEMPORAL_CLI to its path',
  });

/** The SDK can only download and start in one go: a process of its own does both, and stops the server again. */
async function downloadBySdk() {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  if (process.env.OPALINE_TEMPORAL_DOWNLOAD === 'no') return null;
  if (!existsSync(join(root, 'node_modules', '@temporalio', 'testing'))) return null;
  try {
    return await installInCache('temporal-cli', TEMPORAL_CLI_VERSION, 'temporal', async (folder) => {
      progress(`downloading the Temporal CLI ${TEMPORAL_CLI_VERSION} with the Temporal SDK (once; about a minute)`);
      const script = fileURLToPath(new URL('./temporal-download.mjs', import.meta.url));
      const result = await runProgram(process.execPath, [script, folder, TEMPORAL_CLI_VERSION], {
        timeout: DOWNLOAD_TIMEOUT,
      });
      const file = (await readdir(folder)).find((name) => name.startsWith('temporal'));
      if (result.code !== 0 || file === undefined) throw new SetupError('the download failed');
      if (file !== 'temporal') await rename(join(folder, file), join(folder, 'temporal'));
    });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    progress('the Temporal CLI could not be downloaded; trying to build it instead');
    return null;
  }
}
