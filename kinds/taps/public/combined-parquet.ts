import { type CountTable, countTableBuilder } from '../../../core/derive/count-table.ts';
import { daysByNumber, visitParquet } from './parquet-file.ts';

/**
 * taps.parquet of earlier builds, the first generation among them: cells, hour rows and remainder rows in one file.
 * Nothing writes it any more; publications that have it are read for ever.
 */
export const COMBINED_FILES = { rows: 'taps.parquet', remainder: 'remainder.csv', margins: 'margins.csv' } as const;

/** Its columns; `kind` tells cells, hour rows (their time is the hour) and remainder rows apart. */
export const COMBINED_COLUMNS = ['kind', 'mode', 'date', 'tap', 'time', 'loc', 'count'] as const;

export type CombinedRows = Record<'cells' | 'hours' | 'remainder', CountTable>;

/** The table of each kind of row, in the order of the file. */
const LISTS = { cell: 'cells', hour: 'hours', remainder: 'remainder' } as const satisfies Record<
  string,
  keyof CombinedRows
>;
const KINDS = Object.keys(LISTS);

/** Reads the rows of the file. Throws when it is not one that those builds made. Cost: O(rows). */
export async function readCombined(bytes: Uint8Array): Promise<CombinedRows> {
  const tables = { cells: countTableBuilder(), hours: countTableBuilder(), remainder: countTableBuilder() };
  let last = 0;
  const dayOf = daysByNumber();
  await visitParquet(bytes, COMBINED_COLUMNS, ({ rows, texts, columns }) => {
    for (let at = 0; at < rows; at++) {
      const text = (column: (typeof COMBINED_COLUMNS)[number]): string => texts[columns[column]![at]!]!;
      const place = KINDS.indexOf(text('kind'));
      if (place < 0) throw new SyntaxError('a row is of no known kind');
      if (place < last) throw new SyntaxError(`a row of the kind ${KINDS[place]} follows ${KINDS[last]}`);
      last = place;
      const table = tables[Object.values(LISTS)[place]!];
      const [day, count] = [dayOf(columns.date![at]!), columns.count![at]!];
      table.add(text('mode'), day, text('tap'), text('time'), text('loc'), count);
    }
  });
  return { cells: tables.cells.table(), hours: tables.hours.table(), remainder: tables.remainder.table() };
}
