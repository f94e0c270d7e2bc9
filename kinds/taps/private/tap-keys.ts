import { OpalineError } from '../../../contracts/errors.ts';
import { readClockFormat } from '../../../core/calendar/clock-format.ts';
import type { ObjectName } from '../../../core/source-pattern/pattern.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import { listEnds, type Tap } from '../../../counts/tables/tap-tables.ts';
import { literal } from '../../../services/sql/duckdb.ts';
import { isJson, type TapsSeries } from '../series.ts';
import { isWhole, UNUSABLE } from './canonical-rows.ts';
import { MINUTES_PER_DAY_KEY, type Reading } from './tap-calendar.ts';

/**
 * SQL expressions that turn the canonical columns of one row into the keys by which its taps are grouped: an integer
 * slot and the location as the source names it. Every expression is a function of its row, and none can fail on a
 * value: what cannot be read becomes one of the slots below, which name a problem.
 */

/** Slots that are no time. All are before EARLIEST. Slots have 32 bits, so that rows to group are short. */
export const NO_TIME = {
  /** The tap is not in the row: a trip without tap-off, and the like. */
  absent: -2_000_000_001,
  /** No tap of the row is there. */
  'no-tap': -2_000_000_002,
  'time-unreadable': -2_000_000_003,
  'time-outside-day': -2_000_000_004,
  'card-missing': -2_000_000_005,
  'tap-unknown': -2_000_000_006,
  'value-unusable': -2_000_000_007,
} as const;

/** What the expressions of one tap are built from. */
export type TapColumns = { tap: Tap | 'either'; reading: Reading; slot: string; location: string };

export type Columns = ReadonlyMap<string, string>;
/** `slot`: not longer than 64 bits. `usual`: the same slot of most rows at less cost; NULL where it says nothing. */
type SlotRule = { reading: Reading; absent: string; slot: string; usual?: string };
type DaySeries = Pick<TapsSeries, 'source' | 'privacy'> & {
  dayMinutes: { starts: number; ends: number; step: number };
  /** No slot of the calendar is before 1970-01-02. */
  after1970: boolean;
};

const unusable = (column: string, type: string): OpalineError =>
  new OpalineError('OBJECT_SCHEMA', `The column for ${column} has the type ${type}, which cannot be used there.`);

const noColumn = (what: string): OpalineError =>
  new OpalineError('OBJECT_SCHEMA', `An object yields no column for ${what}.`);

const isInteger = (type: string): boolean => /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type);
/** Types whose text people would write: not lists, structs, binary data. */
const isPlain = (type: string): boolean =>
  /^(VARCHAR|JSON|BOOLEAN|UUID|FLOAT|DOUBLE|DATE|ENUM\(.*\)|DECIMAL\(.*\))$/.test(type) || isInteger(type);

const text = (column: string, type: string): string => {
  if (!isPlain(type)) throw unusable(column, type);
  return type === 'VARCHAR' ? column : `CAST(${column} AS VARCHAR)`;
};
const isBlank = (value: string): string => `(${value} IS NULL OR trim(${value}) = '')`;

/** A clock with date and time; an offset is at the end when the source writes one. */
const CLOCK = String.raw`\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?`;
const OFFSETS = { local: '', utc: 'Z?', offset: String.raw` ?(Z|[+-]\d{2}(:?\d{2})?)` } as const;

/** Microseconds of one of what a clock counts. */
const UNIX = { 'unix-seconds': 1_000_000, 'unix-milliseconds': 1_000 } as const;
const countsFrom1970 = (clock: TapsSeries['source']['clock']): clock is keyof typeof UNIX =>
  typeof clock === 'string' && clock in UNIX;

/** A count since 1970 that is no mistake, in microseconds: until the year 5138. Beyond, arithmetic could run over. */
const LAST_MICROSECOND = 100_000_000_000_000_000;

const unreadable = NO_TIME['time-unreadable'];

/** Microseconds of a slot. */
const slotLength = ({ dayMinutes }: DaySeries): number => dayMinutes.step * 60_000_000;

