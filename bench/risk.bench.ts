import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RiskReport, riskReport } from '../custodian/risk/report.ts';
import { stageRelation } from '../custodian/risk/table-file.ts';
import { withScratchFolder } from '../services/files/scratch-folder.ts';
import { type Database, literal, withDatabase } from '../services/sql/duckdb.ts';
import { writeFortnightTrips } from '../test/scale/fortnight.fixture.ts';
import { providePython } from '../test/support/python-environment.ts';
import { used } from './measuring.ts';

/**
 * The risk report of invented trips of a fortnight, six columns in bins of 15 minutes: seconds, and the highest resident
 * memory of the process; and beside it piflib 0.1.1 (PyPI) on what it can hold, with the greatest difference of the PIF
 * and of the columns' means. Run with `node bench/risk.bench.ts [millions of trips]`; one million takes about half a
 * minute. piflib goes into an environment of its own, made with python3 and kept in the cache. Target: 30 million
 * within 2 GB.
 */
const TRIPS = Number(process.argv[2] ?? 1) * 1_000_000;
const MEMORY_MIB = 1024;
const ROWS_OF_PIFLIB = [1000, 10_000, 100_000];

/** Prints seconds, the PIF, and the mean gain of each column. */
const PIFLIB = `
import sys, time, json
import pandas
from piflib.pif_calculator import compute_cigs, compute_pif
table = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
begin = time.perf_counter()
gains = compute_cigs(table)
pif = compute_pif(gains, 95)
print(json.dumps({"seconds": time.perf_counter() - begin, "numbers": [float(pif), *map(float, gains.mean())]}))
`;

const bin = (time: string): string => `strftime(time_bucket(INTERVAL 15 MINUTES, ${time}), '%H:%M')`;
const tripsOf = (
  folder: string,
): string => `SELECT mode, strftime(on_time, '%Y-%m-%d') AS day, ${bin('on_time')} AS on_time,
  on_stop, coalesce(${bin('off_time')}, '') AS off_time, coalesce(off_stop, '') AS off_stop
  FROM read_parquet(${literal(`${folder}/*.parquet`)})`;

async function reported(database: Database, folder: string, relation: string): Promise<RiskReport> {
  const staged = await stageRelation(database, folder, relation, { measured: null, id: null, order: null });
  const opened = {
    database,
    folder,
    staged,
    rules: null,
    levels: new Map(),
    missing: [],
    usual: { choices: [], cells: [] },
    chosenOn: null,
  };
  return riskReport(opened, { known: null, bins: [], key: Buffer.from('bench') });
}

const numbersOf = ({ risk }: RiskReport): number[] => [
  risk.rows.percentile95,
  ...risk.columns.map(({ gain }) => gain.mean),
];

await withScratchFolder(tmpdir(), async (scratch) => {
  await writeFortnightTrips(join(scratch, 'trips'), TRIPS);
  const piflib = await providePython('piflib', ['piflib==0.1.1']);
  if ('missing' in piflib) console.log(piflib.missing);
  for (const rows of 'missing' in piflib ? [] : ROWS_OF_PIFLIB)
    await withDatabase({ folder: scratch, memoryMiB: MEMORY_MIB }, async (database) => {
      const few = `SELECT * FROM (${tripsOf(join(scratch, 'trips'))}) ORDER BY hash(on_time, on_stop, off_time, off_stop) LIMIT ${rows}`;
      const file = join(scratch, `few-${rows}.csv`);
      await database.run(`COPY (${few}) TO ${literal(file)} (HEADER)`);
      const rowsOfFile = `SELECT * FROM read_csv(${literal(file)}, all_varchar = true, header = true)`;
      const [ours, report] = await used(() => reported(database, scratch, rowsOfFile));
      const { stdout, stderr } = spawnSync('python' in piflib ? piflib.python : '', ['-c', PIFLIB, file], {
        encoding: 'utf8',
      });
      if (stdout === '') throw new Error(stderr);
      const theirs: { seconds: number; numbers: number[] } = JSON.parse(stdout);
      const apart = Math.max(...numbersOf(report).map((bits, index) => Math.abs(bits - theirs.numbers[index]!)));
      console.log(
        `${rows} rows: ${ours.seconds.toFixed(1)} s for the whole report, piflib ${theirs.seconds.toFixed(1)} s for cells and PIF; greatest difference ${apart.toExponential(1)} bits`,
      );
    });
  await withDatabase({ folder: scratch, memoryMiB: MEMORY_MIB }, async (database) => {
    const relation = tripsOf(join(scratch, 'trips'));
    const [{ seconds, residentMiB }, report] = await used(() => reported(database, scratch, relation));
    console.log(
      `${report.rows} trips: ${seconds.toFixed(0)} s, ${residentMiB.toFixed(0)} MiB resident, PIF ${report.risk.rows.percentile95} bits`,
    );
  });
});
