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
  /** How long a result can be; core/select/growth.ts says what the names mean. */
  size: SizeRule;
  /** Places of the arguments (from 0) that must be constants. */
  constants?: readonly number[];
  /** Place of a regular expression among them. */
  regularExpression?: number;
  /** Place of the name of a time zone among them. */
  timeZone?: number;
  /** Place of a length among them; at most LONGEST_PADDING. */
  length?: number;
  /** Place of a JSON path among them: plain, without *, which would give a list that repeats nested parts. */
  jsonPath?: number;
};

export type SizeRule =
  | 'fixed'
  | 'first'
  | 'letters'
  | 'sum'
  | 'separated'
  | 'largest'
  | 'replace'
  | 'translate'
  | 'padding'
  | 'pattern'
  | 'format'
  | 'json'
  | 'end'
  | 'substring';

export const LONGEST_PADDING = 1000;

const FIXED: FunctionRule = { size: 'fixed' };
const FIRST: FunctionRule = { size: 'first' };
const PATTERN: FunctionRule = { size: 'fixed', constants: [1, 2, 3], regularExpression: 1 };
const PATH: FunctionRule = { size: 'json', constants: [1], jsonPath: 1 };

const same = (rule: FunctionRule, names: string): [string, FunctionRule][] =>
  names.split(' ').map((name) => [name, rule]);

/** Function name in lower case → what is asked of its arguments, and how long its result can be. */
export const ALLOWED_FUNCTIONS: ReadonlyMap<string, FunctionRule> = new Map([
  ...same({ size: 'letters' }, 'lower upper lcase ucase strip_accents'),
  ...same(FIRST, 'trim ltrim rtrim reverse split_part nullif'),
  ...same({ size: 'end' }, 'left right'),
  ...same({ size: 'substring' }, 'substring substr'),
  ...same({ size: 'sum' }, 'concat ||'),
  ...same({ size: 'separated' }, 'concat_ws'),
  ...same(FIXED, 'length strlen starts_with ends_with prefix suffix contains position instr strpos'),
  ...same({ size: 'replace', constants: [1, 2] }, 'replace'),
  ...same({ size: 'translate', constants: [1, 2] }, 'translate'),
  ...same({ size: 'padding', constants: [1, 2], length: 1 }, 'lpad rpad'),
  ...same({ size: 'fixed', constants: [1] }, '~~ !~~ ~~* !~~* ~~~'),
  ...same(PATTERN, 'regexp_matches regexp_full_match'),
  ...same({ ...PATTERN, size: 'first' }, 'regexp_extract'),
  ...same({ ...PATTERN, size: 'pattern' }, 'regexp_replace'),
  ...same({ size: 'largest' }, '+ - * / // % mod abs round floor ceil ceiling trunc sign greatest least'),
  ...same(FIXED, 'year month day hour minute second dayofweek isodow dayofyear'),
  ...same(FIXED, 'epoch epoch_ms epoch_us make_date make_time make_timestamp to_timestamp'),
  ...same(FIXED, 'to_days to_hours to_minutes to_seconds date_add'),
  ...same({ size: 'fixed', constants: [0] }, 'date_part datepart date_trunc datetrunc date_diff datediff'),
  ...same({ size: 'format', constants: [1] }, 'strftime'),
  ...same({ size: 'fixed', constants: [1] }, 'try_strptime'),
  ...same(PATH, 'json_extract_string ->>'),
  ...same({ size: 'fixed', constants: [0], timeZone: 0 }, 'timezone'),
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
