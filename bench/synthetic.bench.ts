import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discreteLaplace } from '../core/random/discrete-laplace.ts';
import { divide, parseRational, type Rational, rational } from '../core/rational/rational.ts';
import { generateDemo } from '../examples/demo/generate.ts';
import { roundAmounts } from '../kinds/synthetic/mechanism/synthetic-privacy.ts';
import {
  drawTranscript,
  exactChoices,
  fitOfTranscript,
  type SyntheticPlan,
} from '../kinds/synthetic/mechanism/transcript.ts';
import {
  cellOfValues,
  cellsOf,
  cellsOfMarginal,
  type DomainShape,
  type Marginal,
  placesInMarginal,
} from '../kinds/synthetic/mechanism/workload.ts';
import { withScratchFolder } from '../services/files/scratch-folder.ts';
import { literal, withDatabase } from '../services/sql/duckdb.ts';
import { seededSource } from '../test/support/seeded-source.ts';
import { writeMeasured } from './measured-parts.ts';
import { markdownTable } from './measuring.ts';
import { OYSTER } from './privatize/oyster-week.ts';

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
type Day = { name: string; shape: DomainShape; counts: Float64Array; trips: number; rows: number };

/** `prepare` puts the source files into the folder and gives the relation of their trips. */
async function dayOf(name: string, prepare: (folder: string) => Promise<string>): Promise<Day> {
  return withScratchFolder(tmpdir(), async (folder) => {
    const relation = await prepare(folder);
    return withDatabase({ folder, memoryMiB: 1024 }, async (database) => {
      await database.run(`CREATE TABLE trips AS ${relation}`);
      const columns = ['hour', 'mode', 'place'];
      const values: unknown[][] = [];
      for (const column of columns)
        values.push((await database.rows(`SELECT DISTINCT ${column} FROM trips ORDER BY 1`)).map(([value]) => value));
      const shape = values.map((some) => some.length);
      const counts = new Float64Array(cellsOf(shape));
      for (const row of await database.rows(`SELECT ${columns.join()}, count(*) FROM trips GROUP BY ALL`))
        counts[
          cellOfValues(
            shape,
            row.slice(0, 3).map((value, column) => values[column]!.indexOf(value)),
          )
        ] = Number(row[3]);
      const trips = counts.reduce((sum, one) => sum + one, 0);
      return { name, shape, counts, trips, rows: Number(trips.toPrecision(2)) };
    });
  });
}

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
const oysterDay = (): Promise<Day> =>
  dayOf('Oyster Monday', async (folder) => {
    await cp(OYSTER, folder, { recursive: true });
    return `SELECT c05::INTEGER // 60 AS hour, trim(c15) AS mode, trim(c03) AS place
      FROM read_csv(${literal(join(folder, '*.gz'))}, header = false, all_varchar = true, delim = ',', quote = '"',
        auto_detect = false, columns = {${COLUMNS.join(', ')}})
      WHERE c00 = '2' AND c02 = 'LUL' AND trim(c03) <> 'Unstarted'`;
  });

const TIME_BY_MODE: Marginal = { attributes: [1, 0], ordered: 0 };
const PLACE_BY_MODE: Marginal = { attributes: [1, 2], ordered: 0 };
/** The two tables that are compared. */
const MARGINALS = [TIME_BY_MODE, PLACE_BY_MODE];
/** What synthetic data is asked about: these, and each attribute by itself. */
const WORKLOAD: Marginal[] = [...MARGINALS, ...[0, 1, 2].map((attribute) => ({ attributes: [attribute], ordered: 0 }))];

const sumsIn = (shape: DomainShape, marginal: Marginal, cells: ArrayLike<number>): number[] => {
  const places = placesInMarginal(shape, marginal);
  const sums = Array.from({ length: cellsOfMarginal(shape, marginal) }, () => 0);
  for (const [cell, place] of places.entries()) sums[place]! += cells[cell]!;
  return sums;
};

/** The part of all trips that is in a wrong cell: half of the sum of all errors, by the number of trips. */
const misplaced = (estimate: readonly number[], exact: readonly number[], trips: number): number =>
  estimate.reduce((sum, rows, cell) => sum + Math.abs(rows - exact[cell]!), 0) / (2 * trips);

/** Parts that are misplaced in each marginal, and in all cells. */
type Errors = [time: number, place: number, cells: number];

