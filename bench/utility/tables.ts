import { markdownTable } from '../measuring.ts';
import { type Comparison, type Outcome, signedPercent, titleOf, whole, withDeviation } from './comparison.ts';
import { DESIGNS } from './designs.ts';

/** One table for each comparison, below its title. */
function tables(
  comparisons: readonly Comparison[],
  head: readonly string[],
  rowsOf: (comparison: Comparison) => string[][],
): string {
  return comparisons.map((each) => `**${titleOf(each)}**\n\n${markdownTable(head, rowsOf(each))}`).join('\n\n');
}

const outcomesOf = (comparison: Comparison): Outcome[] => [...comparison.outcomes.values()];

/** Scales, thresholds and δ of the designs, for each unit once. */
export function parameterTable(comparisons: readonly Comparison[]): string {
  const units = [...new Map(comparisons.map((each) => [each.unit, each])).values()];
  const rows = units.flatMap((comparison) =>
    outcomesOf(comparison)
      .filter(({ design }) => design.name !== 'margins')
      .map(({ design: { name, certificate, noise } }) => {
        const { cells, time, location } = certificate.split;
        const split = time ? `${cells} + ${time} + ${location}` : cells;
        const delta = certificate.deltaUpper === '0' ? '0' : Number(certificate.deltaUpper).toExponential(2);
        return [`one ${comparison.unit}`, DESIGNS[name], split, noise.cells, noise.totals, delta];
      }),
  );
  const head = ['protects', 'design', 'ε: cells + times + locations', 'cells', 'times and locations', 'tight δ'];
  return markdownTable(head, rows, head.length);
}

export function cellTable(comparisons: readonly Comparison[]): string {
  const head = [
    'design',
    'taps in fine cells',
    'in hour rows',
    'cells published',
    'published: mean error',
    'RMS',
    'with taps: mean error',
    'RMS',
    'taps shown where none is',
  ];
  return tables(comparisons, head, (comparison) =>
    outcomesOf(comparison)
      .filter(({ design }) => design.name !== 'margins')
      .map(({ design, figures }) => {
        const errors = [figures.publishedMean, figures.publishedRoot, figures.withTapsMean, figures.withTapsRoot];
        return [
          DESIGNS[design.name],
          withDeviation(figures.inCells),
          design.certificate.hours ? withDeviation(figures.inHours) : '–',
          whole(figures.cellsPublished.mean),
          ...errors.map(({ mean }) => mean.toFixed(2)),
          whole(figures.tapsFromNothing.mean),
        ];
      }),
  );
}

export function totalTable(comparisons: readonly Comparison[]): string {
  const head = [
    'design',
    'times: bias',
    'error, a day',
    'error, the week',
    'locations: bias',
    'error, a day',
    'error, the week',
  ];
  return tables(comparisons, head, (comparison) =>
    outcomesOf(comparison).map(({ design, figures }) => [
      DESIGNS[design.name],
      withDeviation(figures.timeBias, signedPercent),
      withDeviation(figures.timeError),
      withDeviation(figures.timeErrorOfWindow),
      withDeviation(figures.locationBias, signedPercent),
      withDeviation(figures.locationError),
      withDeviation(figures.locationErrorOfWindow),
    ]),
  );
}

/** Bias of the location totals of each mode. */
export function modeTable(comparisons: readonly Comparison[]): string {
  const names = outcomesOf(comparisons[0]!).map(({ design }) => design.name);
  const rows = comparisons
    .filter(({ unit }) => unit === 'trip')
    .flatMap((comparison) => {
      const modes = [...comparison.outcomes.get('2017')!.modes];
      return modes.map(([mode, { taps }]) => [
        `${comparison.data}: ${mode}`,
        whole(taps),
        ...names.map((name) => withDeviation(comparison.outcomes.get(name)!.modes.get(mode)!.bias, signedPercent)),
      ]);
    });
  return markdownTable(['mode', 'taps', ...names.map((name) => DESIGNS[name])], rows);
}
