import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installInCache } from './cache-folder.mjs';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, isExecutable, runProgram } from './run-program.mjs';

/**
 * Builds a Go program of a fixed version into the cache. `repository`: its Go module; `program`: the folder of its
 * command in there; `sum`: the digest of the module as Go writes it (`h1:…`). `otherwise` ends the error message: what
 * to do when it fails. Throws SetupError when Go is missing, the build fails, or other sources were built.
 */
export async function goInstall({ tool, repository, program, version, sum, binary, expected, otherwise }) {
  const go = findOnPath('go');
  if (go === null) {
    throw new SetupError(
      `${tool} ${version} could not be installed: Go is not on the PATH. Install Go, or ${otherwise}.`,
    );
  }
  return installInCache(tool, version, binary, async (folder) => {
    progress(`building ${tool} ${version} with Go (once; ${expected})`);
    const started = Date.now();
    const command = `${repository}/${program}@${version}`;
    const result = await runProgram(go, ['install', command], { environment: { ...process.env, GOBIN: folder } });
    if (result.code !== 0 || !isExecutable(join(folder, binary))) {
      throw new SetupError(
        `${tool} ${version} could not be built: "go install ${command}" failed. ` +
          `Check that Go can reach its module proxy, or ${otherwise}. Go said: ${result.output}`,
      );
    }
    const wrong = await unknownModules(go, join(folder, binary), `${repository}@${version}`, sum);
    if (wrong.length > 0) {
      throw new SetupError(
        `${tool} ${version} was built from sources of another digest (${wrong[0]}), and is not used. ` +
          `Check the Go module proxy and GONOSUMDB of this machine, or ${otherwise}.`,
      );
    }
    progress(`${tool} ${version} is built (${Math.round((Date.now() - started) / 1000)} s)`);
  });
}

/**
 * The modules in a built program that are not what they were when `sum` was written down, as `path version digest`.
 * `sum` is the digest of the program's own module, and its file go.sum, which that digest covers, has those of all
 * others. Go compares with its checksum database as well, unless the machine tells it not to.
 */
async function unknownModules(go, file, module, sum) {
  const [listed, cache] = await Promise.all([
    runProgram(go, ['version', '-m', file], { kept: Number.POSITIVE_INFINITY }),
    runProgram(go, ['env', 'GOMODCACHE']),
  ]);
  const modules = listed.output
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([kind]) => ['mod', 'dep', '=>'].includes(kind));
  const [path, version] = module.split('@');
  const known = new Set([[path, version, sum].join(' ')]);
  try {
    for (const line of (await readFile(join(cache.output, module, 'go.sum'), 'utf8')).split('\n')) known.add(line);
  } catch {
    return [`${module} has no go.sum`];
  }
  const found = modules.map(([, ...rest]) => rest.join(' '));
  return found.length === 0 ? [`${module} is not named in it`] : found.filter((line) => !known.has(line));
}
