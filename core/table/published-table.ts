/** What a column can hold: its type to DuckDB, in the footer of a Parquet file, and to Data Package v2. */
export const COLUMN_TYPES = {
  text: { isCoded: true, sql: 'VARCHAR', stored: 'UTF8', described: 'string' },
  /** A number as a public list writes it, or an empty text: a double in Parquet, empty where there is none. */
  listed: { isCoded: true, sql: 'DOUBLE', stored: 'DOUBLE', described: 'number' },
  /** A day, as its text YYYY-MM-DD. */
  day: { isCoded: true, sql: 'DATE', stored: 'DATE', described: 'date' },
  /** A moment of a local clock, as its text YYYY-MM-DDTHH:MM:SS. */
  moment: { isCoded: true, sql: 'TIMESTAMP', stored: 'TIMESTAMP_MICROS', described: 'datetime' },
  /** A whole number of 32 bits. */
  small: { isCoded: false, sql: 'INTEGER', stored: 'INT_32', described: 'integer' },
  /** A safe integer. */
  integer: { isCoded: false, sql: 'BIGINT', stored: 'INT_64', described: 'integer' },
  /** A number with six decimals, as its millionths, a safe integer that is not negative. */
  decimal: { isCoded: false, sql: 'DECIMAL(18, 6)', stored: 'DECIMAL', described: 'number' },
} as const;

export type ColumnType = keyof typeof COLUMN_TYPES;

/** What a table says about a column. */
export type ColumnMeaning = {
  description: string;
  /** All values that it can have, where they are few. */
  values?: readonly string[];
  /** How a day is written, where it is not as ISO 8601, in the words of strftime. */
  format?: string;
  /** May be empty. */
  optional?: boolean;
};

/** `field` is what a column holds of a row; `meaning` depends on public facts where it is a function of them. */
export type TableColumn<Field extends string, Facts> = {
  name: string;
  field: Field;
  type: ColumnType;
  meaning: string | ((facts: Facts) => ColumnMeaning);
};

/** Makes the columns of tables whose words depend on such facts. */
export const columnsFor =
  <Facts>() =>
  <Field extends string>(
    name: string,
    field: Field,
    type: ColumnType,
    meaning: TableColumn<Field, Facts>['meaning'],
  ): TableColumn<Field, Facts> => ({ name, field, type, meaning });

/**
 * A published table, in one place: what writes its CSV and its Parquet, reads them, compares them and describes them goes
 * by this. Rows are in the order of the fields of `key`, which distinguish them.
 */
export type TableDefinition<Field extends string = string, Facts = never> = {
  name: string;
  title: string;
  description: string;
  columns: readonly TableColumn<Field, Facts>[];
  key: readonly Field[];
};

/** As much of a table as its files show. */
export type TableShape<Field extends string = string> = Pick<TableDefinition<Field>, 'columns'>;

/** Of each row the place of its text among `texts`. */
export type Coded = { readonly texts: readonly string[]; readonly codes: Uint32Array };

/** The values of a column: texts and days by their codes, all else as numbers. */
export type ColumnValues = Coded | Float64Array;

/** The rows of a table in columns, by field. */
export type ColumnsOfTable<Field extends string = string> = Readonly<Record<Field, ColumnValues>>;

/** One row of a table: texts, days and numbers. */
export type TableRow<Field extends string = string> = Readonly<Record<Field, string | number>>;

export const rowsIn = (columns: ColumnsOfTable): number => {
  const [first] = Object.values(columns);
  return first === undefined ? 0 : first instanceof Float64Array ? first.length : first.codes.length;
};

/** Numbers texts as they come, each once. */
export function textNumbers(): { texts: string[]; numberOf(text: string): number } {
  const [texts, numbers] = [[] as string[], new Map<string, number>()];
  const numberOf = (text: string): number => {
    const code = numbers.get(text);
    if (code !== undefined) return code;
    numbers.set(text, texts.length);
    return texts.push(text) - 1;
  };
  return { texts, numberOf };
}

/** Texts, one for each row, by their codes. */
export function encodeTexts(all: readonly string[]): Coded {
  const { texts, numberOf } = textNumbers();
  return { texts, codes: Uint32Array.from(all, numberOf) };
}

/** Rows in columns; for tables of few rows. */
export const columnsOfRows = <Field extends string>(
  { columns }: TableShape<Field>,
  rows: readonly TableRow<Field>[],
): ColumnsOfTable<Field> =>
  Object.fromEntries(
    columns.map(({ field, type }) => {
      const values = rows.map((row) => row[field]);
      return [field, COLUMN_TYPES[type].isCoded ? encodeTexts(values.map(String)) : Float64Array.from(values, Number)];
    }),
  ) as ColumnsOfTable<Field>;

/** The rows that columns hold, in their order; for tables of few rows. */
export function rowsOfColumns<Field extends string>(columns: ColumnsOfTable<Field>): TableRow<Field>[] {
  const fields = Object.entries<ColumnValues>(columns);
  return Array.from({ length: rowsIn(columns) }, (_, at) =>
    Object.fromEntries(
      fields.map(([field, values]) => [
        field,
        values instanceof Float64Array ? values[at]! : values.texts[values.codes[at]!]!,
      ]),
    ),
  ) as TableRow<Field>[];
}

/** Order of rows by some fields (C18): texts by UTF-16 code units. */
export const byFields =
  <Field extends string>(fields: readonly Field[]) =>
  (a: TableRow<Field>, b: TableRow<Field>): number => {
    const field = fields.find((one) => a[one] !== b[one]);
    return field === undefined ? 0 : a[field] < b[field] ? -1 : 1;
  };
