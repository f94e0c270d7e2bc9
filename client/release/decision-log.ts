import { z } from 'zod';
import { RELEASE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readDecisionRecord } from '../../services/decisions/decision-record.ts';
import { readDecision } from '../../services/signing/decision-statement.ts';
import { jsonOrNull, readBytes } from '../../services/stores/json-objects.ts';

/** A decision that a gate has kept, or has refused; as the release store has it. */
export type LoggedDecision = {
  outcome: 'kept' | 'refused';
  subject: string;
  decision: string;
  reason: string;
  acknowledged: string[];
  /** In the person's own words, which are never published; of a kept decision. */
  note: string | null;
  /** Why it did not count. */
  code: string | null;
};

const refusalSchema = z.object({ code: z.string(), subject: z.string().nullable() });

/** The decisions and refusals of a release that its gate has recorded, in the order of their names. */
export async function decisionLog(store: ObjectStore, release: ReleaseReference): Promise<LoggedDecision[]> {
  const logged: LoggedDecision[] = [];
  const prefix = RELEASE_KEYS.decision(release, '').replace(/\.json$/, '');
  for await (const { key } of store.list(prefix)) {
    const digest = key.slice(prefix.length).replace(/\.json$/, '');
    const record = await readDecisionRecord(store, release, digest).catch(() => null);
    if (!record) continue;
    const { subject, decision, reason, acknowledged } = readDecision(record.envelope).predicate;
    logged.push({ outcome: 'kept', subject, decision, reason, acknowledged, note: record.note, code: null });
  }
  for await (const { key } of store.list(RELEASE_KEYS.refusals(release))) {
    const { data } = refusalSchema.safeParse(jsonOrNull((await readBytes(store, key)).toString('utf8')));
    if (data)
      logged.push({
        ...{ outcome: 'refused', decision: '', reason: '', acknowledged: [], note: null },
        ...{ subject: data.subject ?? 'somebody unknown', code: data.code },
      });
  }
  return logged;
}
