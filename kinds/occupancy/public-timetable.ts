import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import { remember } from '../../services/stores/object-cache.ts';
import type { OccupancySeries } from './series.ts';
import { parseRunTimetable, type RunTimetable, shapesOf } from './timetable.ts';

const rememberedTimetable = remember(async (store, key) => parseRunTimetable(await readBytes(store, key)));

/**
 * The timetable of a stored series, read once and kept. Throws SERIES_INVALID when its runs are not of the parts, the
 * vehicles and the shapes that the series names: then the mechanism would not be the one that is certified.
 *
 * @contract C4
 */
export async function publicTimetable(store: ObjectStore, series: OccupancySeries): Promise<RunTimetable> {
  const timetable = await rememberedTimetable(store, RELEASE_KEYS.dictionary(series.timetable));
  const fits =
    timetable.every(({ part, vehicle }) => series.parts.includes(part) && Object.hasOwn(series.vehicles, vehicle)) &&
    canonicalJson(shapesOf(timetable)) === canonicalJson(series.shapes);
  if (fits) return timetable;
  throw new OpalineError(
    'SERIES_INVALID',
    'The stored series does not fit its timetable; apply the series file again.',
  );
}
