import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { CountFrequency } from './published-totals.ts';

/** A publication beside the exact cells, in a DuckDB of the test's own; nothing of the product reads the files here. */
export type PublicationComparison = {
  /** Rows of a query (mode or `all`, tap, count) that are no totals of the exact cells: none, or the truth is wrong. */
  missedTotals(known: string): Promise<unknown[][]>;
  /** Published cells where the exact count is 0. */
  inventedCells(): Promise<number>;
  groups(): Promise<ModeComparison[]>;
  /** Rows that are in the table, or among the sums of the time-location table, but not in both. */
  strayRows(table: 'time' | 'location'): Promise<number>;
  close(): void;
};

/** Exact and published counts of one mode and tap, on all days. */
export type ModeComparison = {
  mode: string;
  tap: string;
  cells: CountFrequency[];
  exact: number;
  published: number;
  /** Sum of the exact counts of cells that are not published. */
  suppressed: number;
  /** Of the cells with at least `large` taps: how many, Σ |published − exact|, and the largest of them. */
  large: { cells: number; absoluteNoise: number; largestNoise: number };
};

/**
 * Reads the CSV files of a publication. `cells` is a query of the exact cells (mode, date, tap, time, loc, count), and
 * `large` the count from which a cell is never suppressed.
 */
export async function comparePublication(folder: string, cells: string, large: number): Promise<PublicationComparison> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS();
  const csv = (table: string) =>
    `SELECT * REPLACE (replace(date, '-', '') AS date, count::BIGINT AS count) FROM read_csv('${folder}/${table}.csv', header = true, all_varchar = true)`;
  const keys = 'mode, date, tap, time, loc';
  /** The rows of a file that not every publication has, with these columns as its time and place. */
  const rowsOfFile = (file: string, time: string, place: string): string[] =>
    existsSync(join(folder, `${file}.csv`))
      ? [`SELECT mode, date, tap, ${time} AS time, ${place} AS loc, count FROM (${csv(file)})`]
      : [];
  await connection.run(`CREATE TABLE exact AS ${cells};
    CREATE TABLE published AS ${csv('time-location')};
    CREATE TABLE both_sides AS SELECT ${keys}, coalesce(exact.count, 0) AS exact, published.count AS published
      FROM exact FULL JOIN published USING (${keys})`);

  return {
    missedTotals: (known) =>
      rows(`${known} EXCEPT ALL SELECT coalesce(mode, 'all'), tap, sum(count) FROM exact
        GROUP BY GROUPING SETS ((mode, tap), (tap))`),
    inventedCells: async () => Number((await rows('SELECT count(*) FROM both_sides WHERE exact = 0'))[0]?.[0]),
    groups: async () => {
      const groups = await rows(`SELECT mode, tap, sum(exact), coalesce(sum(published) FILTER (exact > 0), 0),
        coalesce(sum(exact) FILTER (published IS NULL), 0), count(*) FILTER (exact >= ${large}),
        coalesce(sum(abs(published - exact)) FILTER (exact >= ${large}), 0),
        coalesce(max(abs(published - exact)) FILTER (exact >= ${large}), 0)
        FROM both_sides GROUP BY ALL ORDER BY ALL`);
      const frequencies = await rows('SELECT mode, tap, count, count(*) FROM exact GROUP BY ALL ORDER BY ALL');
      return groups.map(([mode, tap, exact, published, suppressed, largeCells, absolute, largest]) => ({
        mode: String(mode),
        tap: String(tap),
        cells: frequencies
          .filter((row) => row[0] === mode && row[1] === tap)
          .map((row) => ({ count: Number(row[2]), cells: Number(row[3]) })),
        exact: Number(exact),
        published: Number(published),
        suppressed: Number(suppressed),
        large: { cells: Number(largeCells), absoluteNoise: Number(absolute), largestNoise: Number(largest) },
      }));
    },
    strayRows: async (table) => {
      const kept = table === 'time' ? 'mode, date, tap, time' : 'mode, date, tap, loc';
      const more =
        table === 'time'
          ? rowsOfFile('remainder-time', 'time', "'*'")
          : [...rowsOfFile('remainder-location', "'*'", 'loc'), ...rowsOfFile('hours', 'hour', 'loc')];
      const parts = ['SELECT mode, date, tap, time, loc, count FROM published', ...more];
      const sums = `SELECT ${kept}, sum(count) AS count FROM (${parts.join(' UNION ALL ')}) GROUP BY ALL`;
      const own = `SELECT ${kept}, count FROM (${csv(table)})`;
      const stray = `((${own}) EXCEPT ALL (${sums})) UNION ALL ((${sums}) EXCEPT ALL (${own}))`;
      return Number((await rows(`SELECT count(*) FROM (${stray})`))[0]?.[0]);
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
