import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { parseReleasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { type KeptWarnings, markTold, readWarnings, untoldWarnings } from '../../custodian/preview/kept-warnings.ts';
import { postSigned, type Webhook } from '../../services/notices/webhook.ts';
import { every } from './repeat.ts';

const PASS_MS = 15_000;

type Counter = { add(value: number, tags: { series: string; kind: string }): void };

/**
 * Tells the custodian what the stages have found in the source: in the log of the private worker, in a metric, and
 * by a webhook. Outside of the stages, so that no activity takes longer for it. What a webhook does not take is posted
 * again with the next look; log and metric have it once for each start of a worker at most.
 */
export class InputMonitor {
  readonly #store: ObjectStore;
  readonly #log: Logger;
  readonly #webhook: Webhook | null;
  readonly #counter: Counter;
  readonly #logged = new Set<string>();

  constructor(store: ObjectStore, log: Logger, webhook: Webhook | null, counter: Counter) {
    this.#store = store;
    this.#log = log;
    this.#webhook = webhook;
    this.#counter = counter;
  }

  /** Throws NOTICE_FAILED after all others were told. */
  async pass(): Promise<void> {
    const failures: unknown[] = [];
    for (const key of await untoldWarnings(this.#store))
      await this.#tell(key).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  async #tell(key: string): Promise<void> {
    const kept = await readWarnings(this.#store, key);
    if (kept.warnings.length > 0) {
      if (!this.#logged.has(key)) this.#note(kept);
      this.#logged.add(key);
      if (this.#webhook) await postSigned(this.#webhook, JSON.stringify({ id: key, ...kept }), new Date());
    }
    await markTold(this.#store, key);
  }

  #note({ release, round, found, warnings }: KeptWarnings): void {
    const series = parseReleasePath(release)?.series ?? '';
    for (const { kind } of warnings) this.#counter.add(1, { series, kind });
    const sentences = warnings.map(({ sentence }) => sentence);
    this.#log.warn({ release, round, stage: found, warnings: sentences }, 'the source of a release asks for a look');
  }
}

/** Looks for new warnings for as long as the process lives. */
export function startInputMonitor(store: ObjectStore, log: Logger, webhook: Webhook | null): void {
  const counter = Runtime.instance().metricMeter.createCounter(
    'opaline_input_warnings',
    '',
    'Warnings of what the source of a release holds, by series and kind.',
  );
  const monitor = new InputMonitor(store, log, webhook, counter);
  every(PASS_MS, log, 'the look at warnings of the source', () => monitor.pass());
}
