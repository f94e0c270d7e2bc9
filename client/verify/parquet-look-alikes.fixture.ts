import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editParquet, sealAll } from './forgery.fixture.ts';

/** A publication that is not what it seems: its name, the checks that catch it, and how it is made in a folder. */
export type LookAlike = [name: string, expected: string[], forge: (folder: string) => Promise<void>];

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
