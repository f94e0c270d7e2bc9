import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editParquet, type LookAlike, sealAll } from './forgery.fixture.ts';

/** Parquet files that do not fit the CSV files, signed by the approvers themselves. */
export const PARQUET: LookAlike[] = [
  [
    'an hour row where the certificate has none',
    ['sums', 'hour-rows', 'parquet'],
    async (f) => {
      await editParquet(f, ({ cells, hours }) => hours.push({ ...cells[0]!, time: '07' }));
      await sealAll(f);
    },
  ],
  [
    'a Parquet file with another count',
    ['sums', 'parquet'],
    async (f) => {
      await editParquet(f, ({ cells }) => {
        cells[0]!.count += 1;
      });
      await sealAll(f);
    },
  ],
  [
    'a Parquet file that is cut',
    ['sums', 'metadata', 'parquet'],
    async (f) => {
      await writeFile(join(f, 'taps.parquet'), (await readFile(join(f, 'taps.parquet'))).subarray(0, 200));
      await sealAll(f);
    },
  ],
];
