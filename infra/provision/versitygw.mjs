import { cachedBinary } from './cache-folder.mjs';
import { goInstall } from './go-install.mjs';
import { SetupError } from './progress.mjs';
import { isExecutable } from './run-program.mjs';

/** The version that tests and the compose file run. */
export const VERSITYGW_VERSION = '1.8.0';

/** Digests of the Go modules, from Go's checksum database. */
const SUMS = {
  '1.7.0': 'h1:Tyn9TOpUn6nTyYfb+e2uaz1prf5Uv44FLpy4RU/foJE=',
  '1.8.0': 'h1:au+wI+aybno/STsQiSm35Uu6Q6iK5MWReQxgO6SEMFc=',
};

/**
 * The path of a versitygw binary: OPALINE_VERSITYGW (for 1.8.0 only), the cache, else `go install` into the cache.
 * Version 1.7.0 loses races between conditional writes; it is provided for the test that the canary refuses it.
 * Throws SetupError.
 */
export async function provideVersitygw(version = VERSITYGW_VERSION) {
  const given = version === VERSITYGW_VERSION ? process.env.OPALINE_VERSITYGW : undefined;
  if (given) {
    if (isExecutable(given)) return given;
    throw new SetupError(`OPALINE_VERSITYGW names ${given}, which is not an executable file. Correct it, or unset it.`);
  }
  const cached = cachedBinary('versitygw', `v${version}`, 'versitygw');
  if (isExecutable(cached)) return cached;
  return goInstall({
    tool: 'versitygw',
    repository: 'github.com/versity/versitygw',
    program: 'cmd/versitygw',
    version: `v${version}`,
    sum: SUMS[version],
    binary: 'versitygw',
    expected: 'about a minute',
    otherwise:
      version === VERSITYGW_VERSION
        ? 'set OPALINE_VERSITYGW to the path of the program'
        : `put the program at ${cached}`,
  });
}
