import type { PrivacyParameters } from '../../contracts/certificate.ts';
import { impossible } from './amounts.ts';
import { ENDS_PUBLISHED, UNITS } from './units.ts';

/** What decides how far one unit can move the counts of a release. */
export type UnitRule = Pick<PrivacyParameters, 'unit' | 'maxTaps' | 'place' | 'neighbours' | 'publish' | 'rows'>;

/** What decides how far one unit can move the counts of what is in no cell: beyond its bound, or rejected. */
export type LeftOutRule = Pick<PrivacyParameters, 'unit' | 'neighbours' | 'clamp' | 'rejects'>;

/** Cells that exist only because of one unit: the number of cells, and of taps of the unit in each. */
export type Pattern = { cells: number; taps: number };

/** Largest k that is certified; a person makes far fewer taps in any window. */
const MAX_TAPS = 10_000;

/** k of a card unit. Throws CERTIFICATE_IMPOSSIBLE when k is missing or not a whole number from 1 to 10,000. */
function cardTaps({ unit, maxTaps }: UnitRule): number {
  if (maxTaps === undefined) throw impossible(`Unit ${unit} needs maxTaps: how many taps of one card are counted.`);
  return tapsInRange('maxTaps', maxTaps);
}

function tapsInRange(name: string, taps: number): number {
  if (Number.isInteger(taps) && taps >= 1 && taps <= MAX_TAPS) return taps;
  throw impossible(`${name} must be a whole number from 1 to ${MAX_TAPS}.`);
}

/** The most taps of one unit that are counted in a release. Throws CERTIFICATE_IMPOSSIBLE when maxTaps does not fit. */
export function tapsOfUnit(rule: UnitRule): number {
  const { taps } = UNITS[rule.unit];
  if (taps === 'maxTaps') return cardTaps(rule);
  if (rule.maxTaps !== undefined) throw impossible(`maxTaps is for card units; unit ${rule.unit} has a fixed number.`);
  return taps[rule.publish];
}

/**
 * m: the most taps of one unit that can be in one cell; under a bound of places it is one. Throws CERTIFICATE_IMPOSSIBLE
 * when maxTaps does not fit.
 */
export const mostTapsInCell = (rule: UnitRule): number =>
  UNITS[rule.unit].mayMeet && rule.place === undefined ? tapsOfUnit(rule) : 1;

/**
 * D1: total L1 change of all counts of one release when one unit changes; replacing removes one unit and adds another.
 *
 * @contract C1
 */
export const l1Change = (rule: UnitRule): number => tapsOfUnit(rule) * partsOfChange(rule);

/**
 * C: the most taps of one unit that are counted among those in no cell: what its bound leaves out, or what is rejected;
 * null when they are not counted. Throws CERTIFICATE_IMPOSSIBLE when the unit has no bound, C is no whole number from 1
 * to 10,000, or nobody can say how many rejects are of one unit.
 */
export function leftOutOfUnit({ unit, clamp, rejects }: Omit<LeftOutRule, 'neighbours'>): number | null {
  if (clamp !== undefined && UNITS[unit].cardScope === null)
    throw impossible(`Unit ${unit} leaves no tap out; split.bounded and clamp are for card units.`);
  if (rejects !== undefined) return rejectsOfUnit(unit);
  return clamp === undefined ? null : tapsInRange('clamp', clamp);
}

function rejectsOfUnit(unit: PrivacyParameters['unit']): number {
  const most = UNITS[unit].rejects;
  if (most !== null) return most;
  throw impossible(
    `A row that cannot be read has no card, so that one ${unit} can make any number of rejects; limits of rejects are for the units tap and trip.`,
  );
}

/** Total L1 change of the counts of taps in no cell of one release when one unit changes; null without such counts. */
export function leftOutChange(rule: LeftOutRule): number | null {
  const taps = leftOutOfUnit(rule);
  return taps === null ? null : taps * partsOfChange(rule);
}

/** Replacing removes one unit and adds another. */
export const partsOfChange = ({ neighbours }: Pick<UnitRule, 'neighbours'>): number =>
  neighbours === 'replace-one' ? 2 : 1;

/**
 * Does another tap of the row come and go with a tap of this unit? A value that nobody can use takes both ends of its
 * trip away, and a good one in its place brings both back.
 */
export const bringsOtherTap = ({ unit, neighbours, publish, rows }: UnitRule): boolean =>
  UNITS[unit].sharesRow && rows !== 'taps' && neighbours === 'replace-one' && publish === 'on+off';

/**
 * Patterns among which the worst case is: [1] for a tap, [1,1] for a trip (on and off are never one cell) and for a tap
 * that brings another, and for a card [k] and [1,…,1], which beat all patterns between (tight-delta.proof.md).
 */
export function patternsOfUnit(rule: UnitRule): Pattern[] {
  const taps = tapsOfUnit(rule);
  const spread = { cells: bringsOtherTap(rule) ? ENDS_PUBLISHED[rule.publish] : taps, taps: 1 };
  return UNITS[rule.unit].mayMeet && taps > 1 ? [spread, { cells: 1, taps }] : [spread];
}
