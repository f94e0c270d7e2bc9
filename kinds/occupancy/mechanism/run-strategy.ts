import type { NoiseSampler } from '../../../core/random/table-sampler.ts';

/** Changes (boardings minus alightings) of consecutive departures whose sum gets noise: from ≤ departure < to. */
export type ChangeSum = { readonly from: number; readonly to: number };

/** Which sums of a run get noise of their own, and which of them make the passenger count at each departure. */
export type RunStrategy = {
  readonly sums: readonly ChangeSum[];
  /** For each departure the places of disjoint sums that cover all changes up to it, all known by then. */
  readonly prefixes: readonly (readonly number[])[];
};

/**
 * A tree in which `arity` children make a parent: each departure's count is made of at most (arity − 1) sums of a
 * level; sums that no count needs are left out. Arity 2 is the binary tree of Chan, Shi, Song 2011 (Private and
 * Continual Release of Statistics) and Dwork, Naor, Pitassi, Rothblum 2010; an arity above the number of departures
 * gives each change noise of its own.
 */
export function treeStrategy(departures: number, arity: number): RunStrategy {
  const places = new Map<string, number>();
  const sums: ChangeSum[] = [];
  const place = (sum: ChangeSum): number => {
    const name = `${sum.from} ${sum.to}`;
    const index = places.get(name) ?? sums.push(sum) - 1;
    places.set(name, index);
    return index;
  };
  const prefixes = Array.from({ length: departures }, (_, departure) => cover(departure + 1, arity).map(place));
  return { sums, prefixes };
}

/** The first `length` changes as sums of powers of the arity, the longest first. */
function cover(length: number, arity: number): ChangeSum[] {
  let size = 1;
  while (size * arity <= length) size *= arity;
  const sums: ChangeSum[] = [];
  for (let from = 0; from < length; from += size) {
    while (from + size > length) size /= arity;
    sums.push({ from, to: from + size });
  }
  return sums;
}

/**
 * D1 of unit `ride`: the most that all sums together change with one ride. Added or removed, it is one boarding at i
 * and one alighting at j ≥ i, or one of the two alone when the other is not seen or is clamped away: max over i ≤ j of
 * ‖A(e_i − e_j)‖₁ and of ‖A·e_i‖₁. Proof: run-strategy.proof.md. Cost: O(departures² ·
 * depth).
 *
 * @contract ride-sensitivity
 */
export function rideChange({ sums }: Pick<RunStrategy, 'sums'>, departures: number): number {
  const columns = Array.from({ length: departures }, (_, departure) =>
    sums.filter(({ from, to }) => from <= departure && departure < to),
  );
  let most = 0;
  for (const [first, boarding] of columns.entries()) {
    most = Math.max(most, boarding.length);
    for (const alighting of columns.slice(first + 1)) {
      const both = boarding.filter((sum) => alighting.includes(sum)).length;
      most = Math.max(most, boarding.length + alighting.length - 2 * both);
    }
  }
  return most;
}

/** The tree whose counts have the least mean variance at the same ε; of equal ones the one with the smaller arity. */
export function bestTree(departures: number): RunStrategy & { readonly arity: number } {
  const trees = Array.from({ length: departures }, (_, place) => place + 2).map((arity) => ({
    arity,
    ...treeStrategy(departures, arity),
  }));
  // Of m independent noises with a scale in proportion to D1 the variance is in proportion to m·D1².
  const variance = (tree: RunStrategy) =>
    rideChange(tree, departures) ** 2 * tree.prefixes.reduce((sum, { length }) => sum + length, 0);
  return trees.reduce((best, tree) => (variance(tree) < variance(best) ? tree : best));
}

/**
 * The noisy passenger count at each departure: each sum of changes gets one draw, which stays in all counts that it is
 * part of. Not clamped, and they may be negative. The noise has the scale D1/ε of the whole run.
 */
export function noisyCounts(
  strategy: RunStrategy,
  changes: readonly number[],
  noise: Pick<NoiseSampler, 'draw'>,
): number[] {
  const noisy = strategy.sums.map(({ from, to }) => total(changes.slice(from, to)) + noise.draw());
  return strategy.prefixes.map((places) => total(places.map((place) => noisy[place]!)));
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
