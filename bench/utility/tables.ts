import type { TopLevelSpec } from 'vega-lite';
import { markdownTable } from '../measuring.ts';
import type { Comparison, Outcome, Spread } from './comparison.ts';
import { SAME_DRAW } from './designs.ts';

/** Digits after the point: three in all, as far as they say something. */
const digitsOf = (size: number): number => (size >= 10 ? 1 : size >= 1 ? 2 : 3);

/** `58.2 %`, with more digits for small ones: `0.047 %`, and `0 %` for what rounds to nothing. */
function percent({ mean }: Spread): string {
  const size = Math.abs(100 * mean);
  return size < 0.0005 ? '0 %' : `${(100 * mean).toFixed(digitsOf(size)).replace('-', '−')} %`;
}

/** A percentage with its sign: `+1.84 %`, `−41.6 %`. */
function signedPercent(spread: Spread): string {
  const text = percent(spread);
  return spread.mean > 0 && text !== '0 %' ? `+${text}` : text;
}

/** `58.2 % ± 0.02`: the standard deviation of one draw, in percent, to one digit more. */
const withDeviation = (spread: Spread, write = percent): string =>
  `${write(spread)} ± ${(100 * spread.deviation).toFixed(digitsOf(Math.abs(100 * spread.mean)) + 1)}`;

const whole = (count: number): string => Math.round(count).toLocaleString('en-GB');
const size = ({ mean }: Spread): string => mean.toFixed(2);

type Column = [heading: string, text: (outcome: Outcome) => string];

const CELL_COLUMNS: Column[] = [
  ['taps in fine cells', ({ figures }) => withDeviation(figures.inCells)],
  ['in hour rows', ({ figures, design }) => (design.certificate.hours ? withDeviation(figures.inHours) : '–')],
  ['cells published', ({ figures }) => whole(figures.cellsPublished.mean)],
  ['published: mean error', ({ figures }) => size(figures.publishedMean)],
  ['RMS', ({ figures }) => size(figures.publishedRoot)],
  ['with taps: mean error', ({ figures }) => size(figures.withTapsMean)],
  ['RMS', ({ figures }) => size(figures.withTapsRoot)],
  ['taps shown where none is', ({ figures }) => whole(figures.tapsFromNothing.mean)],
];

const TOTAL_COLUMNS: Column[] = [
  ['times: bias', ({ figures }) => withDeviation(figures.timeBias, signedPercent)],
  ['error, a day', ({ figures }) => withDeviation(figures.timeError)],
  ['error, the week', ({ figures }) => withDeviation(figures.timeErrorOfWindow)],
  ['locations: bias', ({ figures }) => withDeviation(figures.locationBias, signedPercent)],
  ['error, a day', ({ figures }) => withDeviation(figures.locationError)],
  ['error, the week', ({ figures }) => withDeviation(figures.locationErrorOfWindow)],
];

const SUMMARY_COLUMNS: Column[] = [
  ['taps in fine cells', ({ figures }) => percent(figures.inCells)],
  ['bias of location totals', ({ figures }) => signedPercent(figures.locationBias)],
  ['error of time totals, a day', ({ figures }) => percent(figures.timeError)],
  ['error of location totals, a day', ({ figures }) => percent(figures.locationError)],
];

/** One table for each comparison, below its title. */
const tables = (
  comparisons: readonly Comparison[],
  columns: Column[],
  isShown: (one: Outcome) => boolean = () => true,
) =>
  comparisons
    .map(({ data, unit, outcomes }) => {
      const rows = outcomes.filter(isShown).map((one) => [one.name, ...columns.map(([, text]) => text(one))]);
      return `**${data}, one ${unit}**\n\n${markdownTable(['design', ...columns.map(([heading]) => heading)], rows)}`;
    })
    .join('\n\n');

const isDraw = ({ name }: Outcome): boolean => name !== SAME_DRAW;
const namesOf = ([first]: readonly Comparison[]): string[] => first!.outcomes.map(({ name }) => name);
const ofTrips = (comparisons: readonly Comparison[]) => comparisons.filter(({ unit }) => unit === 'trip');

/** For a release manager: what a design is worth on each week, when trips are protected. */
export function summaryTable(comparisons: readonly Comparison[]): string {
  const rows = SUMMARY_COLUMNS.flatMap(([heading, text]) =>
    ofTrips(comparisons).map(({ data, outcomes }) => [heading, data, ...outcomes.map(text)]),
  );
  return markdownTable(['what', 'of', ...namesOf(comparisons)], rows, 2);
}

