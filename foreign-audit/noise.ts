import type { IntegerNoise } from '../core/statistics/noise-law.ts';
import { type EqualPair, isClear } from '../core/statistics/pair-laws.ts';
import { declaredNoise } from '../counts/audit/attacks/declared-noise.ts';
import { estimateScale, standardError } from '../counts/audit/attacks/scale-recovery.ts';
import { drawnRows, type ForeignTable } from './table.ts';

/** How somebody outside comes to know the scale of a table's noise. */
export type Knowledge = 'certificate' | 'declaration' | 'pairs' | 'threshold';

/** The noise of a table as well as it can be known: the scale lies from `least` to `most`. */
export type TableNoise = {
  model: IntegerNoise;
  scale: number;
  least: number;
  most: number;
  /** Smallest count that can be published, declared or else as it shows; null when every cell is published. */
  threshold: number | null;
  knownBy: Knowledge;
};

/** The noise of every table, by its name. */
export type Noises = ReadonlyMap<string, TableNoise>;

/** A scale that was estimated from pairs, its standard error, and how many pairs there were. */
export type RecoveredScale = { scale: number; error: number; pairs: number };

/** Standard errors on each side of an estimate: about 99.9 %. */
export const STANDARD_ERRORS = 3.29;

/**
 * δ of one table as it is chosen in practice: from one in a thousand million to one in a hundred thousand. The
 * algorithm of 2017 has t = b·ln(2/δ) + 1 (Asghar, Tyler, Kaafar 2018, Algorithm 1), so a threshold that shows gives
 * the scale within these ends.
 */
export const DELTA_RANGE = { least: 1e-9, most: 1e-5 };

/** Scales that a threshold T, the real one rounded, leaves open under that rule. */
export function scalesOfThreshold(threshold: number): { least: number; most: number } {
  return {
    least: Math.max(threshold - 1.5, 0.5) / Math.log(2 / DELTA_RANGE.least),
    most: Math.max(threshold - 0.5, 0.5) / Math.log(2 / DELTA_RANGE.most),
  };
}

/** The smallest count that shows, of the rows that were drawn; null when there are none. */
export const smallestCount = (table: ForeignTable): number | null =>
  drawnRows(table).reduce<number | null>((least, { count }) => Math.min(least ?? count, count), null);

/** The scale from pairs of equal truth that are clear of the threshold; null when there are none. */
export function recoverScale(threshold: number, pairs: readonly EqualPair[]): RecoveredScale | null {
  const rule = { model: 'rounded-laplace', scale: scalesOfThreshold(threshold).most, threshold } as const;
  const differences = pairs.filter((pair) => isClear(rule, pair)).map(([first, second]) => first - second);
  if (differences.length === 0) return null;
  const scale = estimateScale(rule.model, differences);
  return {
    scale,
    error: STANDARD_ERRORS * standardError(rule.model, scale || rule.scale, differences.length),
    pairs: differences.length,
  };
}

/** What can be known of one table by itself, or from a scale that was recovered from the same table. */
function noiseOfTable(table: ForeignTable, recovered: RecoveredScale | null): TableNoise {
  const { certificate, model, scale, threshold } = table.declared;
  if (certificate) {
    const noise = declaredNoise(certificate);
    return { ...noise, least: noise.scale, most: noise.scale, knownBy: 'certificate' };
  }
  const shown = threshold ?? smallestCount(table) ?? 1;
  const known = { model: model ?? 'rounded-laplace', threshold: shown } as const;
  if (scale !== null) return { ...known, scale, least: scale, most: scale, knownBy: 'declaration' };
  const range = scalesOfThreshold(shown);
  if (recovered && recovered.scale > 0 && table.kind === 'time-location') {
    // An interval that reaches down to 0 is cut: noise has a scale above 0.
    const least = Math.max(recovered.scale / 100, recovered.scale - recovered.error);
    const most = recovered.scale + recovered.error;
    return { ...known, scale: recovered.scale, least, most, knownBy: 'pairs' };
  }
  return { ...known, ...range, scale: Math.sqrt(range.least * range.most), knownBy: 'threshold' };
}

/**
 * The noise of all tables. A scale that pairs have shown in one table gives that of the others: under the rule above
 * scales are to each other as thresholds less one, as long as the tables have the same δ.
 */
export function noisesOf(tables: readonly ForeignTable[], recovered: RecoveredScale | null): Noises {
  const noises = new Map(tables.map((table) => [table.name, noiseOfTable(table, recovered)]));
  const shown = [...noises.values()].find(({ knownBy }) => knownBy === 'pairs');
  if (!shown || shown.threshold === null) return noises;
  const perScale = shown.threshold - 1;
  for (const [name, noise] of noises) {
    if (noise.knownBy !== 'threshold' || noise.threshold === null || perScale <= 0) continue;
    const ratio = (noise.threshold - 1) / perScale;
    const [scale, least, most] = [shown.scale * ratio, shown.least * ratio, shown.most * ratio];
    noises.set(name, { ...noise, scale, least, most, knownBy: 'pairs' });
  }
  return noises;
}