/** What is before this is before every calendar: the year 1 has slots of 5 minutes above it. */
const EARLIEST = -1_000_000_000;

/** The slot of a number of microseconds; NULL is no time. DuckDB's // cuts towards 0, and a slot begins before. */
function slotOf(microseconds: string, series: DaySeries): string {
  const length = slotLength(series);
  const before = `greatest((${microseconds} + 1) // ${length} - 1, ${EARLIEST})`;
  return `coalesce(CASE WHEN ${microseconds} < 0 THEN ${before} ELSE ${microseconds} // ${length} END, ${unreadable})`;
}

/**
 * Of a column of timestamps: no sign is looked at. Slots that are cut wrong are not more than 0, and in no calendar that
 * begins later.
 */
const usualSlot = (column: string, series: DaySeries): Pick<SlotRule, 'usual'> =>
  series.after1970 ? { usual: `epoch_us(${column}) // ${slotLength(series)}` } : {};

/** Of text that is what DuckDB writes for its timestamp, to the second: a pattern costs several times as much. */
function usualText(column: string, series: DaySeries): Pick<SlotRule, 'usual'> {
  const timestamp = `TRY_CAST(${column} AS TIMESTAMP)`;
  const { usual } = usualSlot(timestamp, series);
  const isUsual = `strlen(${column}) = ${'2026-03-02 08:00:00'.length} AND CAST(${timestamp} AS VARCHAR) = ${column}`;
  return usual === undefined ? {} : { usual: `CASE WHEN ${isUsual} THEN ${usual} END` };
}

function timestampSlot(column: string, type: string, series: DaySeries): SlotRule {
  const { clock } = series.source;
  const slot = (timestamp: string): string => slotOf(`epoch_us(${timestamp})`, series);
  // A timestamp with time zone is a moment, whatever the clock of the series; others are read by that clock.
  if (type === 'TIMESTAMP WITH TIME ZONE')
    return { reading: 'instant', absent: `${column} IS NULL`, slot: slot(column), ...usualSlot(column, series) };
  if (countsFrom1970(clock)) return unixSlot(column, type, UNIX[clock], series);
  const zone = typeof clock === 'string' ? clock : clock.zone;
  const reading = zone === 'local' ? 'wall' : 'instant';
  if (/^TIMESTAMP(_S|_MS|_NS)?$/.test(type) && zone !== 'offset')
    return {
      reading,
      absent: `${column} IS NULL`,
      slot: slot(type === 'TIMESTAMP' ? column : `TRY_CAST(${column} AS TIMESTAMP)`),
      ...(type === 'TIMESTAMP' && usualSlot(column, series)),
    };
  if (type !== 'VARCHAR') throw unusable(column, type);
  const content = `trim(${column})`;
  const [pattern, timestamp] =
    typeof clock === 'string'
      ? [CLOCK + OFFSETS[clock], `TRY_CAST(${content} AS ${clock === 'offset' ? 'TIMESTAMPTZ' : 'TIMESTAMP'})`]
      : [readClockFormat(clock.format).pattern, `try_strptime(${content}, ${literal(clock.format)})`];
  return {
    reading,
    absent: isBlank(column),
    ...(typeof clock === 'string' && clock !== 'offset' && usualText(column, series)),
    slot: `CASE WHEN regexp_full_match(${content}, ${literal(pattern)}) THEN ${slot(timestamp)} ELSE ${unreadable} END`,
  };
}

/** A count of seconds or milliseconds, parts of one cut off. `unit`: microseconds of one. */
function unixSlot(column: string, type: string, unit: number, series: DaySeries): SlotRule {
  if (/^(DATE|BOOLEAN|UUID)$/.test(type)) throw unusable(column, type);
  const value = `trim(${text(column, type)})`;
  const whole = isInteger(type)
    ? column
    : `CASE WHEN regexp_full_match(${value}, '-?[0-9]{1,18}([.][0-9]{1,9})?') THEN TRY_CAST(split_part(${value}, '.', 1) AS BIGINT) END`;
  const most = LAST_MICROSECOND / unit;
  return {
    reading: 'instant',
    absent: isInteger(type) ? `${column} IS NULL` : isBlank(value),
    slot: `CASE WHEN (${whole}) BETWEEN ${-most} AND ${most} THEN ${slotOf(`(CAST((${whole}) AS BIGINT) * ${unit})`, series)}
      ELSE ${unreadable} END`,
  };
}

