import { setTimeout as delay } from 'node:timers/promises';
import type { OpalineClient } from '../client/opaline-client.ts';
import { listWithRetractions, type ReleaseLine } from '../client/release/retractions.ts';
import { zonesOf } from '../client/series/place-zone.ts';

/**
 * How long a page waits for a newer value while it has one, and how old that one may be. Whoever comes back after a
 * while waits for what is made within a moment, and does not read what was.
 */
const patienceMs = (age: number, took: number): number => (age > 10_000 && took < 1_000 ? 1_000 : 50);
const OLDEST_MS = 60_000;

/** How long a value stays that took so long: pages have most of the processor, however many releases there are. */
const restMs = (took: number): number => Math.min(5 * took, OLDEST_MS / 2);

/** A value that many ask for and one computes: again when it is older than so long, and never twice at a time. */
export function keep<Value>(ms: number, compute: () => Promise<Value>, now: () => number = Date.now) {
  let value: { promise: Promise<Value>; at: number; isThere: boolean } | null = null;
  let last: { value: Value; at: number; took: number } | null = null;
  return {
    /** The newest value that is there, while another one may be computed; null: there was none yet. */
    newest(): Value | null {
      this.get().catch(() => undefined);
      return last?.value ?? null;
    },
    /** For a page: the value, or one of the last minute where a newer one takes long; the next page has that. */
    async shown(): Promise<Value> {
      const before = last && now() - last.at <= OLDEST_MS ? last : null;
      const fresh = this.get();
      return before
        ? Promise.race([fresh, delay(patienceMs(now() - before.at, before.took), before.value, { ref: false })])
        : fresh;
    },
    async get(): Promise<Value> {
      if (!value || (value.isThere && now() - value.at > Math.max(ms, restMs(last?.took ?? 0)))) {
        const fresh = { promise: compute(), at: now(), isThere: false };
        value = fresh;
        fresh.promise.then(
          (one) => {
            fresh.isThere = true;
            if (value === fresh) last = { value: one, at: fresh.at, took: now() - fresh.at };
          },
          () => {
            if (value === fresh) value = null;
          },
        );
      }
      return value.promise;
    },
    forget(): void {
      value = null;
      last = null;
    },
  };
}

export type Listed = { lines: ReleaseLine[]; zones: ReadonlyMap<string, string> };

/** All releases, with the clocks of their series. */
export async function listReleases(client: OpalineClient): Promise<Listed> {
  const [lines, zones] = await Promise.all([listWithRetractions(client), zonesOf(client)]);
  return { lines, zones };
}
