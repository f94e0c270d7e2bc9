import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { nullOn } from '../contracts/errors.ts';
import { discreteLaplace } from '../core/random/discrete-laplace.ts';
import { divide, parseRational, type Rational, rational } from '../core/rational/rational.ts';
import { generateDemo } from '../examples/demo/generate-demo.ts';
import { EXAMPLES } from '../examples/prepare.ts';
import { roundAmounts } from '../kinds/synthetic/mechanism/synthetic-privacy.ts';
import { drawTranscript, exactChoices, fitOfTranscript } from '../kinds/synthetic/mechanism/transcript.ts';
import {
  cellOfValues,
  cellsOf,
  cellsOfMarginal,
  type Marginal,
  placesInMarginal,
} from '../kinds/synthetic/mechanism/workload.ts';
import { literal, withDatabase } from '../services/sql/duckdb.ts';
import { seededSource } from '../test/support/seeded-source.ts';
import { writeMeasured } from './measured-parts.ts';
import { inFolder, markdownTable, sumOf } from './measuring.ts';

/**
 * What synthetic data of one day is worth beside plain noisy tables at the same ε: twenty seeded draws of each on an
 * invented day and, where it is present, on the Monday of the Oyster week. Run with `node bench/synthetic.bench.ts`; it
 * takes some minutes and writes a section of docs/synthetic.md, always the same, when the real data is there.
 */
const DRAWS = 20;
const EPSILONS = ['1/10', '1', '8'];
const PASSES = 3;

/**
 * Trips of a day by hour, mode (or kind of ticket) and place; the public number of rows is the true one to two digits.
 */
type Day = { name: string; shape: number[]; counts: number[]; trips: number; rows: number };

/** `prepare` puts the source files into the folder and gives the relation of their trips. */
const dayOf = (name: string, prepare: (folder: string) => Promise<string>): Promise<Day> =>
  inFolder(async (folder) => {
    const relation = await prepare(folder);
    return withDatabase({ folder, memoryMiB: 1024 }, async (database) => {
      await database.run(`CREATE TABLE trips AS ${relation}`);
      const values: unknown[][] = [];
      for (const column of ['hour', 'mode', 'place'])
        values.push((await database.rows(`SELECT DISTINCT ${column} FROM trips ORDER BY 1`)).flat());
      const shape = values.map((some) => some.length);
      const counts = Array.from({ length: cellsOf(shape) }, () => 0);
      for (const [hour, mode, place, rows] of await database.rows(
        'SELECT hour, mode, place, count(*) FROM trips GROUP BY ALL',
      )) {
        const at = [hour, mode, place].map((value, column) => values[column]!.indexOf(value));
        counts[cellOfValues(shape, at)] = Number(rows);
      }
      const trips = sumOf(counts);
      return { name, shape, counts, trips, rows: Number(trips.toPrecision(2)) };
    });
  });

const demoDay = (): Promise<Day> =>
  dayOf('Invented day', async (folder) => {
    await generateDemo(folder);
    const files = literal(`${folder}/trips/2026-03-02/*.parquet`);
    const mode = `regexp_extract(filename, '([a-z]+)[.]parquet$', 1)`;
    return `SELECT hour(on_time) AS hour, ${mode} AS mode, on_location AS place
      FROM read_parquet(${files}, filename = true)`;
  });

const COLUMNS = Array.from({ length: 16 }, (_, column) => `'c${String(column).padStart(2, '0')}': 'VARCHAR'`);

/** Journeys by underground that begin on a Monday; the kind of ticket takes the place of the mode. */
const oysterDay = (source: string): Promise<Day> =>
  dayOf('Oyster Monday', async (folder) => {
    await cp(source, folder, { recursive: true });
    return `SELECT c05::INTEGER // 60 AS hour, trim(c15) AS mode, trim(c03) AS place
      FROM read_csv(${literal(join(folder, '*.gz'))}, header = false, all_varchar = true, delim = ',', quote = '"',
        auto_detect = false, columns = {${COLUMNS.join(', ')}})
      WHERE c00 = '2' AND c02 = 'LUL' AND trim(c03) <> 'Unstarted'`;
  });

/** The two tables that are compared: time and place by mode. */
const MARGINALS: Marginal[] = [
  { attributes: [1, 0], ordered: 0 },
  { attributes: [1, 2], ordered: 0 },
];
/** What synthetic data is asked about: these, and each attribute by itself. */
const WORKLOAD: Marginal[] = [...MARGINALS, ...[0, 1, 2].map((attribute) => ({ attributes: [attribute], ordered: 0 }))];

const marginalsOf = (shape: number[], cells: readonly number[]): number[][] =>
  MARGINALS.map((marginal) => {
    const sums = Array.from({ length: cellsOfMarginal(shape, marginal) }, () => 0);
    for (const [cell, place] of placesInMarginal(shape, marginal).entries()) sums[place]! += cells[cell]!;
    return sums;
  });

