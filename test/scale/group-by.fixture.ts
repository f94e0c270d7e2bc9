import { DuckDBInstance } from '@duckdb/node-api';

/** What a bare group-by of the same files cost: the counts that nobody may see, and nothing else. */
export type GroupByUse = { seconds: number; processorSeconds: number };

/**
 * The known limit of this work: taps of both ends by mode, quarter of an hour and place, as somebody would write it for
 * all Parquet files of a folder, on a DuckDB as large as that of the private worker.
 */
export async function bareGroupBy(folder: string): Promise<GroupByUse> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GiB', threads: '2' });
  try {
    const connection = await instance.connect();
    const [start, before] = [performance.now(), process.cpuUsage()];
    const ends = (['on', 'off'] as const).map(
      (end) =>
        `SELECT mode, '${end}' AS tap, time_bucket(INTERVAL '15 minutes', ${end}_time) AS time, ${end}_stop AS stop,
           count(*) AS taps FROM read_parquet('${folder}/*.parquet') GROUP BY ALL`,
    );
    await connection.run(`CREATE TABLE counts AS ${ends.join(' UNION ALL ')}`);
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - start) / 1000, processorSeconds: (user + system) / 1e6 };
  } finally {
    instance.closeSync();
  }
}
