import { cachedBinary, installInCache } from './cache-folder.mjs';
import { downloadArchive } from './download.mjs';
import { goInstall } from './go-install.mjs';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, isExecutable, runProgram } from './run-program.mjs';

/** Server 1.29.1. Later tags cannot be installed by `go install`: their go.mod has replace directives. */
export const TEMPORAL_CLI_VERSION = 'v1.5.1';

/** The digest of its Go module, from Go's checksum database. */
const SUM = 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=';

/** SHA-256 of the archives of that release, by platform and architecture as Node names them. */
const ARCHIVES = {
  'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  'darwin-x64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'linux-x64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
};

/**
 * The path of a Temporal CLI that runs: OPALINE_TEMPORAL_CLI, PATH, the cache, a download of the release (not
 * when OPALINE_TEMPORAL_DOWNLOAD is `no`), else `go install` into the cache. Throws SetupError.
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
  return (await downloadRelease()) ?? goInstallTemporal();
}

/** `--version` needs neither network nor configuration: it says that the file is a program for this machine. */
async function answers(path) {
  return isExecutable(path) && (await runProgram(path, ['--version'], { timeout: 10_000 })).code === 0;
}

const goInstallTemporal = () =>
  goInstall({
    tool: 'temporal-cli',
    repository: 'github.com/temporalio/cli',
    program: 'cmd/temporal',
    version: TEMPORAL_CLI_VERSION,
    sum: SUM,
    binary: 'temporal',
    expected: 'about three minutes',
    otherwise: 'install the Temporal CLI and set OPALINE_TEMPORAL_CLI to its path',
  });

/** The path of the downloaded program, or null where there is none for this system or it could not be had. */
async function downloadRelease() {
  const sha256 = ARCHIVES[`${process.platform}-${process.arch}`];
  if (process.env.OPALINE_TEMPORAL_DOWNLOAD === 'no' || sha256 === undefined) return null;
  const system = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const file = `temporal_cli_${TEMPORAL_CLI_VERSION.slice(1)}_${system}.tar.gz`;
  const url = `https://github.com/temporalio/cli/releases/download/${TEMPORAL_CLI_VERSION}/${file}`;
  try {
    return await installInCache('temporal-cli', TEMPORAL_CLI_VERSION, 'temporal', async (folder) => {
      progress(`downloading the Temporal CLI ${TEMPORAL_CLI_VERSION} (once; about a minute)`);
      await downloadArchive(url, sha256, folder);
    });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    progress(`${error.message}; building the Temporal CLI instead`);
    return null;
  }
}
