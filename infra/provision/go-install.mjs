import { join } from 'node:path';
import { installInCache } from './cache-folder.mjs';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, isExecutable, runProgram } from './run-program.mjs';

/**
 * Builds a Go program of a fixed version into the cache. `otherwise` ends the error message: what to do when it fails.
 * Throws SetupError when Go is missing or the build fails.
 */
export async function goInstall({ tool, module, version, binary, expected, otherwise }) {
  const go = findOnPath('go');
  if (go === null) {
    throw new SetupError(
      `${tool} ${version} could not be installed: Go is not on the PATH. Install Go, or ${otherwise}.`,
    );
  }
  return installInCache(tool, version, binary, async (folder) => {
    progress(`building ${tool} ${version} with Go (once; ${expected})`);
    const started = Date.now();
    const result = await runProgram(go, ['install', `${module}@${version}`], {
      environment: { ...process.env, GOBIN: folder },
    });
    if (result.code !== 0 || !isExecutable(join(folder, binary))) {
      throw new SetupError(
        `${tool} ${version} could not be built: "go install ${module}@${version}" failed. ` +
          `Check that Go can reach its module proxy, or ${otherwise}. Go said: ${result.output}`,
      );
    }
    progress(`${tool} ${version} is built (${Math.round((Date.now() - started) / 1000)} s)`);
  });
}
