import type { Run } from '../../contracts/stages.ts';
import { readApplied, readSeries } from '../../services/stores/series-objects.ts';
import type { OpalineClient } from '../opaline-client.ts';

/** The time zone in which the times of a release are told to people; UTC when its series file cannot be read. */
export const zoneOf = async (client: OpalineClient, run: Run): Promise<string> =>
  (await placeOfSource(client, run)).timeZone;

/** The time zones of the newest files of series, by the name of the series; UTC where it cannot be read. */
export async function zonesOf(
  { releaseStore }: OpalineClient,
  releases: Iterable<{ series: string }>,
): Promise<Map<string, string>> {
  const names = [...new Set([...releases].map(({ series }) => series))];
  const read = async (name: string): Promise<[string, string]> => {
    const applied = await readApplied(releaseStore, name).catch(() => null);
    return [name, applied?.series.timeZone ?? 'UTC'];
  };
  return new Map(await Promise.all(names.map(read)));
}

/** The time zone of a release, and the name of the store of its objects; null when its series file cannot be read. */
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
