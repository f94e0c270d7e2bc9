import { exactCoins } from '../../../core/random/coins.ts';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';
import { exponentialChoice } from './exponential-choice.ts';
import type { RoundAmounts } from './synthetic-privacy.ts';
import { type Fit, fitOf } from './weights.ts';
import {
  accumulate,
  cellsOfMarginal,
  type DomainShape,
  type Marginal,
  placesInMarginal,
  type Query,
  queriesOf,
} from './workload.ts';

/** What is public of a draw before anything is drawn. */
export type SyntheticPlan = {
  shape: DomainShape;
  marginals: readonly Marginal[];
  rounds: number;
  passes: number;
  /** Rows that the partition is taken to have, from public knowledge; null when they are measured first. */
  rows: number | null;
};

/** All that a draw reveals: every number that is published is a function of it and of the plan. */
export type Transcript = {
  /** Rows that the weights stand for. */
  rows: number;
  /** By round: which query of the workload was chosen, and its rows with noise. */
  measurements: { query: number; value: number }[];
};

/** The random steps of a draw. Handed in, so that tests enumerate them. */
export type SyntheticChoices = {
  /** Noise of the number of rows. */
  rows(): number;
  /** Chooses a query by the scores of all; whole numbers of 1/SCORE_UNIT rows. */
  choose(scores: Float64Array): number;
  /** Noise of the chosen query. */
  noise(): number;
};

/** Scores are whole numbers of a 64th of a row. */
export const SCORE_UNIT = 64n;
/** Weights stand for at most this many rows. */
export const MOST_ROWS = 1_000_000_000;

/** Exact random steps from random bits, by the amounts of a certificate. @contract C7 */
export function exactChoices(amounts: RoundAmounts, source: RandomSource): SyntheticChoices {
  const noise = discreteLaplace(amounts.measurementScale, source);
  const rows = amounts.rowsScale && discreteLaplace(amounts.rowsScale, source);
  const coins = exactCoins(source);
  return {
    rows: () => rows!.draw(),
    choose: (scores) => exponentialChoice(scores, SCORE_UNIT, amounts.selection, coins),
    noise: () => noise.draw(),
  };
}

/**
 * MWEM (Hardt, Ligett, McSherry 2012, Figure 1; Oppermann (ed.) 2019, Figure 24) on the exact counts of all cells: in
 * each round the query whose rows the weights are farthest from is chosen with the exponential mechanism, measured
 * with noise, and fitted. What it loses of one row is proved in transcript.proof.md.
 *
 * Cost: rounds · (queries + marginals · cells), and that of the fit.
 */
export function drawTranscript(plan: SyntheticPlan, counts: ArrayLike<number>, choices: SyntheticChoices): Transcript {
  const { shape, marginals, rounds } = plan;
  const queries = queriesOf(shape, marginals);
  const places = marginals.map((marginal) => placesInMarginal(shape, marginal));
  const sumsOf = (cells: ArrayLike<number>): Float64Array[] =>
    marginals.map((marginal, number) => accumulate(cells, places[number]!, cellsOfMarginal(shape, marginal)));
  const exact = sumsOf(counts);
  const rows = plan.rows ?? clampRows(exact[0]!.at(-1)! + choices.rows());
  const fit = fitOf(shape, marginals, { rows, passes: plan.passes });
  const measurements: Transcript['measurements'] = [];
  for (let round = 0; round < rounds; round += 1) {
    const scores = scoresOf(queries, exact, sumsOf(fit.weights), rows, fit.total());
    const query = choices.choose(scores);
    const value = rowsIn(exact, queries[query]!) + choices.noise();
    measurements.push({ query, value });
    if (round + 1 < rounds) fit.add({ query: queries[query]!, value });
  }
  return { rows, measurements };
}

const clampRows = (rows: number): number => Math.min(Math.max(rows, 1), MOST_ROWS);

const rowsIn = (sums: readonly Float64Array[], { marginal, from, to }: Query): number =>
  sums[marginal]![to]! - sums[marginal]![from]!;

/** |rows by the weights − rows|, in 1/SCORE_UNIT rows; what the weights say is rounded before the two are compared. */
function scoresOf(
  queries: readonly Query[],
  exact: readonly Float64Array[],
  sums: readonly Float64Array[],
  rows: number,
  total: number,
): Float64Array {
  const [over, under] = [2n * SCORE_UNIT * BigInt(rows), 2n * BigInt(total)];
  return Float64Array.from(queries, (query) => {
    const estimate = Number((over * BigInt(rowsIn(sums, query)) + BigInt(total)) / under);
    return Math.abs(estimate - Number(SCORE_UNIT) * rowsIn(exact, query));
  });
}

/**
 * The weights that follow from a transcript. Throws RangeError when it names a query that the workload does not have.
 */
export function fitOfTranscript(
  { shape, marginals, passes }: Pick<SyntheticPlan, 'shape' | 'marginals' | 'passes'>,
  { rows, measurements }: Transcript,
): Fit {
  const queries = queriesOf(shape, marginals);
  const fit = fitOf(shape, marginals, { rows, passes });
  for (const { query, value } of measurements) {
    const question = queries[query];
    if (question === undefined) throw new RangeError(`the workload has no query ${query}`);
    fit.add({ query: question, value });
  }
  return fit;
}
