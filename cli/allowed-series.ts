import { requireAllowed } from '../activities/private/check-series.ts';
import type { LoadedSeries } from '../client/series/series-file.ts';
import { OpalineError } from '../contracts/errors.ts';
import { clientDeployment, hasClientDeployment } from './deployment.ts';
import { contextOf, privateDeployment } from './private-deployment.ts';

/**
 * Asks the custodian side, where it is on this computer, whether it would draw a series of this file: whoever is refused
 * is told before a release is started that nobody can retry. Throws POLICY_REFUSED, SERIES_UNSIGNED.
 */
export async function requireAllowedHere(loaded: LoadedSeries): Promise<void> {
  // A client of another deployment than this folder's has another custodian side.
  const isOfOne =
    (process.env.OPALINE_DEPLOYMENT === undefined) === (process.env.OPALINE_PRIVATE_DEPLOYMENT === undefined);
  const deployment = isOfOne ? await privateDeployment() : null;
  if (deployment) await requireAllowedBy(await contextOf(deployment), loaded);
}

/** The same of a custodian side. Where the client signs by itself, a file that nobody has signed is no mistake. */
export async function requireAllowedBy(
  context: Parameters<typeof requireAllowed>[0],
  loaded: LoadedSeries,
): Promise<void> {
  const signer = hasClientDeployment() ? (await clientDeployment()).signingKeyFile : undefined;
  await requireAllowed(context, loaded).catch((error: unknown) => {
    const isUnsigned = error instanceof OpalineError && error.code === 'SERIES_UNSIGNED';
    if (signer === undefined || !isUnsigned) throw error;
  });
}
