import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import type { Partition } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import type { Run } from '../../contracts/stages.ts';
import { readSeries } from '../stores/series-objects.ts';
import { appendToLedger, type LedgerDraft } from './ledger.ts';

/** The reserve entry of a release: every block is charged the ε and δ of the certificate. */
export function reserveDraft(series: Series, release: string, charge: string, partitions: readonly Partition[]) {
  const { epsilon, delta, unit, caps } = series.privacy;
  const blocks = partitions.map(({ part, day }) => ({ part, day, epsilon, delta }));
  return { kind: 'reserve' as const, charge, release, unit, blocks, caps };
}

/** Appends the entry that ends a charge, unless one that ends it is there. */
export async function endCharge(store: ObjectStore, run: Run, draft: LedgerDraft & { charge: string }): Promise<void> {
  const { population } = await readSeries(store, run);
  const ends = (entry: LedgerEntry) =>
    (entry.kind === 'commit' || entry.kind === 'withhold') && entry.charge === draft.charge;
  await appendToLedger(store, population, (entries) => (entries.some(ends) ? null : draft));
}
