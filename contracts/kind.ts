import { OpalineError } from './errors.ts';
import type { Partition } from './names.ts';
import type { Series } from './series.ts';

/**
 * What is special to a kind of series and follows from the series alone: what its partitions are, and which of them go
 * together. All else knows partitions as an opaque part and a day. The kinds there are stand in kinds/.
 */
export type SeriesKind = {
  /** The parts of every day. A part is a name as in series files; patterns of objects give it as `{mode}`. */
  parts(series: Series): readonly string[];
  /** May an object of one day hold rows of the next one? Then a window reads the object of the day before it, too. */
  overlaps(series: Series): boolean;
  /** The given partitions of a window with all that are drawn together with them, since one unit may be in all of them. */
  drawnTogether(series: Series, days: readonly string[], partitions: readonly Partition[]): Partition[];
};

/** What a table of kinds has for a series. Throws SERIES_INVALID when the build does not know the kind. */
export function kindOf<Kind>(kinds: Readonly<Record<string, Kind>>, { kind }: Pick<Series, 'kind'>): Kind {
  const found = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (found !== undefined) return found;
  throw new OpalineError('SERIES_INVALID', `No kind of series is called ${kind}; those are ${Object.keys(kinds)}.`);
}
