import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withScratchFolder } from '../../../activities/scratch-folder.ts';
import { literal, withDatabase } from '../../../activities/sql/duckdb.ts';
import { formatCsvRecord } from '../../../core/csv/csv.ts';
import type { StatusRow } from '../status.ts';

/** One thread: the order of rows, and with it the bytes, are fixed. */
const MEMORY_MIB = 512;

/**
 * The rows as Parquet, in the order given.
 *
 * @contract C18 Equal rows give equal bytes: one thread, fixed writer settings, no key-value entries. The bytes still
 * depend on the version of DuckDB, which the footer names.
 */
export const formatParquet = (scratch: string, rows: readonly StatusRow[]): Promise<Buffer> =>
  withScratchFolder(scratch, async (folder) => {
    const [csv, parquet] = [join(folder, 'rows.csv'), join(folder, 'rows.parquet')];
    const records = rows.map(({ part, day, run, sequence, stop, departure, vehicle, status }, place) =>
      formatCsvRecord([String(place), part, day, run, String(sequence), stop, departure, vehicle, status]),
    );
    await writeFile(csv, ['place,part,date,run,sequence,stop,departure,vehicle,status', ...records, ''].join('\n'));
    await withDatabase({ folder, memoryMiB: MEMORY_MIB }, (database) =>
      database.run(
        `COPY (SELECT part, date::DATE AS date, run, sequence::INTEGER AS sequence, stop, departure, vehicle, status
         FROM read_csv(${literal(csv)}, header = true, all_varchar = true, auto_detect = false, delim = ',', quote = '"',
           escape = '"', nullstr = '\\0', columns = ${CSV_COLUMNS})
         ORDER BY place::INTEGER)
         TO ${literal(parquet)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880, PARQUET_VERSION v1)`,
      ),
    );
    return readFile(parquet);
  });

const CSV_COLUMNS = `{place: 'VARCHAR', part: 'VARCHAR', date: 'VARCHAR', run: 'VARCHAR', sequence: 'VARCHAR',
  stop: 'VARCHAR', departure: 'VARCHAR', vehicle: 'VARCHAR', status: 'VARCHAR'}`;
