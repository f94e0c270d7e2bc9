import type { TableShape } from '../../core/table/published-table.ts';
import { type CountTable, columnsOfTable, tableOfColumns } from '../../counts/derive/count-table.ts';
import type { PublishedTable } from '../../counts/tables/tap-tables.ts';
import { TAPS_TABLES, tapsColumns } from '../../kinds/taps/public/tables.ts';
import { readTable } from '../../services/publication/parquet-columns.ts';
import { type CsvDates, formatTable, parseTable } from '../../services/publication/table-csv.ts';
import { writeParquet } from '../../services/publication/table-parquet.ts';

/** Bins of the small series. */
const BIN_MINUTES = 15;
/** A label that is no time has the moments of midnight: forgeries have such rows. */
function columnsOf(name: PublishedTable, table: CountTable) {
  const times = table.times.map((label) => (/^\d\d:\d\d$/.test(label) ? label : '00:00'));
  const { time } = columnsOfTable(table);
  return { ...tapsColumns(TAPS_TABLES[name], { ...table, times }, BIN_MINUTES), time };
}

/** A table of taps as the bytes of its CSV file. */
export const csvOf = (name: PublishedTable, table: CountTable, dates: CsvDates = 'iso'): Buffer =>
  formatTable(TAPS_TABLES[name], columnsOf(name, table), dates);

export const tableOfCsv = (name: PublishedTable, text: string, dates: CsvDates = 'iso'): CountTable =>
  tableOfColumns(parseTable(TAPS_TABLES[name], text, dates));

/** The same as the bytes of its Parquet file. */
export async function parquetOf(scratch: string, name: PublishedTable, table: CountTable): Promise<Buffer> {
  const [bytes] = await writeParquet(scratch, [{ table: TAPS_TABLES[name], rows: columnsOf(name, table) }]);
  return bytes!;
}

/** The Parquet file with the rows of a CSV file. */
export async function parquetOfCsv(scratch: string, table: TableShape, csv: Buffer): Promise<Buffer> {
  const [bytes] = await writeParquet(scratch, [{ table, rows: parseTable(table, csv.toString('utf8')) }]);
  return bytes!;
}

export const tableOfParquet = async (
  name: PublishedTable,
  bytes: Uint8Array,
  mostRows = 20_000_000,
): Promise<CountTable> => tableOfColumns(readTable(TAPS_TABLES[name], bytes, mostRows));
