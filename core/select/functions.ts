/**
 * The functions that a series' own `select` may use: scalar functions of one row, the same for ever for the same
 * arguments. No aggregate, no generator, no table function, nothing that reads a clock, a setting, a file, a sequence
 * or randomness. The list names what is allowed; all else is refused, so a function that a later DuckDB brings is too.
 *
 * Errors that depend on a value are handled by rowSafeTree (row-safe.ts). Where that does not reach, an argument must
 * be constant: a time zone, a regular expression, a format and a LIKE pattern fail outside TRY or cannot be prepared;
 * a padding length or a replacement from a row could ask for gigabytes.
 */
export type FunctionRule = {
  /** Places of the arguments (from 0) that must be constants. */
  constants?: readonly number[];
  /** Place of a regular expression among them. */
  regularExpression?: number;
  /** Place of the name of a time zone among them. */
  timeZone?: number;
  /** Place of a length among them; at most LONGEST_PADDING. */
  length?: number;
};

export const LONGEST_PADDING = 1000;

const ANY: FunctionRule = {};
const REGULAR_EXPRESSION: FunctionRule = { constants: [1, 2, 3], regularExpression: 1 };
const UNIT_FIRST: FunctionRule = { constants: [0] };
const FORMAT_SECOND: FunctionRule = { constants: [1] };
const PADDING: FunctionRule = { constants: [1, 2], length: 1 };

const same = (rule: FunctionRule, names: string): [string, FunctionRule][] =>
  names.split(' ').map((name) => [name, rule]);

/** Function name in lower case → what is asked of its arguments. */
export const ALLOWED_FUNCTIONS: ReadonlyMap<string, FunctionRule> = new Map([
  ...same(ANY, 'lower upper lcase ucase trim ltrim rtrim length strlen reverse strip_accents'),
  ...same(ANY, 'substring substr left right split_part concat concat_ws || nullif'),
  ...same(ANY, 'starts_with ends_with prefix suffix contains position instr strpos'),
  ...same({ constants: [1, 2] }, 'replace translate'),
  ...same(PADDING, 'lpad rpad'),
  ...same(FORMAT_SECOND, '~~ !~~ ~~* !~~* ~~~'),
  ...same(REGULAR_EXPRESSION, 'regexp_extract regexp_replace regexp_matches regexp_full_match'),
  ...same(ANY, '+ - * / // % mod abs round floor ceil ceiling trunc sign greatest least'),
  ...same(ANY, 'year month day hour minute second dayofweek isodow dayofyear'),
  ...same(ANY, 'epoch epoch_ms epoch_us make_date make_time make_timestamp to_timestamp'),
  ...same(ANY, 'to_days to_hours to_minutes to_seconds date_add'),
  ...same(UNIT_FIRST, 'date_part datepart date_trunc datetrunc date_diff datediff'),
  ...same(FORMAT_SECOND, 'strftime try_strptime json_extract_string ->>'),
  ...same({ constants: [0], timeZone: 0 }, 'timezone'),
]);

/**
 * Names that are no column of a row: the place of a row in its file changes with other rows, and the rest are values
 * of the session that SQL writes without parentheses.
 */
export const REFUSED_COLUMNS: ReadonlySet<string> = new Set(
  (
    'rowid file_row_number file_index filename row_id current_date current_time current_timestamp localtime ' +
    'localtimestamp current_user session_user user current_role role current_catalog current_schema current_database'
  ).split(' '),
);

/** Types that a cast may name. */
export const CAST_TYPES: ReadonlySet<string> = new Set([
  ...'BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT FLOAT DOUBLE'.split(' '),
  ...'DECIMAL VARCHAR DATE TIME TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS INTERVAL'.split(' '),
  'TIMESTAMP WITH TIME ZONE',
]);
