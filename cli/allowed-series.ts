import type { LoadedSeries } from '../client/series/series-file.ts';
import { OpalineError } from '../contracts/errors.ts';
import { requireAllowed, requireLeave } from '../custodian/check-series.ts';
import type { PrivateContext } from '../custodian/private-context.ts';
import { clientDeployment, hasClientDeployment } from './client-deployment.ts';
import { contextOf, privateDeployment } from './private-deployment.ts';

/** The custodian side, where it is on this computer, or null. */
async function custodianHere(): Promise<PrivateContext | null> {
  // A client of another deployment than this folder's has another custodian side.
  const isOfOne =
    (process.env.OPALINE_DEPLOYMENT === undefined) === (process.env.OPALINE_PRIVATE_DEPLOYMENT === undefined);
  const deployment = isOfOne ? await privateDeployment() : null;
  return deployment && contextOf(deployment);
}

/**
 * Asks the custodian side, where it is on this computer, whether it would draw a series of this file: whoever is refused
 * hears it before a release is started that nobody can retry. Throws POLICY_REFUSED, SERIES_UNSIGNED.
 */
export async function requireAllowedHere(seriesFile: LoadedSeries): Promise<void> {
  const context = await custodianHere();
  if (context) await requireAllowedBy(context, seriesFile);
}

/** Asks it whether it would charge first versions of windows that are given no order. Throws ORDER_MISSING. */
export async function requireLeaveHere(
  seriesFile: Pick<LoadedSeries, 'series' | 'digest'>,
  windows: readonly string[],
  span: Parameters<typeof requireLeave>[3],
): Promise<void> {
  const context = await custodianHere();
  if (context) await requireLeave(context, seriesFile, windows, span);
}

/** The same of a custodian side. Where the client signs by itself, a file that nobody has signed is no mistake. */
export async function requireAllowedBy(context: PrivateContext, seriesFile: LoadedSeries): Promise<void> {
  const signer = hasClientDeployment() ? (await clientDeployment()).signingKeyFile : undefined;
  await requireAllowed(context, seriesFile).catch((error: unknown) => {
    const isUnsigned = error instanceof OpalineError && error.code === 'SERIES_UNSIGNED';
    if (signer === undefined || !isUnsigned) throw error;
  });
}
