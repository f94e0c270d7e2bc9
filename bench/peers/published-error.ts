import { DuckDBInstance } from '@duckdb/node-api';

/** Rows that were published, and the mean distance of a cell with taps from its true count; a missing one counts as 0. */
export type PublishedError = { rows: number; error: number };

/** Compares a CSV of mode, date, tap, time, loc and count with the trips of a folder. */
export async function publishedError(source: string, file: string): Promise<PublishedError> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GiB', threads: '2' });
  try {
    const connection = await instance.connect();
    const ends = (['on', 'off'] as const).map(
      (end) => `SELECT mode, strftime(${end}_time, '%Y%m%d') AS date, '${end}' AS tap,
          strftime(time_bucket(INTERVAL '15 minutes', ${end}_time), '%H:%M') AS time, ${end}_stop AS loc
        FROM read_parquet('${source}/*.parquet') WHERE ${end}_time IS NOT NULL AND ${end}_stop IS NOT NULL`,
    );
    const answer = await connection.runAndReadAll(`
      WITH truth AS (SELECT mode, date, tap, time, loc, count(*) AS taps FROM (${ends.join(' UNION ALL ')}) GROUP BY ALL),
      told AS (SELECT mode, replace(date, '-', '') AS date, tap, time, loc, count::BIGINT AS told FROM read_csv('${file}', all_varchar = true))
      SELECT (SELECT count(*) FROM told)::INTEGER, avg(abs(taps - coalesce(told, 0)))::DOUBLE
      FROM truth LEFT JOIN told USING (mode, date, tap, time, loc)`);
    const [rows, error] = answer.getRows()[0] as [number, number];
    return { rows, error };
  } finally {
    instance.closeSync();
  }
}
