import type { LedgerEntry } from '../../../contracts/formats/ledger.ts';
import type { Run } from '../../../contracts/stages.ts';
import type { LedgerDraft } from '../../ledger/ledger.ts';
import { readSeries } from '../../stores/series-objects.ts';
import type { PrivateContext } from '../context.ts';
import { appendSettled } from './population-ledger.ts';
import { standing } from './standing.ts';

/**
 * Appends the entry that ends the charge of a release, unless one that ends it is there. It changes no budget, so that
 * it asks for nothing but a charge: a release ends also when its series file was revoked meanwhile.
 */
export async function endCharge(
  context: PrivateContext,
  run: Run,
  draft: (charge: string) => LedgerDraft,
): Promise<void> {
  const { charge } = await standing(context, run);
  const { population } = await readSeries(context.releaseStore, run);
  const end = draft(charge);
  // A commit may be forged: it must not keep a release that was withdrawn from being withheld.
  const ends = (entry: LedgerEntry) =>
    (entry.kind === 'withhold' || entry.kind === end.kind) && 'charge' in entry && entry.charge === charge;
  await appendSettled(context, population, (entries) => (entries.some(ends) ? null : end));
}
