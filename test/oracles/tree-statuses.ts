/** One noisy number for the changes of the departures from ≤ departure < to; asked once for each node of a tree. */
export type NodeNoise = () => number;

/**
 * The statuses of a run by the tree of Chan, Shi, Song 2011 (Private and Continual Release of Statistics), with any
 * number of children a parent: departure d has the noisy nodes of the digits of d + 1, the highest first, and its status
 * is the last category that begins at or below their sum. Nodes get their noise in the order in which they are needed.
 */
export function treeStatusesByDigits(
  changes: readonly number[],
  arity: number,
  minimumCounts: readonly number[],
  noise: NodeNoise,
): number[] {
  const nodes = new Map<string, number>();
  return changes.map((_, departure) => {
    let [sum, from, rest] = [0, 0, departure + 1];
    for (let size = arity ** Math.floor(Math.log(departure + 1.5) / Math.log(arity)); rest > 0; size /= arity) {
      for (; rest >= size; rest -= size) {
        const name = `${from} ${size}`;
        const noisy = nodes.get(name) ?? changes.slice(from, from + size).reduce((all, one) => all + one, 0) + noise();
        nodes.set(name, noisy);
        sum += noisy;
        from += size;
      }
    }
    return minimumCounts.filter((minimum, place) => place === 0 || minimum <= sum).length - 1;
  });
}
