import { describe, expect, test } from 'vitest';
import type { Neighbours } from '../../contracts/certificate.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { parseRational, type Rational, toNumber } from '../rational/rational.ts';
import { noiseProbability } from '../statistics/noise-law.ts';
import { type RoundAmounts, roundAmounts } from './synthetic-privacy.ts';
import {
  drawTranscript,
  exactChoices,
  fitOfTranscript,
  MOST_ROWS,
  SCORE_UNIT,
  type SyntheticChoices,
  type SyntheticPlan,
  type Transcript,
} from './transcript.ts';
import { placesInMarginal, queriesOf } from './workload.ts';

/** Two attributes of two values; all cells, and each attribute by itself. */
const PLAN: SyntheticPlan = {
  shape: [2, 2],
  marginals: [
    { attributes: [0], ordered: 0 },
    { attributes: [1, 0], ordered: 0 },
  ],
  rounds: 2,
  passes: 1,
  rows: 3,
};

const amountsOf = (neighbours: Neighbours, epsilon: string, rounds: number): RoundAmounts =>
  roundAmounts({
    neighbours,
    epsilon: parseRational(epsilon),
    partitions: 1,
    rounds,
    rowsShare: neighbours === 'add-remove' ? parseRational('1/4') : null,
  });

type Draw = (plan: SyntheticPlan, counts: readonly number[], choices: SyntheticChoices) => Transcript;
type Law = ReadonlyMap<string, number>;

/** Measured values and numbers of rows that are followed; all others are left out of both laws alike. */
const VALUES = [-1, 0, 1, 3];

/** What each round needs to be told so that it measures a value. */
function rowsOfQueries({ shape, marginals }: SyntheticPlan, counts: readonly number[]): number[] {
  const places = marginals.map((marginal) => placesInMarginal(shape, marginal));
  return queriesOf(shape, marginals).map(({ marginal, from, to }) =>
    counts.reduce((sum, rows, cell) => {
      const place = places[marginal]![cell]!;
      return place >= from && place < to ? sum + rows : sum;
    }, 0),
  );
}

/** P[transcript] of every transcript with values in VALUES, by running the function for each of them. */
function lawOf(draw: Draw, plan: SyntheticPlan, counts: readonly number[], amounts: RoundAmounts): Law {
  const exact = rowsOfQueries(plan, counts);
  const total = counts.reduce((sum, rows) => sum + rows, 0);
  const scale = toNumber(amounts.measurementScale);
  const law = new Map<string, number>();
  const visit = (rows: number, taken: readonly { query: number; value: number }[]): void => {
    if (taken.length < plan.rounds) {
      for (const query of exact.keys()) for (const value of VALUES) visit(rows, [...taken, { query, value }]);
      return;
    }
    let [round, chance] = [0, 1];
    const choices: SyntheticChoices = {
      rows: () => {
        const noise = rows - total;
        chance *= noiseProbability('discrete-laplace', toNumber(amounts.rowsScale!), noise);
        return noise;
      },
      choose: (scores) => {
        const { query } = taken[round]!;
        const pulls = [...scores].map((score) =>
          Math.exp((toNumber(amounts.selection) * score) / (2 * Number(SCORE_UNIT))),
        );
        chance *= pulls[query]! / pulls.reduce((sum, pull) => sum + pull, 0);
        return query;
      },
      noise: () => {
        const { query, value } = taken[round]!;
        round += 1;
        const noise = value - exact[query]!;
        chance *= noiseProbability('discrete-laplace', scale, noise);
        return noise;
      },
    };
    const told = draw(plan, counts, choices);
    const name = JSON.stringify(told);
    law.set(name, (law.get(name) ?? 0) + chance);
  };
  for (const rows of plan.rows === null ? VALUES : [0]) visit(rows, []);
  return law;
}

/** Σ max(0, P − e^ε·Q), less what rounding can make. */
const hockeyStick = (p: Law, q: Law, epsilon: number): number =>
  [...p].reduce((sum, [name, chance]) => {
    const over = chance - Math.exp(epsilon) * (q.get(name) ?? 0);
    return over > 1e-13 * chance ? sum + over : sum;
  }, 0);

/** Histograms of up to three rows, and each with one row replaced, or one more. */
const DATA = [
  [3, 0, 0, 0],
  [0, 2, 0, 1],
];
const neighboursOf: Record<Neighbours, (counts: readonly number[]) => number[][]> = {
  'replace-one': (counts) =>
    counts.flatMap((rows, from) =>
      rows === 0 ? [] : [...counts.keys()].flatMap((to) => (to === from ? [] : [moved(counts, from, to)])),
    ),
  'add-remove': (counts) => [...counts.keys()].map((cell) => counts.with(cell, counts[cell]! + 1)),
};
const moved = (counts: readonly number[], from: number, to: number): number[] =>
  counts.map((rows, cell) => rows + Number(cell === to) - Number(cell === from));

