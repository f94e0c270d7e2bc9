import type { TopLevelSpec } from 'vega-lite';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import { markdownTable } from '../measuring.ts';
import type { Comparison, Outcome, Spread } from './mechanism-comparison.ts';
import { SAME_DRAW } from './utility-designs.ts';
import { cellsOf, DENSITIES, densitiesOf, type Figures, tapsOf } from './utility-measures.ts';

type Write = (spread: Spread) => string;
type WriteMean = (one: Pick<Spread, 'mean'>) => string;

/** Digits after the point: three in all, as far as they say something. */
const digitsOf = (size: number): number => (size >= 10 ? 1 : size >= 1 ? 2 : 3);

/** `58.2 %`, with more digits for small ones: `0.047 %`, and `0 %` for what rounds to nothing. */
export const percent: WriteMean = ({ mean }) => {
  const size = Math.abs(100 * mean);
  return size < 0.0005 ? '0 %' : `${(100 * mean).toFixed(digitsOf(size)).replace('-', '−')} %`;
};

/** A percentage with its sign: `+1.84 %`, `−41.6 %`. */
export const percentWithSign: WriteMean = (spread) => {
  const text = percent(spread);
  return spread.mean > 0 && text !== '0 %' ? `+${text}` : text;
};

/** `58.2 % ± 0.02`: the standard deviation of one draw, in percent, to one digit more. */
const withDeviation =
  (write: Write): Write =>
  (spread) =>
    `${write(spread)} ± ${(100 * spread.deviation).toFixed(digitsOf(Math.abs(100 * spread.mean)) + 1)}`;

export const [share, bias] = [withDeviation(percent), withDeviation(percentWithSign)];
const size: Write = ({ mean }) => mean.toFixed(2);
export const whole = (count: number): string => Math.round(count).toLocaleString('en-GB');
const count: Write = ({ mean }) => whole(mean);

/** A figure below its heading, and how it is written. */
type Column = [heading: string, figure: keyof Figures, write: Write];

const CELL_COLUMNS: Column[] = [
  ['taps in fine cells', 'inCells', share],
  ['in hour rows', 'inHours', (one) => (one.mean === 0 ? '–' : share(one))],
  ['cells published', 'cellsPublished', count],
  ['published: mean error', 'publishedMean', size],
  ['RMS', 'publishedRoot', size],
  ['with taps: mean error', 'withTapsMean', size],
  ['RMS', 'withTapsRoot', size],
  ['taps shown where none is', 'tapsFromNothing', count],
];

const TOTAL_COLUMNS: Column[] = [
  ['times: bias', 'timeBias', bias],
  ['error, a day', 'timeError', share],
  ['error, the week', 'timeErrorOfWindow', share],
  ['locations: bias', 'locationBias', bias],
  ['error, a day', 'locationError', share],
  ['error, the week', 'locationErrorOfWindow', share],
];

const SUMMARY_COLUMNS: Column[] = [
  ['taps in fine cells', 'inCells', percent],
  ['bias of location totals', 'locationBias', percentWithSign],
  ['error of time totals, a day', 'timeError', percent],
  ['error of location totals, a day', 'locationError', percent],
];

/** One table for each comparison, below its title. */
function tables(comparisons: readonly Comparison[], columns: Column[], isShown = (_: Outcome) => true): string {
  const head = ['design', ...columns.map(([heading]) => heading)];
  const rowOf = ({ name, figures }: Outcome) => [name, ...columns.map(([, figure, write]) => write(figures[figure]))];
  return comparisons
    .map((one) => `**${one.data}, one ${one.unit}**\n\n${markdownTable(head, one.outcomes.filter(isShown).map(rowOf))}`)
    .join('\n\n');
}

const isDraw = ({ name }: Outcome): boolean => name !== SAME_DRAW;
const namesOf = ([first]: readonly Comparison[]): string[] => first!.outcomes.map(({ name }) => name);
const ofTrips = (comparisons: readonly Comparison[]) => comparisons.filter(({ unit }) => unit === 'trip');

/** For a release manager: what a design is worth on each week, when trips are protected. */
export function summaryTable(comparisons: readonly Comparison[]): string {
  const rows = SUMMARY_COLUMNS.flatMap(([heading, figure, write]) =>
    ofTrips(comparisons).map(({ data, outcomes }) => {
      return [heading, data, ...outcomes.map(({ figures }) => write(figures[figure]))];
    }),
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

/** Bias of the location totals of each mode. */
function modeTable(comparisons: readonly Comparison[]): string {
  const rows = ofTrips(comparisons).flatMap(({ data, partitions, outcomes }) =>
    [...Map.groupBy(partitions, ({ partition }) => partition.part)].map(([mode, own]) => [
      `${data}: ${mode}`,
      whole(tapsOf(own)),
      ...outcomes.map(({ modes }) => bias(modes.get(mode)!)),
    ]),
  );
  return markdownTable(['mode', 'taps', ...namesOf(comparisons)], rows);
}

function weekTable(comparisons: readonly Comparison[]): string {
  const rows = ofTrips(comparisons).map(({ data, partitions }) => {
    const { cells } = densitiesOf(partitions);
    return [data, ...[tapsOf(partitions), cells, cellsOf(partitions)].map(whole)];
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
      week: `${data}, one ${unit}`,
      design: name,
      ...Object.fromEntries(PANELS.map(({ field }) => [field, figures[field].mean])),
    })),
  );
  const weeks = [...new Set(values.map(({ week }) => week))];
  return {
    data: { values },
    hconcat: PANELS.map(({ field, title, type }, place) => ({
      facet: { row: { field: 'week', type: 'nominal', title: null, sort: weeks, header: { labels: place === 0 } } },
      spec: {
        width: 200,
        height: { step: 16 },
        mark: { type: 'point', filled: true, size: 60 },
        encoding: {
          y: {
            field: 'design',
            type: 'nominal',
            sort: null,
            title: null,
            axis: { labels: place === 0, labelLimit: 250, grid: true },
          },
          x: { field, type: 'quantitative', title, axis: { format: '~%' }, scale: { type } },
          color: { field: 'design', type: 'nominal', sort: null, legend: null },
        },
      },
    })),
  };
}

/** How densely a city is used: what no noise changes, and what decides what any floor leaves. */
export const densityTable = (
  cities: readonly (readonly [name: string, partitions: readonly ExactPartition[]])[],
): string =>
  markdownTable(
    ['', 'cells with taps', ...DENSITIES.map((least) => `taps in cells of ${least} or more`)],
    cities.map(([name, partitions]) => {
      const { cells, shares } = densitiesOf(partitions);
      return [name, whole(cells), ...shares.map((mean) => percent({ mean }))];
    }),
  );
