import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withScratchFolder } from '../files/scratch-folder.ts';
import { identifier, literal, withDatabase } from '../sql/duckdb.ts';
import type { Column } from './csv-parquet.ts';

/** One thread: the order of rows, and with it the bytes, are fixed. */
const MEMORY_MIB = 512;

/**
 * The rows of a published CSV file as Parquet, in their order.
 *
 * @contract C18 Equal rows give equal bytes: one thread, fixed writer settings, no key-value entries. The bytes still
 * depend on the version of DuckDB, which the footer names.
 */
export const formatParquetTable = (scratch: string, columns: readonly Column[], table: Buffer): Promise<Buffer> =>
  withScratchFolder(scratch, async (folder) => {
    const [csv, parquet] = [join(folder, 'rows.csv'), join(folder, 'rows.parquet')];
    await writeFile(csv, table);
    const texts = columns.map(({ name }) => `${literal(name)}: 'VARCHAR'`);
    const typed = columns.map(({ name, type }) => `${identifier(name)}::${type} AS ${identifier(name)}`);
    await withDatabase({ folder, memoryMiB: MEMORY_MIB }, (database) =>
      database.run(
        `COPY (SELECT ${typed.join(', ')} FROM read_csv(${literal(csv)}, header = true, auto_detect = false,
           delim = ',', quote = '"', escape = '"', nullstr = '\\0', columns = {${texts.join(', ')}}))
         TO ${literal(parquet)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880, PARQUET_VERSION v1)`,
      ),
    );
    return readFile(parquet);
  });
