import { OpalineError } from './errors.ts';
import type { Partition } from './names.ts';
import type { Series } from './series.ts';

/** What a series protects, between which data sets, and its mechanism, by the names that its kind gives them. */
export type Terms = { unit: string; neighbours: string; mechanism: string };

/**
 * What is special to a kind of series and follows from the series alone: what its partitions are, and which of them go
 * together. All else knows partitions as an opaque part and a day. The kinds there are stand in kinds/.
 */
export type SeriesKind = {
  /** What its charges protect, and by what it is drawn: what a policy allows or refuses (C11a). */
  terms(series: Series): Terms;
  /** The blocks on which a charge for these partitions falls (C12): the part `all` where a unit may be in all parts. */
  blocks(series: Series, days: readonly string[], partitions: readonly Partition[]): Partition[];
  /**
   * Exact ε and δ of one release of the series for a population with this neighbour relation: of another relation than
   * its own, those of what is drawn, certified anew (C12). Throws POLICY_REFUSED where that cannot be said.
   */
  cost(series: Series, neighbours: string): { epsilon: string; delta: string };
  /** The parts of every day. A part is a name as in series files; patterns of objects give it as `{mode}`. */
  parts(series: Series): readonly string[];
  /** May an object of one day hold rows of the next one? Then a window reads the object of the day before it, too. */
  overlaps(series: Series): boolean;
  /** Of how many days before its own an object may hold rows, where its day is that of a delivery; absent: of none. */
  deliveryDays?(series: Series): number | undefined;
  /**
   * The given partitions of a window with all that are drawn together with them, since one unit may be in all of them.
   */
  drawnTogether(series: Series, days: readonly string[], partitions: readonly Partition[]): Partition[];
};

/** What a table of kinds has for a series. Throws SERIES_INVALID when the build does not know the kind. */
export function kindOf<Kind>(kinds: Readonly<Record<string, Kind>>, { kind }: Pick<Series, 'kind'>): Kind {
  const found = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (found !== undefined) return found;
  throw new OpalineError('SERIES_INVALID', `No kind of series is called ${kind}; those are ${Object.keys(kinds)}.`);
}
