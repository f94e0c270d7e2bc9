import type { RandomSource } from '../../core/random/random-source.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import { isPublished } from '../../counts/mechanisms/publish-decision.ts';
import type { Tap } from '../../counts/tables/tap-tables.ts';
import type { MarginRow, PrivatizedCell } from '../support/table-of-rows.ts';

/** Scale of the noise and real threshold of one table of the 2017 release. */
export type SbhParameters = { readonly scale: number; readonly threshold: number };

/** Parameters of the three tables that are drawn for each tap; null for a table that is not. */
export type SbhTables<T> = { timeLocation: T; time: T; location: T };

/** Rows as the 2017 release has them, in lexicographic order. */
export type SbhRelease = { timeLocation: PrivatizedCell[]; time: MarginRow[]; location: MarginRow[] };

/** b = 2/ε and t = b·ln(2/δ) + 1 for a table with shares ε and δ (Asghar, Tyler and Kaafar 2018, Algorithm 1). */
export function sbhParameters(epsilon: number, delta: number): SbhParameters {
  const scale = 2 / epsilon;
  return { scale, threshold: scale * Math.log(2 / delta) + 1 };
}

/**
 * The algorithm of the 2017 release, to reproduce and attack it: a count c > 0 gets real Laplace noise L; if c + L
 * reaches the real threshold, it is published rounded half up. Comparison comes first and rounding after, so the
 * smallest published integer is the threshold rounded. Every table is drawn from the exact counts again, each tap
 * separately: up to six independent tables. Its certificate is for ideal real noise; floating-point noise is not that,
 * and nothing drawn here is ever released (C8).
 *
 * @contract C8
 */
export function sbh2017(
  counts: readonly CellCount[],
  parameters: SbhTables<SbhParameters | null>,
  random: RandomSource,
): SbhRelease {
  return {
    timeLocation: drawTable(counts, ([tap, time, location]) => [tap, time, location], parameters.timeLocation, random),
    time: drawTable(counts, ([tap, time]) => [tap, time], parameters.time, random),
    location: drawTable(counts, ([tap, , location]) => [tap, location], parameters.location, random),
  };
}

function drawTable<Key extends [Tap, ...string[]]>(
  counts: readonly CellCount[],
  keyOf: (count: CellCount) => Key,
  parameters: SbhParameters | null,
  random: RandomSource,
): [...Key, number][] {
  if (parameters === null) return [];
  const totals = new Map<string, { key: Key; total: number }>();
  for (const cell of counts) {
    const key = keyOf(cell);
    const name = key.join('\u0000');
    const total = totals.get(name)?.total ?? 0;
    totals.set(name, { key, total: total + cell[3] });
  }
  // The separator sorts before every character of a key, so names are in lexicographic order of keys.
  const names = [...totals.keys()].sort();
  return names.flatMap((name): [...Key, number][] => {
    const { key, total } = totals.get(name)!;
    const noisyTotal = total + realLaplace(parameters.scale, random);
    return isPublished(noisyTotal, parameters.threshold) ? [[...key, Math.floor(noisyTotal + 0.5)]] : [];
  });
}

/** Laplace noise by inversion of a uniform number with 53 bits, never 0, in floating point: not for anything released. */
function realLaplace(scale: number, random: RandomSource): number {
  const uniform = ((random.uint32() >>> 6) * 2 ** 27 + (random.uint32() >>> 5) + 0.5) * 2 ** -53;
  const magnitude = -scale * Math.log(uniform);
  return random.uint32() & 1 ? magnitude : -magnitude;
}
