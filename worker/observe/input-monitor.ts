import type { Logger } from 'pino';
import { parseReleasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { listUnreported, markReported, readWarnings } from '../../custodian/preview/kept-warnings.ts';
import { postSigned, type Webhook } from '../../services/notices/webhook.ts';
import type { Measure } from './metrics.ts';

/**
 * One look at what the stages have found in the source: the custodian sees it in the log of the private worker, in a
 * metric, and by a webhook. Outside of the stages, so that no activity takes longer for it. What a webhook does not take
 * is posted again with the next look; log and metric have it once for each start of a worker at most. A look throws
 * NOTICE_FAILED after all others were reported.
 */
export function lookAtWarnings(
  store: ObjectStore,
  log: Logger,
  webhook: Webhook | null,
  measure: Measure,
): () => Promise<void> {
  const keys = new Set<string>();
  async function report(key: string): Promise<void> {
    const entry = await readWarnings(store, key);
    const { release, round, found, warnings } = entry;
    if (warnings.length > 0 && !keys.has(key)) {
      const series = parseReleasePath(release)?.series ?? '';
      for (const { kind } of warnings) measure('opaline_input_warnings', 1, { series, kind });
      const sentences = warnings.map(({ sentence }) => sentence);
      log.warn({ release, round, stage: found, warnings: sentences }, 'the source of a release asks for a look');
      keys.add(key);
    }
    if (warnings.length > 0 && webhook) await postSigned(webhook, JSON.stringify({ id: key, ...entry }), new Date());
    await markReported(store, key);
  }
  return async () => {
    const failures: unknown[] = [];
    for (const key of await listUnreported(store)) await report(key).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
}
