import { describe, expect, test } from 'vitest';
import type { Neighbours } from '../../../contracts/certificate.ts';
import { parseRational, type Rational, toNumber } from '../../../core/rational/rational.ts';
import { goodnessOfFit } from '../../../core/statistics/goodness-of-fit.ts';
import { noiseProbability } from '../../../core/statistics/noise-law.ts';
import { figure24 } from '../../../test/oracles/multiplicative-weights.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
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

/** The rows that each query covers. */
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

describe('a draw of the size of a release', () => {
  /** Hours, places and fares: 1,440 cells, most of them empty, of as many rows as weights may stand for. */
  const shape = [24, 30, 2];
  const marginals = [
    { attributes: [2, 0], ordered: 23 },
    { attributes: [2, 1], ordered: 0 },
  ];
  const plan: SyntheticPlan = { shape, marginals, rounds: 12, passes: 0, rows: MOST_ROWS };
  const queries = queriesOf(shape, marginals);
  const cell = (hour: number, place: number, fare: number): number => (hour * 30 + place) * 2 + fare;
  const counts = new Array<number>(1440).fill(0);
  for (let hour = 0; hour < 24; hour += 1)
    for (const place of [0, 1, hour]) counts[cell(hour, place, hour % 2)]! += 1_000_003 * (hour + place);
  counts[cell(8, 5, 0)]! += MOST_ROWS - counts.reduce((sum, rows) => sum + rows, 0);
  /** Other cells, with as many rows in every query: two are empty that were not, and two that were are not. */
  const exchanged = counts.slice();
  const [one, other] = [cell(4, 4, 0), cell(6, 6, 0)];
  const rows = Math.min(counts[one]!, counts[other]!);
  for (const [place, change] of [
    [one, -rows],
    [other, -rows],
    [cell(4, 6, 0), rows],
    [cell(6, 4, 0), rows],
  ] as const)
    exchanged[place]! += change;

  /** Queries all over the workload, as no score would choose them, and some noise. */
  const taken = Array.from({ length: plan.rounds }, (_, round) => ({
    query: (37 * round + 11) % queries.length,
    noise: 1000 * round - 5003,
  }));
  function drawn(data: readonly number[], passes: number) {
    const scores: number[][] = [];
    let noises = 0;
    const choices: SyntheticChoices = {
      rows: () => 0,
      choose: (all) => taken[scores.push([...all]) - 1]!.query,
      noise: () => taken[noises++]!.noise,
    };
    return { transcript: drawTranscript({ ...plan, passes }, data, choices), scores };
  }

  test('C18: is that of Figure 24 with the same choices and the same noise', () => {
    const exact = rowsOfQueries(plan, counts);
    const { transcript, scores } = drawn(counts, plan.passes);
    expect(queries.length).toBeGreaterThan(128);
    expect(transcript.measurements).toEqual(taken.map(({ query, noise }) => ({ query, value: exact[query]! + noise })));
    const places = marginals.map((marginal) => placesInMarginal(shape, marginal));
    const vectors = queries.map(({ marginal, from, to }) =>
      counts.map((_, at) => Number(places[marginal]![at]! >= from && places[marginal]![at]! < to)),
    );
    for (const [round, step] of figure24(counts, vectors, 1, taken).entries())
      for (const [query, score] of step.scores.entries()) {
        // Before anything was fitted a score is exact; each step rounds weights to 22 bits.
        const error = round === 0 ? 0.01 : round * plan.rows! * 2 ** -21;
        expect(Math.abs(scores[round]![query]! / Number(SCORE_UNIT) - score)).toBeLessThan(error);
      }
  });

  test('C8: sees the data through its queries alone: of the same answers it is the same, whichever cells are empty', () => {
    expect(rows).toBeGreaterThan(0);
    expect(counts.filter((count) => count === 0)).not.toEqual([]);
    expect(rowsOfQueries(plan, exchanged)).toEqual(rowsOfQueries(plan, counts));
    for (const passes of [0, 2]) expect(drawn(exchanged, passes)).toEqual(drawn(counts, passes));
  });

  test('C7: its first choice has the law of the exponential mechanism, by the scores of all queries', () => {
    const few = { ...plan, rounds: 1, rows: 1000 };
    const data = counts.map((_, at) => (at % 100 === 0 ? 66 : 0));
    const amounts = amountsOf('replace-one', '1/100', 1);
    const scores: number[] = [];
    const first = { rows: () => 0, choose: (all: Float64Array) => scores.push(...all) * 0, noise: () => 0 };
    drawTranscript(few, data, first);
    const pulls = scores.map((score) => Math.exp((toNumber(amounts.selection) * score) / (2 * Number(SCORE_UNIT))));
    const all = pulls.reduce((sum, pull) => sum + pull, 0);
    const choices = exactChoices(amounts, seededSource(7));
    const seen = queries.map(() => 0);
    for (let draw = 0; draw < 1000; draw += 1) seen[drawTranscript(few, data, choices).measurements[0]!.query]! += 1;
    // Sixteen groups of queries; the best one is in the first.
    const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
    const grouped = (values: readonly number[]): number[] =>
      Array.from({ length: 16 }, (_, group) =>
        order
          .filter((_, at) => Math.floor((16 * at) / order.length) === group)
          .reduce((sum, at) => sum + values[at]!, 0),
      );
    expect(goodnessOfFit(grouped(seen), grouped(pulls.map((pull) => pull / all)))).toBeGreaterThan(1e-4);
  });
});
