import type { Certificate, PrivacyParameters, ShownChance } from '../../contracts/certificate.ts';
import type { OpalineError } from '../../contracts/errors.ts';
import { enclosingDecimals } from '../../core/rational/decimal.ts';
import type { Interval } from '../../core/rational/interval.ts';
import { compare, divide, type Rational, rational } from '../../core/rational/rational.ts';
import { MECHANISMS } from '../mechanisms/mechanisms.ts';
import { impossible } from './amounts.ts';
import { type HourPattern, hourTails } from './hour-law.ts';
import { l1Change, mostTapsInCell, type UnitRule } from './l1-change.ts';
import { smallestThreshold } from './threshold.ts';
import { largerOf, publicationProbability } from './tight-delta.ts';

/** Floors as they are asked for: `none` is no floor at all, and what is left out follows from the rule. */
export type AskedFloors = {
  floor?: number | 'none';
  hours?: { floor?: number; bins: number };
};

/** A unit that is alone is shown at most so often by a floor that nobody chose (C8). */
const USUAL_CHANCE = rational(1n, 10_000n);

/** Hour rows of bins with a greater floor than this hold little but noise, and their law takes long. */
const GREATEST_FLOOR_WITH_HOURS = 1000;

/** The refusal of a floor where T follows from δ. */
export const noFloor = (): OpalineError =>
  impossible('Only complete-domain has a floor; the threshold of the others follows from δ.');

/**
 * The floors of a complete domain, each that is left out by the rule: the smallest that shows a lone unit, with all the
 * taps that it can have in a cell, with a chance of at most 1/10,000. `cells` is the share of ε of the cells. Throws
 * CERTIFICATE_IMPOSSIBLE.
 *
 * @contract C8
 */
export function usualFloors(
  { floor, hours }: AskedFloors,
  { mechanism, ...rule }: Pick<PrivacyParameters, 'mechanism'> & UnitRule,
  cells: Rational,
): Pick<PrivacyParameters, 'floor' | 'hours'> {
  if (MECHANISMS[mechanism].threshold !== 'floor') {
    if (floor !== undefined || hours) throw noFloor();
    return {};
  }
  if (floor === 'none') {
    if (hours) throw impossible('Hour rows need a floor: without one every cell is published.');
    return {};
  }
  const rate = divide(cells, rational(BigInt(l1Change(rule))));
  const chosen = floor ?? smallestFloor(mostTapsInCell(rule), rate);
  if (!hours) return { floor: chosen };
  requireHours(chosen, hours.bins);
  const hourFloor = hours.floor ?? smallestHourFloor(mostTapsInCell(rule), chosen, hours.bins, rate);
  return { floor: chosen, hours: { floor: hourFloor, bins: hours.bins } };
}

const smallestFloor = (taps: number, rate: Rational): number =>
  smallestThreshold([{ cells: 1, taps }], rate, USUAL_CHANCE);

/** The chance decides at some number of bits, since it is transcendental and the limit rational. */
function smallestHourFloor(taps: number, floor: number, bins: number, rate: Rational): number {
  for (let bits = 128; ; bits *= 2) {
    const shown = loneTails(taps, floor, bins, rate, bits);
    let sum = floor;
    while (compare(shown(sum).lower, USUAL_CHANCE) > 0) sum++;
    if (compare(shown(sum).upper, USUAL_CHANCE) <= 0) return sum;
  }
}

/** All taps of the unit in one bin, and spread over the bins: the larger chance counts. */
function loneTails(taps: number, floor: number, bins: number, rate: Rational, bits: number) {
  const together: HourPattern = Array.from({ length: bins }, (_, bin) => (bin === 0 ? taps : 0));
  const spread: HourPattern = together.map((_, bin) => Math.floor((taps + bin) / bins));
  const patterns = taps === 1 ? [together] : [together, spread];
  const tails = patterns.map((pattern) => hourTails(pattern, floor, rate, bits));
  return (sum: number): Interval => tails.map((tail) => tail(sum)).reduce(largerOf);
}

function requireHours(floor: number, bins: number): void {
  if (bins < 2)
    throw impossible('Hour rows need time bins of at most 30 minutes: an hour of one bin would be a cell again.');
  if (floor > GREATEST_FLOOR_WITH_HOURS)
    throw impossible(
      `Hour rows need a floor of at most ${GREATEST_FLOOR_WITH_HOURS}; with more noise they hold little else.`,
    );
}

/** What a certificate says of the floors. */
type FloorPart = Pick<Certificate, 'threshold' | 'shown'>;

/**
 * Floor and hour rows as a certificate states them, with the exact chances that a lone unit and nobody at all are shown:
 * p_lone = P[m + X ≥ F], p_empty = P[X ≥ F], and those of an hour row by convolution. `rate` is ε_cells/D1. Throws
 * CERTIFICATE_IMPOSSIBLE when a floor is not a whole number of at least 2 and above m, or F2 is below F.
 *
 * @contract C8
 * @contract C10
 */
export function certifiedFloors({ floor, hours, ...rule }: UnitRule & Floors, rate: Rational): FloorPart {
  if (floor === undefined) {
    if (hours) throw impossible('Hour rows need a floor: without one every cell is published.');
    return { threshold: null };
  }
  const taps = mostTapsInCell(rule);
  if (!Number.isSafeInteger(floor) || floor < 2 || floor <= taps)
    throw impossible(
      `A floor is a whole number of at least 2 that is above ${taps}, the most taps of one unit in a cell.`,
    );
  const cell = {
    lone: enclosingDecimals((bits) => publicationProbability(taps, floor, rate, bits)),
    empty: enclosingDecimals((bits) => publicationProbability(0, floor, rate, bits)),
  };
  if (!hours) return { threshold: floor, shown: { cell } };
  requireHours(floor, hours.bins);
  if (!Number.isSafeInteger(hours.floor) || hours.floor < floor)
    throw impossible(`The floor of hour rows is a whole number of at least ${floor}, so that a row covers two cells.`);
  return { threshold: floor, shown: { cell, hour: shownHour(taps, floor, hours, rate) } };
}

type Floors = Pick<PrivacyParameters, 'floor' | 'hours'>;

function shownHour(
  taps: number,
  floor: number,
  { floor: hourFloor, bins }: NonNullable<PrivacyParameters['hours']>,
  rate: Rational,
): ShownChance {
  // No sum of the hour reaches this far.
  if (hourFloor > bins * (floor - 1)) return { lone: NEVER, empty: NEVER };
  const empty: HourPattern = Array.from({ length: bins }, () => 0);
  return {
    lone: enclosingDecimals((bits) => loneTails(taps, floor, bins, rate, bits)(hourFloor)),
    empty: enclosingDecimals((bits) => hourTails(empty, floor, rate, bits)(hourFloor)),
  };
}

const NEVER = { lower: '0', upper: '0' };
