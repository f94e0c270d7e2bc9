import type { Run } from '../../contracts/stages.ts';
import { everyAppliedSeries, readSeries } from '../../services/stores/series-objects.ts';
import type { OpalineClient } from '../opaline-client.ts';

/** The time zones of all series, as their newest files have them; none of one whose file cannot be read. */
export const zonesOf = async ({ releaseStore }: OpalineClient): Promise<Map<string, string>> =>
  new Map((await everyAppliedSeries(releaseStore)).map(({ series, timeZone }) => [series, timeZone]));

/** The time zone of a release, and the name of the store of its objects; null when its series file cannot be read. */
export const placeOfSource = ({ releaseStore }: OpalineClient, run: Run) =>
  readSeries(releaseStore, run).then(
    ({ timeZone, source }) => ({ timeZone, store: source.store }),
    () => ({ timeZone: 'UTC', store: null }),
  );
