import { readSeries } from '../../activities/stores/series-objects.ts';
import type { Run } from '../../contracts/stages.ts';
import type { OpalineClient } from '../opaline-client.ts';

/** The time zone in which the times of a release are told to people; UTC when its series file cannot be read. */
export async function zoneOf(client: OpalineClient, run: Run): Promise<string> {
  try {
    return (await readSeries(client.releaseStore, run)).timeZone;
  } catch {
    return 'UTC';
  }
}