/** The part of all trips that is in a wrong cell: half of the sum of all errors, by the number of trips. */
const errorOf = (estimate: readonly number[], exact: readonly number[], trips: number): number =>
  sumOf(estimate.map((rows, cell) => Math.abs(rows - exact[cell]!))) / (2 * trips);

const positive = (counts: readonly number[]): number[] => counts.map((rows) => Math.max(0, rows));

/** What a way publishes of a day: both marginals, and all cells. */
type Way = (day: Day, epsilon: Rational, seed: number) => { marginals: number[][]; cells: number[] };

const synthetic =
  (rounds: number): Way =>
  ({ shape, counts, rows }, epsilon, seed) => {
    const plan = { shape, marginals: WORKLOAD, rounds, passes: PASSES, rows };
    const amounts = roundAmounts({ neighbours: 'replace-one', epsilon, partitions: 1, rounds, rowsShare: null });
    const choices = exactChoices(amounts, seededSource(seed));
    const transcript = drawTranscript(plan, Float64Array.from(counts), choices);
    const fit = fitOfTranscript(plan, transcript);
    const cells = [...fit.weights].map((weight) => (weight / fit.total()) * transcript.rows);
    return { marginals: marginalsOf(shape, cells), cells };
  };

/**
 * Both marginals with noise, half of ε each, and negative counts taken for 0; all cells by independence given the mode.
 */
const noisyMarginals: Way = ({ shape, counts }, epsilon, seed) => {
  const noise = discreteLaplace(divide(rational(4n), epsilon), seededSource(seed));
  const marginals = marginalsOf(shape, counts).map((sums) => positive(sums.map((rows) => rows + noise.draw())));
  const [hours, modes, places] = shape as [number, number, number];
  const [times, stops] = marginals as [number[], number[]];
  const totals = Array.from({ length: modes }, (_, mode) => sumOf(stops.slice(mode * places, (mode + 1) * places)));
  const cells = counts.map((_, cell) => {
    const [place, mode, hour] = [cell % places, Math.floor(cell / places) % modes, Math.floor(cell / places / modes)];
    return (times[mode * hours + hour]! * stops[mode * places + place]!) / Math.max(1, totals[mode]!);
  });
  return { marginals, cells };
};

/** Every cell with noise, negative counts taken for 0 in the cells, and added up as they are in the marginals. */
const noisyCells: Way = ({ shape, counts }, epsilon, seed) => {
  const noise = discreteLaplace(divide(rational(2n), epsilon), seededSource(seed));
  const cells = counts.map((rows) => rows + noise.draw());
  return { marginals: marginalsOf(shape, cells), cells: positive(cells) };
};

const WAYS = {
  'synthetic data, 40 rounds': synthetic(40),
  'synthetic data, 150 rounds': synthetic(150),
  'two noisy tables': noisyMarginals,
  'all cells noisy': noisyCells,
};

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`;

/** Parts that are misplaced in each marginal, and in all cells, means over the draws. */
const rowsOf = (day: Day): string[][] =>
  EPSILONS.flatMap((epsilon) =>
    Object.entries(WAYS).map(([name, way]) => {
      const exact = [...marginalsOf(day.shape, day.counts), day.counts];
      const draws = Array.from({ length: DRAWS }, (_, seed) => way(day, parseRational(epsilon), seed));
      const means = exact.map((counts, list) => {
        const errors = draws.map(({ marginals, cells }) => errorOf([...marginals, cells][list]!, counts, day.trips));
        return percent(sumOf(errors) / DRAWS);
      });
      console.log(day.name, epsilon, name, means.join('  '));
      return [day.name, epsilon, name, ...means];
    }),
  );

const oyster = await EXAMPLES.oyster.source().catch(nullOn('OBJECT_MISSING'));
const days = [await demoDay(), ...(oyster === null ? [] : [await oysterDay(oyster)])];
const sentences = days.map(
  ({ name, shape, trips, rows }) =>
    `${name}: ${trips} trips, taken for ${rows}, in ${shape[0]} hours, ${shape[1]} modes or kinds of ticket and ${shape[2]} places, ${cellsOf(shape)} cells.`,
);
const head = ['day', 'ε', 'published', 'time × mode wrong', 'place × mode wrong', 'cells wrong'];
const utility = `${sentences.join(' ')}\n\n${markdownTable(head, days.flatMap(rowsOf), 3)}`;
const measures = ['kinds/synthetic/mechanism', 'core/random', 'kinds/synthetic'];
writeMeasured('synthetic', { utility }, { measures, isWhole: days.length === 2 });
if (days.length < 2)
  console.log('The Oyster week is not present (set OPALINE_DATA); docs/synthetic.md is left as it is.');
