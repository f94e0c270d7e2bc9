import type { Series } from '../../contracts/series.ts';
import type { Draw } from '../../contracts/stages.ts';
import { type Believed, type ReleaseOfDraws, requireReceipts, reserveOfCharge } from '../draws/draw-receipt.ts';
import { believedLedger } from '../ledger/believed-ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TrustChain } from '../trust/trust-chain.ts';
import type { PublicContext } from './context.ts';

/**
 * Refuses a release one of whose tables has no receipt of the private worker under a charge of the ledger, and gives what
 * they were judged by. Throws VERIFICATION_FAILED.
 *
 * @contract C11
 */
export async function requireDrawn(
  { releaseStore, trust }: PublicContext,
  release: ReleaseOfDraws & { draws: readonly Draw[] },
  series: Series,
): Promise<Believed> {
  const believed = await believedOf({ releaseStore, trust }, series);
  await requireReceipts(releaseStore, believed, release, release.draws);
  return believed;
}

/** What documents on the population of a series are judged by: the trust file and the ledger as they are now. */
export async function believedOf<One extends Pick<Series, 'population'>>(
  { releaseStore, trust }: Pick<PublicContext, 'releaseStore' | 'trust'>,
  series: One,
): Promise<{ trust: TrustChain; ledger: Ledger; series: One }> {
  const chain = await trust();
  const ledger = await believedLedger({ releaseStore, trust: async () => chain }, series.population);
  return { trust: chain, ledger, series };
}

/** Digest of the policy under which a charge was reserved; null when there is no such entry. */
export const policyDigestOf = (ledger: Ledger, charge: string): string | null =>
  reserveOfCharge(ledger, charge)?.policy.digest ?? null;