/** Days that are no mistake; a day number outside them would be no day of the calendar. */
const DAYS = "BETWEEN DATE '1900-01-01' AND DATE '2999-12-31'";

function dayExpression(column: string, type: string): string {
  if (type === 'DATE') return column;
  if (/^TIMESTAMP(_S|_MS|_NS)?$/.test(type)) return `TRY_CAST(${column} AS DATE)`;
  const value = `trim(${text(column, type)})`;
  return `CASE WHEN regexp_full_match(${value}, '\\d{4}-\\d{2}-\\d{2}') THEN TRY_CAST(${value} AS DATE)
    WHEN regexp_full_match(${value}, '\\d{8}') THEN TRY_CAST(try_strptime(${value}, '%Y%m%d') AS DATE) END`;
}

function minuteSlot(dayColumn: string, minuteColumn: string, types: Columns, series: DaySeries): SlotRule {
  const { starts, ends, step } = series.dayMinutes;
  const minuteType = types.get(minuteColumn)!;
  const value = text(minuteColumn, minuteType);
  // Whole minutes; a writer that knows no missing integers writes 15.0.
  const minute = isInteger(minuteType)
    ? minuteColumn
    : `CASE WHEN regexp_full_match(trim(${value}), '\\d{1,6}(\\.0+)?') THEN TRY_CAST(split_part(trim(${value}), '.', 1) AS INTEGER) END`;
  const day = dayExpression(dayColumn, types.get(dayColumn)!);
  return {
    reading: 'minute',
    absent: isInteger(minuteType) ? `${minuteColumn} IS NULL` : isBlank(value),
    slot: `CASE WHEN (${minute}) IS NULL OR (${day}) IS NULL OR NOT (${day}) ${DAYS} THEN ${NO_TIME['time-unreadable']}
      WHEN NOT (${minute}) BETWEEN ${starts} AND ${ends - 1} THEN ${NO_TIME['time-outside-day']}
      ELSE ((${day}) - DATE '1970-01-01') * ${MINUTES_PER_DAY_KEY} + CAST((${minute}) AS BIGINT) // ${step} * ${step} END`,
  };
}

function slotRule(prefix: '' | 'on_' | 'off_', types: Columns, series: DaySeries): SlotRule {
  const [time, day, minute] = [`${prefix}time`, `${prefix}day`, `${prefix}minute`];
  const timeType = types.get(time);
  if (timeType !== undefined) return timestampSlot(time, timeType, series);
  if (types.has(day) && types.has(minute)) return minuteSlot(day, minute, types, series);
  throw noColumn(`${time}, or for ${day} and ${minute}`);
}

function columnText(column: string, types: Columns): string {
  const type = types.get(column);
  if (type === undefined) throw noColumn(column);
  return text(column, type);
}

/** The expressions of the taps that the series counts. Throws OBJECT_SCHEMA when a column is missing or unusable. */
export function tapColumns(types: Columns, series: DaySeries): TapColumns[] {
  if (series.source.rows === 'taps') {
    const tap = `lower(trim(${columnText('tap', types)}))`;
    const rule = slotRule('', types, series);
    const slot = `CASE WHEN ${tap} IS NULL OR ${tap} NOT IN ('on', 'off') THEN ${NO_TIME['tap-unknown']}
      WHEN ${rule.absent} THEN ${NO_TIME['no-tap']} ELSE ${rule.slot} END`;
    const location = columnText('location', types);
    return [{ tap: 'either', reading: rule.reading, slot: guard(slot, types, series), location }];
  }
  const rules = listEnds(series.privacy.publish).map((tap) => ({ tap, ...slotRule(`${tap}_`, types, series) }));
  const nothing = rules.map(({ absent }) => `(${absent})`).join(' AND ');
  return rules.map(({ tap, reading, absent, slot, usual }, index) => {
    // A row without any tap is one reject, not two: the first tap names it.
    const none = index === 0 ? `WHEN ${nothing} THEN ${NO_TIME['no-tap']}` : '';
    const whole = `CASE ${none} WHEN ${absent} THEN ${NO_TIME.absent} ELSE ${slot} END`;
    return {
      tap,
      reading,
      slot: guard(usual ? `coalesce(${usual}, ${whole})` : whole, types, series),
      location: columnText(`${tap}_location`, types),
    };
  });
}

