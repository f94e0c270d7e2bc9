/**
 * How the taps of a day spread over its 96 quarter hours, as weights without unit: two peaks on weekdays, one broad
 * afternoon at weekends, little traffic at night. Invented, in the shape that every city's trips have.
 */
export function dayProfile(weekend: boolean): number[] {
  const peak = (hour: number, centre: number, width: number): number => Math.exp(-(((hour - centre) / width) ** 2));
  return Array.from({ length: 96 }, (_, quarter) => {
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
  const missing = entries - counts.reduce((sum, count) => sum + count, 0);
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, missing)) counts[index]! += 1;
  return counts;
}

/** A table to draw from with one integer: entry n holds the index of a weight, as often as its share of the entries. */
export const guideTable = (weights: readonly number[], entries: number): number[] =>
  apportion(weights, entries).flatMap((count, index) => Array<number>(count).fill(index));
