import type { Certificate } from '../../../contracts/certificate.ts';
import { compareTable, type JudgedTable, minus, type ShadowDraw } from './drawn-table.ts';
import { binOf, excessBinOf, type NoiseBins, noiseBinsOf, type ShadowNoise, shadowNoise } from './noise-bins.ts';
import { beyondTails } from './noise-tail.ts';
import { appearancesOf, eventTallies } from './shadow-events.ts';
import { countsAboutThreshold, farCount, HIGH_CELLS, type ShadowTable, UNKNOWN } from './shadow-layout.ts';
import { pairTallies } from './shadow-pairs.ts';
import type { NoiseKind, NoiseTally, RunCount, ShadowCounts } from './shadow-tallies.ts';

/**
 * Counts what a mechanism did to synthetic tables (C15): `answers` are what came back of each of them, in their order.
 * Each cell is one run: its noise is drawn for it alone, which the pairs watch over.
 */
export function countShadow(
  certificate: Certificate,
  tables: readonly ShadowTable[],
  answers: readonly JudgedTable[],
): Omit<ShadowCounts, 'interference'> {
  const { scale, threshold, marginScales, leftOutScale } = certificate;
  const kinds = (['time', 'location'] as const).filter((kind) => marginScales[kind] !== undefined);
  const draws = tables.map((table, index) => compareTable(table, answers[index]!, kinds));
  const cells = draws.flatMap(cellsOf);
  const noise = shadowNoise(certificate, scale);
  /** Null for noise that the certificate does not have. */
  const tallyOf = (amount: string | undefined, values: readonly (number | null)[]): NoiseTally | null =>
    amount === undefined ? null : tally(shadowNoise(certificate, amount), values);
  const noiseIn = (kind: NoiseKind) => draws.flatMap((table) => table.noise[kind].flat());
  // What the certificate says of a threshold decides which of them are there whatever the noise.
  const certain = cells.filter(({ count, high }) => high || (threshold === null && count > 0));
  return {
    appearances: [
      ...[...appearancesOf(draws, countsAboutThreshold(certificate))].map(([count, runs]) => ({
        count,
        published: runs,
      })),
      { count: farCount(certificate), published: countRuns(cells.filter(({ high }) => high)) },
    ],
    belowThreshold: threshold === null ? 0 : cells.filter(({ value }) => value !== null && value < threshold).length,
    overThreshold: threshold === null ? null : excesses(cells, threshold, noiseBinsOf(noise.scale)),
    noise: tally(noise, certain.map(noiseOf)),
    zeros: threshold === null ? tally(noise, cells.filter(({ count }) => count === 0).map(noiseOf)) : null,
    margins: {
      time: tallyOf(marginScales.time, noiseIn('time')),
      location: tallyOf(marginScales.location, noiseIn('location')),
      unknown: tallyOf(marginScales.location, draws.flatMap(noiseOfUnknown)),
    },
    leftOut: tallyOf(leftOutScale, noiseIn('leftOut')),
    pairs: pairTallies(draws, certificate),
    events: eventTallies(draws, certificate),
  };
}

type Cell = { count: number; value: number | null; high: boolean };
const cellsOf = ({ counts, published: values }: ShadowDraw): Cell[] =>
  counts.map((count, cell) => ({ count, value: values[cell]!, high: cell < HIGH_CELLS }));

const noiseOf = ({ count, value }: Cell): number | null => minus(value, count);

const countRuns = (cells: readonly Cell[]): RunCount => ({
  events: cells.filter(({ value }) => value !== null).length,
  runs: cells.length,
});

function excesses(cells: readonly Cell[], threshold: number, bins: NoiseBins): number[] {
  const counts = Array<number>(bins.last + 1).fill(0);
  for (const { count, value } of cells)
    if (count === threshold && value !== null && value >= threshold) counts[excessBinOf(bins, value - threshold)]! += 1;
  return counts;
}

const noiseOfUnknown = ({ noise, domain }: ShadowDraw): (number | null)[] =>
  noise.location.map((line) => line[domain.locations.indexOf(UNKNOWN)]!);

function tally(noise: ShadowNoise, values: readonly (number | null)[]): NoiseTally {
  const bins = noiseBinsOf(noise.scale);
  const numbers = values.filter((value) => value !== null);
  const counts = Array<number>(2 * bins.last + 1).fill(0);
  let sumOfSizes = 0;
  for (const value of numbers) {
    counts[binOf(bins, value)]! += 1;
    sumOfSizes += Math.abs(value);
  }
  const beyond = beyondTails(noise, numbers);
  return { bins: counts, sumOfSizes, missing: values.length - numbers.length, beyond };
}
