import { compare, divide, parseRational, rational, toNumber } from '../../../core/rational/rational.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import { fitOfPossible } from '../../../core/statistics/goodness-of-fit.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import type { SyntheticCertificate } from '../certified-rows.ts';
import type { RoundAmounts } from './synthetic-privacy.ts';
import { SCORE_UNIT, type Transcript } from './transcript.ts';
import { cellsOf, placesInMarginal, queriesOf } from './workload.ts';

/** The domain of made-up rows: all cells, and the first attribute by itself, are asked. */
export const SHADOW_SHAPE = [3, 2] as const;
const MARGINALS = [
  { attributes: [0, 1], ordered: 0 },
  { attributes: [0], ordered: 0 },
];
/** Partitions that are drawn. */
export const SHADOW_DRAWS = 150;
/** Rows of a made-up partition where they are not public: far more than their noise, so that none is cut off at 1. */
const NOISE_WIDTHS = 100n;

type Amounts = Pick<RoundAmounts, 'selection' | 'rowsScale'>;

/**
 * Made-up rows by cell: spread evenly, except for the first cell. It has enough more that its queries are e² times as
 * likely to be chosen first as the others.
 */
export function shadowCounts(rows: number | null, { selection, rowsScale }: Amounts): number[] {
  const cells = cellsOf(SHADOW_SHAPE);
  const usual = rows ?? Number(ceiling(rowsScale ?? rational(1n)) * NOISE_WIDTHS);
  const more = Number(ceiling(divide(rational(4n), selection)));
  return Array.from({ length: cells }, (_, cell) => 1 + Math.floor(usual / cells) + (cell === 0 ? more : 0));
}

const ceiling = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }): bigint =>
  (numerator + denominator - 1n) / denominator;

/**
 * A valid p-value of "made-up rows were drawn as is certified": noise of measurements and of numbers of rows by the
 * exact test of goodness of fit, how often a first choice is of the first cell by the exact law of the count, all of
 * them by Bonferroni. Chances in floating point. 0 when a draw has not as many rounds as are certified.
 */
export function shadowTranscriptsPValue(
  draws: readonly Transcript[],
  rows: number | null,
  certificate: Pick<SyntheticCertificate, 'rounds' | 'rows' | 'selection' | 'measurement'>,
): number {
  const queries = queriesOf(SHADOW_SHAPE, MARGINALS);
  const fits = ({ measurements }: Transcript): boolean =>
    measurements.length === certificate.rounds && measurements.every(({ query }) => query < queries.length);
  if (draws.length < SHADOW_DRAWS || !draws.every(fits)) return 0;
  const selection = parseRational(certificate.selection.epsilon);
  const rowsScale = certificate.rows ? parseRational(certificate.rows.scale) : null;
  if (compare(selection, rational(0n)) <= 0) return 0;
  const counts = shadowCounts(rows, { selection, rowsScale });
  const places = MARGINALS.map((marginal) => placesInMarginal(SHADOW_SHAPE, marginal));
  const sizes = queries.map(({ marginal, from, to }) => {
    const own = [...counts.keys()].filter((cell) => places[marginal]![cell]! >= from && places[marginal]![cell]! < to);
    return { cells: own.length, rows: sum(own.map((cell) => counts[cell]!)), first: own.includes(0) };
  });
  const total = sum(counts);
  const noise = draws.flatMap(({ measurements }) => measurements.map(({ query, value }) => value - sizes[query]!.rows));
  /** Chance that the first choice of a draw is of the first cell: all weights are equal then. */
  const chance = ({ rows: drawn }: Transcript): number => {
    const scores = sizes.map((one) => {
      const estimate = Math.floor((2 * Number(SCORE_UNIT) * drawn * one.cells + counts.length) / (2 * counts.length));
      return Math.abs(estimate / Number(SCORE_UNIT) - one.rows);
    });
    const best = Math.max(...scores);
    const pulls = scores.map((score) => Math.exp((toNumber(selection) * (score - best)) / 2));
    return sum(pulls.filter((_, query) => sizes[query]!.first)) / sum(pulls);
  };
  const hits = draws.filter(({ measurements }) => sizes[measurements[0]!.query]!.first).length;
  return bonferroni([
    noiseFit(noise, toNumber(parseRational(certificate.measurement.scale))),
    countFit(hits, draws.map(chance)),
    rowsScale
      ? noiseFit(
          draws.map((draw) => draw.rows - total),
          toNumber(rowsScale),
        )
      : Number(draws.every((draw) => draw.rows === rows)),
  ]);
}

/** Goodness of fit of draws of discrete Laplace noise, in bins of about the width of the scale. */
function noiseFit(draws: readonly number[], scale: number): number {
  const widths = [-1.5, -0.5, 0.5, 1.5];
  const edges = [...new Set(widths.map((width) => Math.sign(width) * Math.ceil(Math.abs(width * scale))))];
  const reaches = (edge: number | undefined): number =>
    edge === undefined ? 0 : noiseTail('discrete-laplace', scale, edge);
  const chances = [1 - reaches(edges[0]), ...edges.map((edge, place) => reaches(edge) - reaches(edges[place + 1]))];
  const counts = chances.map(() => 0);
  for (const draw of draws) counts[edges.filter((edge) => draw >= edge).length]! += 1;
  return fitOfPossible(counts, chances);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Two-sided p-value of this number of successes of independent trials with these chances, by their exact law. */
function countFit(successes: number, chances: readonly number[]): number {
  let law = [1];
  for (const chance of chances)
    law = [...law, 0].map((p, count) => p * (1 - chance) + (count > 0 ? law[count - 1]! * chance : 0));
  return Math.min(1, 2 * Math.min(sum(law.slice(0, successes + 1)), sum(law.slice(successes))));
}
