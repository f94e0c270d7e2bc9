import { z } from 'zod';
import { RELEASE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readDecisionRecord } from '../../services/decisions/decision-record.ts';
import { readDecision } from '../../services/signing/decision-statement.ts';
import { jsonOrNull, readBytes } from '../../services/stores/json-objects.ts';

const refusalSchema = z.object({ code: z.string(), subject: z.string().nullable() });

/**
 * The decisions and refusals of a release that its gate has recorded, in the order of their names. `note`: of a kept
 * decision, in the person's own words, which are never published; `code`: why one did not count.
 */
export async function decisionLog(store: ObjectStore, release: ReleaseReference) {
  const kept = [];
  const prefix = RELEASE_KEYS.decision(release, '').replace(/\.json$/, '');
  for await (const { key } of store.list(prefix)) {
    const digest = key.slice(prefix.length).replace(/\.json$/, '');
    const record = await readDecisionRecord(store, release, digest).catch(() => null);
    if (!record) continue;
    const { subject, decision, reason, acknowledged } = readDecision(record.envelope).predicate;
    kept.push({ outcome: 'kept' as const, subject, decision, reason, acknowledged, note: record.note, code: null });
  }
  const refused = [];
  for await (const { key } of store.list(RELEASE_KEYS.refusals(release))) {
    const { data } = refusalSchema.safeParse(jsonOrNull((await readBytes(store, key)).toString('utf8')));
    if (data)
      refused.push({
        ...{ outcome: 'refused' as const, decision: '', reason: '', acknowledged: [], note: null },
        ...{ subject: data.subject ?? 'somebody unknown', code: data.code },
      });
  }
  return [...kept, ...refused];
}
