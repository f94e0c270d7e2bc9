import { literal } from '../../services/sql/duckdb.ts';

/** The quarter hours of a day. */
export const QUARTERS = Array.from({ length: 96 }, (_, quarter) => quarter);

/**
 * How the taps of a day spread over its 96 quarter hours, as weights without unit: two peaks on weekdays, one broad
 * afternoon at weekends, little traffic at night. Invented, in the shape that every city's trips have.
 */
export function dayProfile(weekend: boolean): number[] {
  const peak = (hour: number, centre: number, width: number): number => Math.exp(-(((hour - centre) / width) ** 2));
  return QUARTERS.map((quarter) => {
    const hour = quarter / 4 + 0.125;
    const night = 0.02 + 0.15 * peak(hour, 23.5, 1.5);
    if (weekend) return night + peak(hour, 13.5, 4.5);
    return night + peak(hour, 8.1, 1.0) + 0.3 * peak(hour, 12.8, 3.2) + 0.9 * peak(hour, 17.4, 1.4);
  });
}

/** How many of the entries of a guide table belong to each weight: largest remainders, so that they add up exactly. */
export function apportion(weights: readonly number[], entries: number): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => (weight / total) * entries);
  const counts = shares.map(Math.floor);
  const rest = entries - counts.reduce((sum, count) => sum + count, 0);
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, rest)) counts[index]! += 1;
  return counts;
}

/** Entries of the guide tables; a power of two far above the number of locations. */
export const GUIDE = 65_536;

/** A table guide(place, value) from which place = hash % GUIDE draws a value as often as its weight says. */
export const guideSql = (name: string, values: readonly (string | number)[], weights: readonly number[]): string => {
  const counts = apportion(weights, GUIDE);
  let from = 0;
  const runs = values.map((value, index) => {
    const run = `(${typeof value === 'number' ? value : literal(value)}, ${from}, ${from + counts[index]!})`;
    from += counts[index]!;
    return run;
  });
  return `CREATE TABLE ${name} AS SELECT unnest(range(first, following)) AS place, value
    FROM (VALUES ${runs.join(', ')}) AS runs(value, first, following)`;
};