function errorsOf(day: Day, marginals: readonly (readonly number[])[], cells: readonly number[]): Errors {
  const [time, place] = MARGINALS.map((marginal, index) =>
    misplaced(marginals[index]!, sumsIn(day.shape, marginal, day.counts), day.trips),
  ) as [number, number];
  return [time, place, misplaced(cells, [...day.counts], day.trips)];
}

const synthetic =
  (rounds: number) =>
  (day: Day, epsilon: Rational, seed: number): Errors => {
    const plan: SyntheticPlan = {
      shape: day.shape,
      marginals: WORKLOAD,
      rounds,
      passes: PASSES,
      rows: day.rows,
    };
    const amounts = roundAmounts({
      neighbours: 'replace-one',
      epsilon,
      partitions: 1,
      rounds,
      rowsShare: null,
    });
    const transcript = drawTranscript(plan, day.counts, exactChoices(amounts, seededSource(seed)));
    const fit = fitOfTranscript(plan, transcript);
    const cells = [...fit.weights].map((weight) => (weight / fit.total()) * transcript.rows);
    return errorsOf(
      day,
      MARGINALS.map((marginal) => sumsIn(day.shape, marginal, cells)),
      cells,
    );
  };

/**
 * Both marginals with noise, half of ε each, and negative counts taken for 0; all cells by independence given the mode.
 */
function noisyMarginals(day: Day, epsilon: Rational, seed: number): Errors {
  const noise = discreteLaplace(divide(rational(4n), epsilon), seededSource(seed));
  const marginals = MARGINALS.map((marginal) =>
    sumsIn(day.shape, marginal, day.counts).map((rows) => Math.max(0, rows + noise.draw())),
  ) as [number[], number[]];
  const [hours, modes, places] = day.shape as [number, number, number];
  const [times, stops] = marginals;
  const totals = Array.from({ length: modes }, (_, mode) =>
    stops.slice(mode * places, (mode + 1) * places).reduce((sum, one) => sum + one, 0),
  );
  const cells = Array.from({ length: cellsOf(day.shape) }, (_, cell) => {
    const [place, mode, hour] = [cell % places, Math.floor(cell / places) % modes, Math.floor(cell / places / modes)];
    return (times[mode * hours + hour]! * stops[mode * places + place]!) / Math.max(1, totals[mode]!);
  });
  return errorsOf(day, marginals, cells);
}

/** Every cell with noise, negative counts taken for 0 in the cells, and added up as they are in the marginals. */
function noisyCells(day: Day, epsilon: Rational, seed: number): Errors {
  const noise = discreteLaplace(divide(rational(2n), epsilon), seededSource(seed));
  const cells = [...day.counts].map((rows) => rows + noise.draw());
  return errorsOf(
    day,
    MARGINALS.map((marginal) => sumsIn(day.shape, marginal, cells)),
    cells.map((rows) => Math.max(0, rows)),
  );
}

const WAYS = [
  ['synthetic data, 40 rounds', synthetic(40)],
  ['synthetic data, 150 rounds', synthetic(150)],
  ['two noisy tables', noisyMarginals],
  ['all cells noisy', noisyCells],
] as const;

const percent = (share: number): string => `${(100 * share).toFixed(share < 0.1 ? 2 : 1)} %`;

function rowsOf(day: Day): string[][] {
  return EPSILONS.flatMap((text) =>
    WAYS.map(([name, way]) => {
      const draws = Array.from({ length: DRAWS }, (_, seed) => way(day, parseRational(text), seed));
      const means = [0, 1, 2].map((column) => draws.reduce((sum, errors) => sum + errors[column]!, 0) / DRAWS);
      console.log(day.name, text, name, means.map(percent).join('  '));
      return [day.name, text, name, ...means.map(percent)];
    }),
  );
}

const days = [await demoDay(), ...(existsSync(OYSTER) ? [await oysterDay()] : [])];
const described = days.map(
  ({ name, shape, trips, rows }) =>
    `${name}: ${trips} trips, taken for ${rows}, in ${shape[0]} hours, ${shape[1]} modes or kinds of ticket and ${shape[2]} places, ${cellsOf(shape)} cells.`,
);
const table = markdownTable(
  ['day', 'ε', 'published', 'time × mode wrong', 'place × mode wrong', 'cells wrong'],
  days.flatMap(rowsOf),
  3,
);
const section = `${described.join(' ')}

${table}`;
console.log(section);
if (days.length < 2)
  console.log('The Oyster week is not present (set OPALINE_DATA); docs/synthetic.md is left as it is.');
else
  await writeMeasured('synthetic', { utility: section }, [
    'kinds/synthetic/mechanism',
    'core/random',
    'kinds/synthetic',
  ]);
