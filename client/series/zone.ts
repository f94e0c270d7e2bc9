import { readSeries } from '../../activities/stores/series-objects.ts';
import type { Run } from '../../contracts/stages.ts';
import type { OpalineClient } from '../opaline-client.ts';

/** The time zone in which the times of a release are told to people; UTC when its series file cannot be read. */
export const zoneOf = async (client: OpalineClient, run: Run): Promise<string> =>
  (await placeOfSource(client, run)).timeZone;

/** The same, and the name of the store that its objects lie in; null when its series file cannot be read. */
export async function placeOfSource(
  client: OpalineClient,
  run: Run,
): Promise<{ timeZone: string; store: string | null }> {
  try {
    const { timeZone, source } = await readSeries(client.releaseStore, run);
    return { timeZone, store: source.store };
  } catch {
    return { timeZone: 'UTC', store: null };
  }
}
