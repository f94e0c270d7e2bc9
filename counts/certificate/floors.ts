import type { Certificate, PrivacyParameters, ShownChance } from '../../contracts/certificate.ts';
import type { OpalineError } from '../../contracts/errors.ts';
import { encloseInDecimals } from '../../core/rational/decimal.ts';
import { type Interval, isBelowLimit } from '../../core/rational/interval.ts';
import { compare, type Rational, rational } from '../../core/rational/rational.ts';
import { smallestFrom } from '../../core/search/smallest-integer.ts';
import { MECHANISMS } from '../mechanisms/mechanisms.ts';
import { impossible } from './amounts.ts';
import type { NoiseOfCell } from './cell-noise.ts';
import { type HourPattern, hourTails } from './hour-law.ts';
import { mostTapsInCell, type UnitRule } from './l1-change.ts';
import { largerOf } from './tight-delta.ts';

/**
 * Floors as they are asked for: `none` is no floor at all, and what is left out follows from the rule. `cells`: those of
 * the public domain of one release, where they are counted.
 */
export type AskedFloors = {
  floor?: number | 'none';
  hours?: { floor?: number; bins: number };
  cells?: number | null;
};

/** A unit that is alone is shown at most so often by a floor that nobody chose (C8). */
const USUAL_CHANCE = rational(1n, 10_000n);

/** By such a floor at most this many rows of a release for people are expected where nobody was (C8a). */
const MOST_ROWS_OF_NOBODY = 10n;

/** Hour rows of bins with a greater floor than this hold little but noise, and their law takes long. */
const GREATEST_FLOOR_WITH_HOURS = 1000;

/** The refusal of a floor where T follows from δ. */
export const noFloor = (): OpalineError =>
  impossible('Only complete-domain and discrete-gaussian have a floor; the threshold of the others follows from δ.');

/**
 * The floors of a complete domain, each that is left out by the rule: the smallest that shows a lone unit, with all the
 * taps that it can have in a cell, with a chance of at most 1/10,000; for people, of a domain whose cells are counted, at
 * most ten of them are expected to show nobody. `noise` is that of the cells. Throws CERTIFICATE_IMPOSSIBLE.
 *
 * @contract C8
 */
export function usualFloors(
  { floor, hours, cells }: AskedFloors,
  { mechanism, ...rule }: Pick<PrivacyParameters, 'mechanism'> & UnitRule,
  noise: NoiseOfCell,
): Pick<PrivacyParameters, 'floor' | 'hours'> {
  if (MECHANISMS[mechanism].threshold !== 'floor') {
    if (floor !== undefined || hours) throw noFloor();
    return {};
  }
  if (floor === 'none') {
    if (hours) throw impossible('Hour rows need a floor: without one every cell is published.');
    return {};
  }
  const taps = mostTapsInCell(rule);
  const ofNobody = MECHANISMS[mechanism].shares === 'of ρ' && cells;
  const cellFloor =
    floor ??
    Math.max(
      smallestFloor(taps, USUAL_CHANCE, noise),
      ofNobody ? smallestFloor(0, rational(MOST_ROWS_OF_NOBODY, BigInt(cells)), noise) : 0,
    );
  if (!hours) return { floor: cellFloor };
  requireHours(cellFloor, hours.bins);
  const hourFloor = hours.floor ?? smallestHourFloor(rule, cellFloor, hours.bins, noise);
  return { floor: cellFloor, hours: { floor: hourFloor, bins: hours.bins } };
}

/**
 * The smallest floor that shows this number of taps with a chance of at most the limit: the tail falls, and never equals
 * the limit.
 */
const smallestFloor = (taps: number, limit: Rational, noise: NoiseOfCell): number =>
  smallestFrom(taps + 1, (floor) => isBelowLimit(limit, (bits) => noise.tail(floor - taps, bits)))!;

/** The chance decides at some number of bits, since it is transcendental and the limit rational. */
function smallestHourFloor(rule: UnitRule, floor: number, bins: number, noise: NoiseOfCell): number {
  for (let bits = 128; ; bits *= 2) {
    const tail = loneTails(rule, floor, bins, noise, bits);
    let sum = floor;
    while (compare(tail(sum).lower, USUAL_CHANCE) > 0) sum++;
    if (compare(tail(sum).upper, USUAL_CHANCE) <= 0) return sum;
  }
}

/**
 * The larger chance of the ways in which one unit can be in an hour and place: where its taps may meet, all in one bin,
 * and spread over the bins; else one in each of 1, 2, … bins, as many as the bound of a place leaves.
 */
function loneTails(rule: UnitRule, floor: number, bins: number, noise: NoiseOfCell, bits: number) {
  const taps = mostTapsInCell(rule);
  const inBins = (of: (bin: number) => number): HourPattern => Array.from({ length: bins }, (_, bin) => of(bin));
  const apart = Array.from({ length: Math.min(rule.place ?? 1, bins) }, (_, more) =>
    inBins((bin) => (bin <= more ? 1 : 0)),
  );
  const spread = inBins((bin) => Math.floor((taps + bin) / bins));
  const patterns = taps === 1 ? apart : [inBins((bin) => (bin === 0 ? taps : 0)), spread];
  const tails = patterns.map((pattern) => hourTails(pattern, floor, noise, bits));
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
 * p_lone = P[m + X ≥ F], p_empty = P[X ≥ F], and those of an hour row by convolution. `noise` is that of the cells.
 * Throws CERTIFICATE_IMPOSSIBLE when a floor is not a whole number of at least 2 and above m, or F2 is below F.
 *
 * @contract C8
 * @contract C10
 */
export function certifyFloors({ floor, hours, ...rule }: UnitRule & Floors, noise: NoiseOfCell): FloorPart {
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
    lone: encloseInDecimals((bits) => noise.tail(floor - taps, bits)),
    empty: encloseInDecimals((bits) => noise.tail(floor, bits)),
  };
  if (!hours) return { threshold: floor, shown: { cell } };
  requireHours(floor, hours.bins);
  if (!Number.isSafeInteger(hours.floor) || hours.floor < floor)
    throw impossible(`The floor of hour rows is a whole number of at least ${floor}, so that a row covers two cells.`);
  return { threshold: floor, shown: { cell, hour: certifyHour(rule, floor, hours, noise) } };
}

type Floors = Pick<PrivacyParameters, 'floor' | 'hours'>;

function certifyHour(
  rule: UnitRule,
  floor: number,
  { floor: hourFloor, bins }: NonNullable<PrivacyParameters['hours']>,
  noise: NoiseOfCell,
): ShownChance {
  // No sum of the hour reaches this far.
  if (hourFloor > bins * (floor - 1)) return { lone: NEVER, empty: NEVER };
  const empty: HourPattern = Array.from({ length: bins }, () => 0);
  return {
    lone: encloseInDecimals((bits) => loneTails(rule, floor, bins, noise, bits)(hourFloor)),
    empty: encloseInDecimals((bits) => hourTails(empty, floor, noise, bits)(hourFloor)),
  };
}

const NEVER = { lower: '0', upper: '0' };
