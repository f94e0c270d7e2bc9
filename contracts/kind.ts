import { NEIGHBOURS, type Neighbours } from './certificate.ts';
import { OpalineError } from './errors.ts';
import type { Series } from './series.ts';

/** Exact ε and δ of one release, and its ρ (C12); null where none is charged, as no ρ follows from ε and δ. */
export type ReleaseCost = { epsilon: string; delta: string; rho: string | null };

/**
 * Which partitions of a window one unit may be in, so that they are drawn together: one alone, all parts of a day, or the
 * whole window.
 */
export type DrawScope = 'partition' | 'day' | 'window';

/** What a series promises and reads, by the names that its kind gives to them. */
export type Terms = {
  /** What its charges protect, between which data sets, by what it is drawn: what a policy allows or refuses (C11a). */
  unit: string;
  neighbours: string;
  mechanism: string;
  /** The parts of every day. A part is a name as in series files; patterns of objects give it as `{mode}`. */
  parts: readonly string[];
  scope: DrawScope;
  /** May an object of one day hold rows of the next one? Then a window reads the object of the day before it, too. */
  overlaps: boolean;
  /** Of how many days before its own an object may hold rows, where its day is that of a delivery; absent: of none. */
  deliveryDays?: number | undefined;
  /** SHA-256 of its public lists and domains (C4), by name. */
  lists: Readonly<Record<string, string>>;
  /** Why no release of the series can be made, in a sentence; absent when it can. */
  refusal?: string;
};

/** What follows from a series alone. All else knows partitions as an opaque part and a day. */
export type SeriesKind = {
  terms(series: Series): Terms;
  /**
   * What one release of the series costs a population with this neighbour relation. Under a relation different from its
   * own, it is the cost of the same draws, certified again (C12). Throws POLICY_REFUSED where that cannot be stated.
   */
  cost(series: Series, neighbours: string): ReleaseCost;
};

/** Throws POLICY_REFUSED for a relation that a kind knows no cost under. `what`: what the series releases. */
export function requireRelation(what: string, neighbours: string): Neighbours {
  const relation = NEIGHBOURS.find((name) => name === neighbours);
  if (relation) return relation;
  throw new OpalineError('POLICY_REFUSED', `No cost of ${what} is known under the neighbour relation ${neighbours}.`);
}

/** What a table of kinds has for a series. Throws SERIES_INVALID when the build does not know the kind. */
export function kindOf<Kind>(kinds: Readonly<Record<string, Kind>>, { kind }: Pick<Series, 'kind'>): Kind {
  const entry = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (entry !== undefined) return entry;
  throw new OpalineError('SERIES_INVALID', `No kind of series is called ${kind}; those are ${Object.keys(kinds)}.`);
}
