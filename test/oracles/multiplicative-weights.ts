/** MWEM in floating point, as Figure 24 of Oppermann (ed.) 2019 has it, with choices and noise that are handed in. */
export type FigureStep = { scores: number[]; chances: number[]; measurement: number; weights: number[] };

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, place) => sum + x * b[place]!, 0);

export function figure24(
  data: readonly number[],
  queries: readonly (readonly number[])[],
  epsilon: number,
  taken: readonly { query: number; noise: number }[],
): FigureStep[] {
  const n = data.reduce((sum, rows) => sum + rows, 0);
  let weights = data.map(() => n / data.length);
  return taken.map(({ query, noise }) => {
    const scores = queries.map((one) => Math.abs(dot(one, weights) - dot(one, data)));
    const pulls = scores.map((score) => Math.exp(((epsilon / (2 * taken.length)) * score) / 2));
    const all = pulls.reduce((sum, pull) => sum + pull, 0);
    const measurement = dot(queries[query]!, data) + noise;
    const step = (measurement - dot(queries[query]!, weights)) / (2 * n);
    const raised = weights.map((weight, cell) => weight * Math.exp(queries[query]![cell]! * step));
    const total = raised.reduce((sum, weight) => sum + weight, 0);
    weights = raised.map((weight) => (weight * n) / total);
    return { scores, chances: pulls.map((pull) => pull / all), measurement, weights };
  });
}

/** KL divergence in bits of two histograms, each by its own total. */
export function divergenceBits(from: readonly number[], to: readonly number[]): number {
  const share = (cells: readonly number[]): number[] => {
    const total = cells.reduce((sum, rows) => sum + rows, 0);
    return cells.map((rows) => rows / total);
  };
  const [p, q] = [share(from), share(to)];
  return p.reduce((bits, chance, cell) => bits + (chance === 0 ? 0 : chance * Math.log2(chance / q[cell]!)), 0);
}