/** Scales, thresholds and δ of the designs, for each unit once. */
function parameterTable(comparisons: readonly Comparison[]): string {
  const units = [...new Map(comparisons.map((each) => [each.unit, each])).values()];
  const rows = units.flatMap(({ unit, outcomes }) =>
    outcomes.filter(isDraw).map(({ name, design: { certificate, noise } }) => {
      const { cells, time, location } = certificate.split;
      const delta = certificate.deltaUpper === '0' ? '0' : Number(certificate.deltaUpper).toExponential(2);
      const split = time ? `${cells} + ${time} + ${location}` : cells;
      return [`one ${unit}`, name, split, noise.cells, noise.totals, delta];
    }),
  );
  const head = ['protects', 'design', 'ε: cells + times + locations', 'cells', 'times and locations', 'tight δ'];
  return markdownTable(head, rows, head.length);
}

const tapsOf = (counts: Comparison['partitions'][number]['counts']): number =>
  counts.reduce((sum, [, , , count]) => sum + count, 0);

/** Bias of the location totals of each mode. */
function modeTable(comparisons: readonly Comparison[]): string {
  const rows = ofTrips(comparisons).flatMap(({ data, partitions, outcomes }) =>
    [...Map.groupBy(partitions, ({ partition }) => partition.part)].map(([mode, own]) => [
      `${data}: ${mode}`,
      whole(tapsOf(own.flatMap(({ counts }) => counts))),
      ...outcomes.map(({ modes }) => withDeviation(modes.get(mode)!, signedPercent)),
    ]),
  );
  return markdownTable(['mode', 'taps', ...namesOf(comparisons)], rows);
}

function weekTable(comparisons: readonly Comparison[]): string {
  const rows = ofTrips(comparisons).map(({ data, partitions }) => {
    const counts = partitions.flatMap((exact) => exact.counts);
    const cells = partitions.map(({ domain }) => domain.taps.length * domain.times.length * domain.locations.length);
    return [data, ...[tapsOf(counts), counts.length, cells.reduce((sum, one) => sum + one, 0)].map(whole)];
  });
  return markdownTable(['week', 'taps', 'cells with taps', 'cells of the public domain'], rows);
}

/** The figures of docs/utility.md. */
export const figureText = (comparisons: readonly Comparison[]): string =>
  [
    `### Parameters\n\n${parameterTable(comparisons)}`,
    `### Cells\n\n${tables(comparisons, CELL_COLUMNS, isDraw)}`,
    `### Totals\n\n${tables(comparisons, TOTAL_COLUMNS)}`,
    `### Totals of a mode\n\n${modeTable(comparisons)}`,
    `### The weeks\n\n${weekTable(comparisons)}`,
  ].join('\n\n');

const PANELS = [
  { field: 'inCells', title: 'taps in fine cells', type: 'linear' },
  { field: 'locationBias', title: 'bias of location totals', type: 'linear' },
  { field: 'locationError', title: 'error of location totals, a day', type: 'log' },
] as const;

/** The comparisons as dots. */
export function dotPicture(comparisons: readonly Comparison[]): TopLevelSpec {
  const values = comparisons.flatMap(({ data, unit, outcomes }) =>
    outcomes.map(({ name, figures }) => ({
      ...{ week: `${data}, one ${unit}`, design: name },
      ...Object.fromEntries(PANELS.map(({ field }) => [field, figures[field].mean])),
    })),
  );
  const weeks = [...new Set(values.map(({ week }) => week))];
  return {
    data: { values },
    hconcat: PANELS.map(({ field, title, type }, place) => ({
      facet: { row: { field: 'week', type: 'nominal', title: null, sort: weeks, header: { labels: place === 0 } } },
      spec: {
        ...{ width: 200, height: { step: 16 } },
        mark: { type: 'point', filled: true, size: 60 },
        encoding: {
          y: {
            ...{ field: 'design', type: 'nominal', sort: null, title: null },
            axis: { labels: place === 0, labelLimit: 250, grid: true },
          },
          x: { field, type: 'quantitative', title, axis: { format: '~%' }, scale: { type } },
          color: { field: 'design', type: 'nominal', sort: null, legend: null },
        },
      },
    })),
  };
}
