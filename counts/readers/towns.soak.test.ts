import { expect, test } from 'vitest';
import { writeMeasured } from '../../bench/measured-parts.ts';
import { designsTable } from '../../kinds/taps/client/designs.ts';
import { holds, type MeasuredTown, measureLike, measureTown, ROUNDING } from '../../test/support/measured-town.ts';
import type { Range } from './expected-utility.ts';
import { possibleDesigns, withUtility } from './proposed-design.ts';

/**
 * What `opaline init` proposes for generated towns of three sizes, and what it says of them, against draws of all
 * designs. It takes some minutes and writes parts of docs/utility.md, the same again each time. The constants of
 * expected-utility.ts were chosen on the towns 1 to 40, not on these.
 */
const SIZES = [5_000, 100_000, 3_000_000];
const TOWNS = Array.from({ length: 60 }, (_, town) => 101 + town);
const MEASURED = {
  command: 'npm run soak -- counts/readers',
  measures: ['core', 'counts', 'test/support/generated-town.ts'],
};
const FIGURES = ['cells', 'hours', 'time', 'location'] as const;

const percent = (share: number): string => `${Math.round(100 * share)} %`;
const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const span = ({ low, high }: Range): string => `${percent(low)} to ${percent(high)}`;

function rowsOf(towns: readonly MeasuredTown[]): string[] {
  const flattest = towns.toSorted((a, b) => a.steepness - b.steepness).slice(0, towns.length / 3);
  const held = (those: readonly MeasuredTown[], figure: (typeof FIGURES)[number]): string =>
    `${those.filter((town) => holds(town, figure)).length} of ${those.length}`;
  return [
    `**${towns[0]!.tapsPerWeek} taps a week**: ${[...Map.groupBy(towns, ({ proposed }) => proposed.name)].map(([name, { length }]) => `${name} (${length})`).join('; ')}.`,
    '',
    '| figure | in the middle town | what is said of it | towns where that holds | of the flattest third |',
    '| --- | --: | --: | --: | --: |',
    ...FIGURES.map((figure) => {
      const town = towns.toSorted((a, b) => a.drawn[figure] - b.drawn[figure])[Math.floor(towns.length / 2)]!;
      return `| ${NAMES[figure]} | ${percent(town.drawn[figure])} | ${span(town.expected[figure])} | ${held(towns, figure)} | ${held(flattest, figure)} |`;
    }),
    '',
    `Worth of the proposal ${middle(towns.map((town) => 100 * town.worth)).toFixed(0)}, of the best design ${middle(towns.map((town) => 100 * town.bestWorth)).toFixed(0)}; at most ${Math.max(...towns.map((town) => 100 * (town.bestWorth - town.worth))).toFixed(0)} less in any town.`,
    '',
  ];
}

const LIKE_TOWNS = Array.from({ length: 20 }, (_, town) => 401 + town);

test('where a publication of one week is named, what the next week shows is within 5 points of what is said', () => {
  const measured = SIZES.map((size) => LIKE_TOWNS.map((town) => measureLike(town, size)));
  const points = (share: number): string => `${(100 * share).toFixed(1)}`;
  const rows = measured.map((towns, at) => {
    const held = towns.filter(({ beyond }) => beyond <= ROUNDING).length;
    const off = towns.map(({ said, shown }) => Math.abs(shown - (said.low + said.high) / 2));
    const other = towns.filter(({ first, next }) => first !== next).length;
    const shown = towns.map((town) => town.shown);
    return `| ${SIZES[at]} | ${percent(Math.min(...shown))} to ${percent(Math.max(...shown))} | ${other} | ${points(middle(off))} | ${points(Math.max(...off))} | ${held} of ${towns.length} |`;
  });
  const like = [
    '| taps a week | in cells of the next week | other design than before | middle error, points | greatest | within 5 points |',
    '| --- | --: | --: | --: | --: | --: |',
    ...rows,
  ];
  writeMeasured('utility', { like: like.join('\n') }, MEASURED);
  for (const towns of measured)
    expect(towns.filter(({ beyond }) => beyond <= ROUNDING).length).toBeGreaterThanOrEqual(0.9 * towns.length);
});

const NAMES = {
  cells: 'taps in cells',
  hours: 'taps in hour rows',
  time: 'error of time totals, a day',
  location: 'error of location totals, a day',
};

test('of towns that nobody has seen, flat ones among them, nine in ten are as they were said to be', () => {
  const measured = SIZES.map((size) => TOWNS.map((town) => measureTown(town, size)));
  const grids = [15, 30, 60].map((minutes) => {
    const times = Array.from({ length: 1440 / minutes }, (_, bin) => bin * minutes);
    return { days: 7, ends: 2, minutes, times, places: [400, 150, 50] };
  });
  const trip = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off', epsilon: '8', delta: '0' } as const;
  const tables = SIZES.flatMap((tapsPerWeek) => {
    const designs = possibleDesigns(trip, grids).map((design) => withUtility(design, { tapsPerWeek }));
    return [`**${tapsPerWeek} taps a week**`, '', designsTable(designs), ''];
  });
  writeMeasured('utility', { towns: measured.flatMap(rowsOf).join('\n'), designs: tables.join('\n') }, MEASURED);
  for (const towns of measured) {
    const most = 0.9 * towns.length;
    for (const figure of FIGURES)
      expect(towns.filter((town) => holds(town, figure)).length).toBeGreaterThanOrEqual(most);
    for (const town of towns) expect(town.worth).toBeGreaterThan(town.bestWorth - 0.25);
  }
});
