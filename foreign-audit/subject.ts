import type { LinearProgramSolver } from '../core/linear-program/solver.ts';
import type { EqualPair } from '../core/statistics/pair-laws.ts';
import type { PointToPoint } from '../counts/audit/attacks/equal-truth-pairs.ts';
import type { TimetableCell } from '../counts/audit/attacks/timetable-extremes.ts';
import { type Difference, differences } from './differences.ts';
import { type Noises, noisesOf, type RecoveredScale, recoverScale, smallestCount } from './noise.ts';
import { type DeclaredPairs, declaredPairs, equalPairs } from './pairs.ts';
import type { ForeignTable } from './table.ts';

/** A publication of any origin, and what everybody can know besides. */
export type ForeignPublication = {
  name: string;
  tables: readonly ForeignTable[];
  /** Names of files that came with the tables and hold no counts. */
  leftOut: readonly string[];
  services: readonly PointToPoint[];
  timetable: readonly TimetableCell[];
  /** Null where no solver is at hand: then totals are not solved together. */
  solve: LinearProgramSolver | null;
};

/** A publication with what its tables give away of their noise. */
export type ForeignSubject = ForeignPublication & {
  pairs: readonly EqualPair[];
  /** Those of the tables whose noise is declared. */
  declared: DeclaredPairs | null;
  /** The scale of the time-location tables whose noise nobody declares, from pairs of equal truth. */
  recovered: RecoveredScale | null;
  noises: Noises;
  /** Every total that can be taken apart, with intervals of CONFIDENCE. */
  differences: readonly Difference[];
};

/** Of the intervals of what is suppressed. */
export const CONFIDENCE = 0.95;

export function foreignSubject(publication: ForeignPublication): ForeignSubject {
  const { tables, services } = publication;
  const pairs = equalPairs(tables, services);
  const unknown = tables.filter(
    ({ kind, declared }) => kind === 'time-location' && declared.scale === null && declared.certificate === null,
  );
  const thresholds = unknown.map((table) => table.declared.threshold ?? smallestCount(table) ?? 1);
  const recovered = unknown.length > 0 ? recoverScale(Math.max(...thresholds), equalPairs(unknown, services)) : null;
  const noises = noisesOf(tables, recovered);
  return {
    ...publication,
    pairs,
    declared: declaredPairs(tables, noises, services),
    recovered,
    noises,
    differences: differences(tables, noises, CONFIDENCE),
  };
}
