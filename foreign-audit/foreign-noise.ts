import { type EqualPair, isClear } from '../core/statistics/pair-laws.ts';
import { certainNoise, type TableNoise } from '../counts/audit/checks/declared-noise.ts';
import { estimateScale, INTERVAL, standardError } from '../counts/audit/checks/scale.ts';
import { type ForeignTable, pickDrawnRows } from './foreign-table.ts';

/** A table with its noise as well as it can be known. */
export type NoisyTable = ForeignTable & { noise: TableNoise };

/** A scale that was estimated from pairs, how far off it can be, and how many pairs there were. */
export type RecoveredScale = { scale: number; error: number; pairs: number };

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
  pickDrawnRows(table).reduce<number | null>((least, { count }) => Math.min(least ?? count, count), null);

/** The scale from pairs of equal truth that are clear of the threshold; null when there are none. */
export function recoverScale(threshold: number, pairs: readonly EqualPair[]): RecoveredScale | null {
  const rule = { model: 'rounded-laplace', scale: scalesOfThreshold(threshold).most, threshold } as const;
  const differences = pairs.filter((pair) => isClear(rule, pair)).map(([first, second]) => first - second);
  if (differences.length === 0) return null;
  const scale = estimateScale(rule.model, differences);
  return {
    scale,
    error: INTERVAL * standardError(rule.model, scale || rule.scale, differences.length),
    pairs: differences.length,
  };
}

type Known = Pick<TableNoise, 'model' | 'threshold' | 'scale' | 'least' | 'most' | 'knownBy'>;

/** With what decides whether a cell appears: its noisy value is compared with the threshold. */
const withRules = (noise: Known): TableNoise => {
  const ruleAt = (scale: number) => ({ model: noise.model, scale, threshold: noise.threshold });
  return { ...noise, appears: { least: ruleAt(noise.least), most: ruleAt(noise.most) } };
};

/** What can be known of one table by itself, or from a scale that was recovered from the same table. */
function noiseOfTable(table: ForeignTable, estimate: RecoveredScale | null): TableNoise {
  const { certificate, model, scale, threshold: declared } = table.declared;
  if (certificate) return certainNoise(certificate);
  const threshold = declared ?? smallestCount(table) ?? 1;
  const base = { model: model ?? 'rounded-laplace', threshold } as const;
  if (scale !== null) return withRules({ ...base, scale, least: scale, most: scale, knownBy: 'declaration' });
  if (estimate && estimate.scale > 0 && table.kind === 'time-location') {
    const { scale: found, error } = estimate;
    // An interval that reaches down to 0 is cut: noise has a scale above 0.
    const least = Math.max(found / 100, found - error);
    return withRules({ ...base, scale: found, least, most: found + error, knownBy: 'pairs' });
  }
  const range = scalesOfThreshold(threshold);
  return withRules({ ...base, ...range, scale: Math.sqrt(range.least * range.most), knownBy: 'threshold' });
}

/**
 * All tables with their noise. A scale that pairs have shown in one table gives that of the others: under the rule above
 * scales are to each other as thresholds less one, as long as the tables have the same δ.
 */
export function withNoise(tables: readonly ForeignTable[], estimate: RecoveredScale | null): NoisyTable[] {
  const noisy = tables.map((table) => ({ ...table, noise: noiseOfTable(table, estimate) }));
  const reference = noisy.find(({ noise }) => noise.knownBy === 'pairs')?.noise;
  if (!reference || reference.threshold === null || reference.threshold <= 1) return noisy;
  const perScale = reference.threshold - 1;
  return noisy.map((table) => {
    const { knownBy, threshold } = table.noise;
    if (knownBy !== 'threshold' || threshold === null) return table;
    const ratio = (threshold - 1) / perScale;
    const [scale, least, most] = [reference.scale * ratio, reference.least * ratio, reference.most * ratio];
    return { ...table, noise: withRules({ ...table.noise, scale, least, most, knownBy: 'pairs' }) };
  });
}
