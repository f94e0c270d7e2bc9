import { describe, expect, it } from 'vitest';
import { StageBench } from './stages.fixture.ts';

let bench: StageBench;

const CANARY = 'CANARY7f3a';
const DAY = '2026-03-02';
const HEAD = 'on_time,on_location,off_time,off_location\n';
const GOOD = `${DAY} 08:00,2000,${DAY} 08:20,2010\n`;
const goodRow = `TIMESTAMP '${DAY} 08:00' AS on_time, '2000' AS on_location, TIMESTAMP '${DAY} 08:20' AS off_time, '2010' AS off_location`;
const COUNTED = (mode: string): string[] => [`${mode} ${DAY} off 08:15 2010 = 1`, `${mode} ${DAY} on 08:00 2000 = 1`];

/** Rows of the greatest length, each with a text of its own, and what an accepted select may make of them. */
const LONG_ROWS = 8_000;
const longRow = (number: number): string => `${DAY} 09:00,${String(number).padStart(4096, CANARY)},,`;
const LONG_LINES = Array.from({ length: LONG_ROWS }, (_, number) => longRow(number)).join('\n');
/** Nineteen results of twice the limit, and one of the limit: nearly all that a select may make. */
const GREATEST_SELECT = `SELECT on_time, CASE WHEN concat(trim(on_location),
  ${Array.from({ length: 4 }, () => 'lower(on_location)').join(', ')}) IN (
  ${Array.from({ length: 10 }, () => 'upper(on_location)').join(', ')}) THEN 'x' ELSE on_location END AS on_location,
  off_time, off_location FROM source`;

describe('rows at the limits', () => {
  it('@contract C6: go through the greatest select, many at a time, in the memory of a small worker', async () => {
    bench = await StageBench.open({ days: 1, source: { columns: undefined, select: GREATEST_SELECT } });
    await bench.deliver(`${DAY}/bus.csv`, `${HEAD}${LONG_LINES}\n${GOOD}`);
    await bench.deliver(`${DAY}/train.csv`, HEAD + GOOD);
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toContain(`bus ${DAY} on 09:00 UNKNOWN = ${LONG_ROWS}`);
  });

  it('@contract C6: what a Parquet object holds uses up no memory: rows of absurd values are rejects, the others count', async () => {
    bench = await StageBench.open({ days: 1, source: { format: 'parquet', pattern: '{date}/{mode}.parquet' } });
    Object.assign(bench.context, { memoryMiB: 128 });
    // 120 MB in 30 values; on disk it is some kilobytes.
    const huge = `repeat('${CANARY}', 400000) || range`;
    const poison = `SELECT TIMESTAMP '${DAY} 08:00' AS on_time, ${huge} AS on_location,
      NULL::TIMESTAMP AS off_time, NULL::VARCHAR AS off_location FROM range(30) UNION ALL SELECT ${goodRow}`;
    await bench.deliverParquet(`${DAY}/bus.parquet`, poison);
    await bench.deliverParquet(`${DAY}/train.parquet`, `SELECT ${goodRow}`);
    const faults = await bench.count();
    expect(faults).toEqual([]);
    expect(await bench.allCells()).toEqual([...COUNTED('bus'), ...COUNTED('train')]);
    expect(await bench.reasons()).toEqual(Array(60).fill('value-unusable'));
    expect(JSON.stringify(faults) + (await bench.releaseStoreText())).not.toContain(CANARY);
    // DuckDB alone would have failed: that is known on the custodian side only.
    expect(await bench.diagnostics()).toContain(`read again ${DAY}/bus.parquet`);
  });
});
