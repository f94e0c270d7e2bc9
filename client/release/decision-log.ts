import { z } from 'zod';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { readRecords } from '../../services/decisions/decision-record.ts';
import { arrivalAt } from '../../services/decisions/gate-signers.ts';
import type { LedgerReader } from '../../services/ledger/verify-ledger.ts';
import { readDecision } from '../../services/signing/decision-statement.ts';
import { jsonOrNull, readBytes } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';

const refusalSchema = z.object({ code: z.string(), subject: z.string().nullable() });

/**
 * The decisions and refusals of a release that its gate has recorded, in the order of their names. `note`: of a kept
 * decision, in the person's own words, which are never published; `code`: why one did not count. A decision that no
 * public worker has signed as one that came is left out: anybody may have put it there. Refusals are not signed.
 *
 * @contract C16
 */
export async function decisionLog({ releaseStore: store, trust }: LedgerReader, release: Run) {
  const series = await readSeries(store, release).catch(() => null);
  const gate = series && { series, trust: await trust() };
  const entries = [];
  for (const record of await readRecords(store, release)) {
    const statement = readDecision(record.envelope);
    if (!gate || arrivalAt(gate, statement, record) === null) continue;
    const { subject, decision, reason, acknowledged } = statement.predicate;
    entries.push({ outcome: 'kept' as const, subject, decision, reason, acknowledged, note: record.note, code: null });
  }
  for await (const { key } of store.list(RELEASE_KEYS.refusals(release))) {
    const { data } = refusalSchema.safeParse(jsonOrNull((await readBytes(store, key)).toString('utf8')));
    if (data)
      entries.push({
        outcome: 'refused' as const,
        decision: '',
        reason: '',
        acknowledged: [],
        note: null,
        subject: data.subject ?? 'somebody unknown',
        code: data.code,
      });
  }
  return entries;
}
