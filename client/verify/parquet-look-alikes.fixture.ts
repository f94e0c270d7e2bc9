import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from '../../contracts/names.ts';
import { editParquet, editTotals, type LookAlike, sealAll, writeTables } from './forgery.fixture.ts';

/** Parquet files that do not fit the CSV files, signed by the approvers themselves. */
export const PARQUET: LookAlike[] = [
  [
    'an hour row where the certificate has none',
    ['sums', 'hour-rows', 'totals'],
    async (f) => {
      const row = { mode: 'bus', day: '2026-03-02', tap: 'on', time: '07:00', location: 'Manly', count: 90 } as const;
      await writeTables(f, 'hours', [row]);
      await sealAll(f);
    },
  ],
  [
    'a Parquet file with another count',
    ['sums', 'parquet', 'totals'],
    async (f) => {
      await editParquet(f, 'time-location', (cells) => {
        cells[0]!.count += 1;
      });
      await sealAll(f);
    },
  ],
  [
    'a Parquet file with counts in another place',
    ['sums', 'parquet'],
    async (f) => {
      await editParquet(f, 'time', (times) => {
        times[0]!.count += 1;
        times[1]!.count -= 1;
      });
      await sealAll(f);
    },
  ],
  [
    'a Parquet file that is cut',
    ['sums', 'metadata', 'parquet', 'history'],
    async (f) => {
      const path = join(f, 'time-location.parquet');
      await writeFile(path, (await readFile(path)).subarray(0, 200));
      await sealAll(f);
    },
  ],
  [
    'a row of all times, under the times',
    ['metadata'],
    async (f) => {
      const row = { mode: 'bus', day: '2026-03-02', tap: 'on', time: '*', location: '*', count: 90 } as const;
      await writeTables(f, 'remainder-time', [row]);
      await sealAll(f);
    },
  ],
  [
    'totals with a tap moved from one day to the next',
    ['sums'],
    async (f) => {
      const moves: Readonly<Record<number, number>> = { 112: 111, 1000: 1001 };
      await editTotals(f, (total) => ({ ...total, count: moves[total.count] ?? total.count }));
      await sealAll(f);
    },
  ],
  [
    'no totals',
    ['description', 'history', 'metadata'],
    async (f) => {
      for (const form of ['csv', 'parquet'] as const) await rm(join(f, FILES.table('totals', form)));
      await sealAll(f);
    },
  ],
];
