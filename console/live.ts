import type { OpalineClient } from '../client/opaline-client.ts';
import { listWithRetractions, type ReleaseLine } from '../client/release/retractions.ts';
import { zonesOf } from '../client/series/place-zone.ts';

/** A value that many ask for and one computes: it is asked for again when it is older than so long. */
export function kept<Value>(ms: number, compute: () => Promise<Value>, now: () => number = Date.now) {
  let value: { promise: Promise<Value>; at: number } | null = null;
  let last: Value | null = null;
  return {
    /** The newest value that is there, while another one may be computed; null: there was none yet. */
    newest(): Value | null {
      this.get().catch(() => undefined);
      return last;
    },
    async get(): Promise<Value> {
      if (!value || now() - value.at > ms) {
        const fresh = { promise: compute(), at: now() };
        value = fresh;
        fresh.promise.then(
          (one) => {
            if (value === fresh) last = one;
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
