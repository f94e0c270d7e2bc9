import { addDays, dayNumber, isCivilDay, weekdayIndex } from '../calendar/civil-day.ts';

/**
 * What the keys of objects say about time: a day, or a month, a quarter or a year of the calendar that their rows are
 * in, or a week of ISO 8601, from Monday on.
 */

export type Field = 'year' | 'quarter' | 'month' | 'day' | 'weekYear' | 'week';
/** Digits of the fields that a key names. */
export type TimeFields = Partial<Record<Field, string>>;

/** The placeholders of one field each. */
export const FIELD_PLACEHOLDERS: Readonly<Record<string, Field>> = {
  '{yyyy}': 'year',
  '{mm}': 'month',
  '{dd}': 'day',
  '{q}': 'quarter',
  '{gggg}': 'weekYear',
  '{ww}': 'week',
};

/** The placeholders that stand for several fields and what is between them. */
export const TIME_PLACEHOLDERS: Readonly<Record<string, string>> = {
  '{date}': '{yyyy}-{mm}-{dd}',
  '{yyyymmdd}': '{yyyy}{mm}{dd}',
  '{month}': '{yyyy}-{mm}',
  '{yyyymm}': '{yyyy}{mm}',
  '{quarter}': '{yyyy}-Q{q}',
  '{week}': '{gggg}-W{ww}',
};

/** What a key holds where its pattern has a field. */
export const FIELD_TEXTS: Readonly<Record<Field, RegExp>> = {
  year: /^\d{4}/,
  month: /^\d{2}/,
  day: /^\d{2}/,
  quarter: /^[1-4]/,
  weekYear: /^\d{4}/,
  week: /^\d{2}/,
};

/** What an object covers: a day, a longer period (`2026-03`, `2026-Q1`, `2026-W14`, `2026`), or neither. */
export type Coverage = { date?: string; period?: string };

type Period = 'week' | 'month' | 'quarter' | 'year';

/** How fine a pattern is; null: it names no time. Undefined: what it names does not make one, `{mm}` without a year. */
export function grain(fields: ReadonlySet<string>): 'day' | Period | null | undefined {
  const has = (...names: Field[]): boolean => names.every((name) => fields.has(name));
  if (fields.size === 0) return null;
  if (has('year', 'month', 'day')) return 'day';
  if (has('weekYear', 'week') && fields.size === 2) return 'week';
  if (fields.has('day') || fields.has('week') || fields.has('weekYear') || !has('year')) return undefined;
  return has('month') ? 'month' : has('quarter') ? 'quarter' : 'year';
}

const quarterOf = (month: string): string => String(Math.floor((Number(month) - 1) / 3) + 1);

/** All fields of a day YYYY-MM-DD. A week is of the year of its Thursday, and that of 4 January is the first. */
export function fieldsOfDay(date: string): Required<TimeFields> {
  const [year = '', month = '', day = ''] = date.split('-');
  const thursday = addDays(mondayOf(date), 3);
  const weekYear = thursday.slice(0, 4);
  const week = (dayNumber(thursday) - dayNumber(mondayOf(`${weekYear}-01-04`)) + 4) / 7;
  return { year, month, day, quarter: quarterOf(month), weekYear, week: String(week).padStart(2, '0') };
}

const mondayOf = (day: string): string => addDays(day, -weekdayIndex(day));

/** The first day of a period, in whose form all periods are written. */
export function firstDayOf(period: string): string {
  const [year = '', rest = '01'] = period.split('-');
  if (rest.startsWith('W')) return addDays(mondayOf(`${year}-01-04`), 7 * (Number(rest.slice(1)) - 1));
  const month = rest.startsWith('Q') ? String(3 * Number(rest.slice(1)) - 2).padStart(2, '0') : rest;
  return `${year}-${month}-01`;
}

/** What these fields cover; null when there is no such day, week or month, or it is not in what else they name. */
export function coverage(fields: TimeFields): Coverage | null {
  const { year, month, day, quarter, weekYear, week } = fields;
  if (month !== undefined && !/^(0[1-9]|1[0-2])$/.test(month)) return null;
  if (month !== undefined && quarter !== undefined && quarterOf(month) !== quarter) return null;
  switch (grain(new Set(Object.keys(fields)))) {
    case null:
      return {};
    case 'day': {
      const date = `${year}-${month}-${day}`;
      return isCivilDay(date) && isOf(date, fields) ? { date } : null;
    }
    case 'week':
      return isWeek(weekYear!, week!) ? { period: `${weekYear}-W${week}` } : null;
    case 'month':
      return { period: `${year}-${month}` };
    case 'quarter':
      return { period: `${year}-Q${quarter}` };
    case 'year':
      return { period: year! };
    case undefined:
      return null;
  }
}

/** Has the day these fields? */
function isOf(day: string, fields: TimeFields): boolean {
  const own = fieldsOfDay(day);
  return (Object.keys(fields) as Field[]).every((name) => fields[name] === own[name]);
}

/** Has the year such a week? The last ones of the calendar have days that it has not. */
const isWeek = (year: string, week: string): boolean =>
  year > '0000' && year < '9999' && week > '00' && isOf(firstDayOf(`${year}-W${week}`), { weekYear: year, week });

/** The period of a grain that a day is in. */
export function periodOfDay(day: string, size: Period): string {
  const { year, month, quarter, weekYear, week } = fieldsOfDay(day);
  if (size === 'week') return `${weekYear}-W${week}`;
  return size === 'month' ? `${year}-${month}` : size === 'quarter' ? `${year}-Q${quarter}` : year;
}

/** Is the day in the period? */
export function isInPeriod(day: string, period: string): boolean {
  const size =
    period.length === 4 ? 'year' : period.includes('Q') ? 'quarter' : period.includes('W') ? 'week' : 'month';
  return periodOfDay(day, size) === period;
}
