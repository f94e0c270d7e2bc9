import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { PLANNED } from '../../../core/statistics/required-samples.ts';
import { percent } from '../../../core/text/wording.ts';

/** How often something was seen, and in how many runs. */
export type RunCount = { events: number; runs: number };
/** Noise of values whose truth is known: counts of its bins (counts/audit/mechanism/noise-bins.ts), and Σ |noise|. */
export type NoiseTally = {
  bins: number[];
  sumOfSizes: number;
  /** Values that were not there. */
  missing: number;
  /** Values further from 0 than each of TAIL_SCALES. */
  beyond: number[];
};

/** How many values a tally is of. */
export const numberOfValues = ({ bins }: NoiseTally): number => bins.reduce((sum, count) => sum + count, 0);

/** What a pair of noise values is drawn for. */
export type NoiseKind = 'cells' | 'time' | 'location' | 'leftOut';
/** Pairs of noise values that should be independent: equal ones, ones without a 0, and those of these with one sign. */
export type PairTally = {
  name: string;
  /** Whose scale both have; null where their scales may differ. */
  of: NoiseKind | null;
  pairs: number;
  equal: number;
  signed: number;
  agreeing: number;
};
/** An event on two neighbouring inputs that differ in this number of taps. */
export type EventTally = { name: string; taps: number; present: RunCount; absent: RunCount };

/** What the production mechanism did to synthetic counts (C15); nothing in it depends on data. */
export type ShadowCounts = {
  /** How many cells with this true count were published; large counts are counted with the least of them. */
  appearances: { count: number; published: RunCount }[];
  /** Published counts under the threshold. */
  belowThreshold: number;
  /** Excess over T of the cells whose true count is T, in bins; null without a threshold. */
  overThreshold: number[] | null;
  noise: NoiseTally;
  /** Noise of empty cells; null when they are not published. */
  zeros: NoiseTally | null;
  /** `unknown`: of the totals of UNKNOWN alone. */
  margins: { time: NoiseTally | null; location: NoiseTally | null; unknown: NoiseTally | null };
  /** Of the taps that a bound leaves out; null where none are counted. */
  leftOut: NoiseTally | null;
  pairs: PairTally[];
  events: EventTally[];
  /** Tables that came out differently with one tap more and noise that is one less. */
  interference: RunCount;
};

/**
 * One check of what the mechanism did to synthetic counts: a pure function of the counts and the certificate. It fails
 * when its p-value is at most `level`.
 */
export type MechanismCheck = (shadow: ShadowCounts, certificate: Certificate, level: number) => AuditCheck;

/** The chance with which an audit finds the faults that its samples are planned for (PLANNED, required-samples.ts). */
export const LIKELY = `a chance of at least ${percent(PLANNED.power)}`;