/** Values of JSON that are neither text nor whole numbers, as they are written out. */
const NO_ID = String.raw`-?\d+(\.\d+([eE][+-]?\d+)?|[eE][+-]?\d+)|true|false|[{\[].*`;

/** `id`: the card of a row as text, which is equal for equal cards. `missing`: has the row none? */
type Card = { id: string; missing: string };

/**
 * The card of a row; null when the unit of the series is no card. A column with a type has the one that the series
 * declares, and text of an untyped format is a whole number where it is written as one. Throws OBJECT_SCHEMA.
 *
 * @contract C2
 */
function cardOf(types: Columns, { source, privacy }: Pick<TapsSeries, 'source' | 'privacy'>): Card | null {
  if (UNITS[privacy.unit].cardScope === null) return null;
  const type = types.get('card');
  if (type === undefined) throw noColumn('card');
  const content = 'trim(card)';
  if (source.card === 'number' && isWhole(type)) return { id: 'CAST(card AS VARCHAR)', missing: 'card IS NULL' };
  if (type !== 'VARCHAR' || (source.card === 'number' && source.format === 'parquet')) throw unusable('card', type);
  if (source.card === 'number') {
    const id = `CASE WHEN CAST(TRY_CAST(${content} AS HUGEINT) AS VARCHAR) = ${content} THEN ${content} END`;
    return { id, missing: `${id} IS NULL` };
  }
  if (isJson(source) && source.select !== undefined) {
    const id = `CASE WHEN NOT regexp_full_match(${content}, ${literal(NO_ID)}) THEN ${content} END`;
    return { id, missing: isBlank(id) };
  }
  // To trim costs more than all else that is looked at: most cards begin with a letter or a figure, and are no blank.
  return { id: content, missing: `(card BETWEEN '!' AND '~') IS NOT TRUE AND ${isBlank(content)}` };
}

/** The card of a row as text; null when the unit of the series is no card. */
export const cardText = (types: Columns, series: Pick<TapsSeries, 'source' | 'privacy'>): string | null =>
  cardOf(types, series)?.id ?? null;

/**
 * A row with a value over the limit is a reject (C5), and for the card units one without card id (C2). The slot has 32
 * bits; NULL is later than every calendar.
 */
function guard(slot: string, types: Columns, series: DaySeries): string {
  const card = cardOf(types, series);
  const clause = card === null ? '' : `WHEN ${card.missing} THEN ${NO_TIME['card-missing']}`;
  return `TRY_CAST(CASE WHEN ${UNUSABLE} THEN ${NO_TIME['value-unusable']} ${clause} ELSE ${slot} END AS INTEGER)`;
}

/**
 * The mode of a row as the source names it: its own column, or what the object's name or the series says. Throws
 * OBJECT_SCHEMA where none of them says one.
 */
export function modeText(types: Columns, { mode }: ObjectName, { modes }: Pick<TapsSeries, 'modes'>): string {
  const type = types.get('mode');
  if (type !== undefined) return `trim(${text('mode', type)})`;
  const name = mode ?? (modes.length === 1 ? modes[0] : undefined);
  if (name !== undefined) return literal(name);
  throw new OpalineError('OBJECT_SCHEMA', 'An object yields no column for mode, and its name declares none.');
}