/** The greatest hockey stick at ε between neighbours, in both directions. */
function worst(
  draw: Draw,
  neighbours: Neighbours,
  plan: SyntheticPlan,
  amounts: RoundAmounts,
  epsilon: number,
): number {
  let most = 0;
  for (const counts of DATA) {
    const law = lawOf(draw, plan, counts, amounts);
    for (const other of neighboursOf[neighbours](counts)) {
      const near = lawOf(draw, plan, other, amounts);
      most = Math.max(most, hockeyStick(law, near, epsilon), hockeyStick(near, law, epsilon));
    }
  }
  return most;
}

describe('C8: what a draw loses of one row, of every transcript', () => {
  const one = { ...PLAN, rounds: 1 };
  test.each([
    ['replace-one', PLAN, '2'],
    ['add-remove', { ...one, rows: null }, '2'],
  ] as const)('%s: nothing beyond ε, and something at half of it', (neighbours, plan, text) => {
    const amounts = amountsOf(neighbours, text, plan.rounds);
    expect(worst(drawTranscript, neighbours, plan, amounts, toNumber(parseRational(text)))).toBe(0);
    expect(worst(drawTranscript, neighbours, plan, amounts, toNumber(parseRational(text)) / 2)).toBeGreaterThan(1e-4);
  });

  const amounts = amountsOf('replace-one', '2', 1);
  test('broken twin: a score that is twice the distance loses more', () => {
    const doubled: Draw = (plan, counts, choices) =>
      drawTranscript(plan, counts, {
        ...choices,
        choose: (scores) => choices.choose(scores.map((score) => 4 * score)),
      });
    expect(worst(doubled, 'replace-one', one, amounts, 2)).toBeGreaterThan(1e-4);
  });

  test('broken twin: noise of half the scale loses more', () => {
    const half: RoundAmounts = { ...amounts, measurementScale: halved(amounts.measurementScale) };
    expect(worst(drawTranscript, 'replace-one', one, half, 2)).toBeGreaterThan(1e-4);
  });

  test('broken twin: weights that begin at the data lose more', () => {
    const peeking: Draw = (plan, counts, choices) =>
      drawTranscript({ ...plan, rows: 1 + 40 * counts[0]! }, counts, choices);
    expect(worst(peeking, 'replace-one', one, amounts, 2)).toBeGreaterThan(1e-4);
  });

  const halved = ({ numerator, denominator }: Rational): Rational => ({ numerator, denominator: 2n * denominator });
});

describe('a draw', () => {
  const amounts = amountsOf('add-remove', '8', 6);
  const plan: SyntheticPlan = { ...PLAN, rounds: 6, passes: 4, rows: null };
  const draw = (counts: readonly number[], seed: number): Transcript =>
    drawTranscript(plan, counts, exactChoices(amounts, seededSource(seed)));

  test('finds the rows, and where they are', () => {
    const counts = [4000, 0, 0, 1000];
    const transcript = draw(counts, 1);
    expect(Math.abs(transcript.rows - 5000)).toBeLessThan(100);
    expect(transcript.measurements).toHaveLength(6);
    const fit = fitOfTranscript({ ...plan, passes: 100 }, transcript);
    const share = fit.weights.map((weight) => (weight / fit.total()) * transcript.rows);
    for (const [cell, rows] of counts.entries()) expect(Math.abs(share[cell]! - rows)).toBeLessThan(150);
  });

  test('of a partition without rows is a draw like every other', () => {
    const transcript = draw([0, 0, 0, 0], 2);
    expect(transcript.rows).toBeGreaterThanOrEqual(1);
    expect(transcript.rows).toBeLessThanOrEqual(MOST_ROWS);
    expect(transcript.measurements).toHaveLength(6);
  });

  test('C20: a row more with noise that makes up for it tells the same', () => {
    const choices = (more: number): SyntheticChoices => {
      let round = 0;
      return { rows: () => -more, choose: () => [0, 2][round++ % 2]!, noise: () => -more };
    };
    const before = drawTranscript(plan, [5, 1, 0, 2], choices(0));
    expect(drawTranscript(plan, [6, 1, 0, 2], choices(1))).toEqual(before);
    expect(drawTranscript(plan, [6, 1, 0, 2], choices(0))).not.toEqual(before);
  });

  test('of another seed is another one; a query that is not there is refused', () => {
    const transcript = draw([4000, 0, 0, 1000], 1);
    expect(draw([4000, 0, 0, 1000], 3)).not.toEqual(transcript);
    const stranger = { ...transcript, measurements: [{ query: 6, value: 1 }] };
    expect(() => fitOfTranscript(plan, stranger)).toThrow(RangeError);
  });
});
