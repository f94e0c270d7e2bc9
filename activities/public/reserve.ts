import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import { type Partition, releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { overCap } from '../../core/ledger/budget.ts';
import { reserveDraft } from '../ledger/charge.ts';
import { appendToLedger, type LedgerDraft } from '../ledger/ledger.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PublicContext } from './context.ts';

/**
 * Reserves the charge of every block of a release before any draw, and gives its charge id. Over a cap it records the
 * refusal and throws BUDGET_EXCEEDED.
 *
 * Safe to run twice: it looks for the release's own reserve first and answers with the charge id that is there.
 *
 * @contract C12
 * @contract safe-to-retry
 */
export async function reserve(
  context: PublicContext,
  input: Run & { partitions: Partition[] },
): Promise<{ charge: string }> {
  const release = releasePath(input);
  const series = await readSeries(context.releaseStore, input);
  const draft = reserveDraft(series, release, context.newId(), input.partitions);
  let charge = draft.charge;
  let refusal: string | null = null;
  await appendToLedger(context.releaseStore, series.population, (entries) => {
    const own = entries.find((entry) => entry.kind === 'reserve' && entry.release === release);
    if (own?.kind === 'reserve') {
      charge = own.charge;
      return null;
    }
    refusal = overCap(entries, draft);
    return refusal ? refuseDraft(entries, release) : draft;
  });
  if (refusal) throw new OpalineError('BUDGET_EXCEEDED', `${refusal} Nothing was charged and nothing was drawn.`);
  return { charge };
}

/** One refusal per release and cause is enough: a retry adds none. */
function refuseDraft(entries: readonly LedgerEntry[], release: string): LedgerDraft | null {
  const code = 'BUDGET_EXCEEDED';
  if (entries.some((entry) => entry.kind === 'refuse' && entry.release === release && entry.code === code)) return null;
  return { kind: 'refuse', release, code, subject: 'releaseWorkflow', reason: 'over-cap' };
}
