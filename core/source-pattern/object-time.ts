import { isCivilDay } from '../calendar/civil-day.ts';

/**
 * What the keys of objects say of time: a day, or a month, a quarter or a year of the calendar that their rows lie in.
 */

export type Field = 'year' | 'quarter' | 'month' | 'day';
/** Digits of the fields that a key names. */
export type TimeFields = Partial<Record<Field, string>>;

/** The placeholders of one field each. */
export const FIELD_PLACEHOLDERS: Readonly<Record<string, Field>> = {
  ...{ '{yyyy}': 'year', '{mm}': 'month', '{dd}': 'day', '{q}': 'quarter' },
};

/** The placeholders that stand for several fields and what is between them. */
export const TIME_PLACEHOLDERS: Readonly<Record<string, string>> = {
  '{date}': '{yyyy}-{mm}-{dd}',
  '{yyyymmdd}': '{yyyy}{mm}{dd}',
  '{month}': '{yyyy}-{mm}',
  '{yyyymm}': '{yyyy}{mm}',
  '{quarter}': '{yyyy}-Q{q}',
};

/** What a key holds in the place of a field. */
export const FIELD_TEXTS: Readonly<Record<Field, RegExp>> = {
  ...{ year: /^\d{4}/, month: /^\d{2}/, day: /^\d{2}/, quarter: /^[1-4]/ },
};

/** What an object covers: a day, a longer period (`2026-03`, `2026-Q1`, `2026`), or neither. */
export type Coverage = { date?: string; period?: string };

/** How fine a pattern is; null: it names no time. Undefined: what it names does not make one, `{mm}` without a year. */
export function grain(fields: ReadonlySet<string>): 'day' | 'month' | 'quarter' | 'year' | null | undefined {
  const has = (...names: Field[]): boolean => names.every((name) => fields.has(name));
  if (fields.size === 0) return null;
  if (has('year', 'month', 'day')) return 'day';
  if (fields.has('day') || !has('year')) return undefined;
  return has('month') ? 'month' : has('quarter') ? 'quarter' : 'year';
}

const quarterOf = (month: string): string => String(Math.floor((Number(month) - 1) / 3) + 1);

/** All fields of a day YYYY-MM-DD. */
export function fieldsOfDay(date: string): Required<TimeFields> {
  const [year = '', month = '', day = ''] = date.split('-');
  return { year, month, day, quarter: quarterOf(month) };
}

/** What these fields cover; null when there is no such day or month, or a quarter that the month is not in. */
export function coverage(fields: TimeFields): Coverage | null {
  const { year, month, day, quarter } = fields;
  if (month !== undefined && !/^(0[1-9]|1[0-2])$/.test(month)) return null;
  if (month !== undefined && quarter !== undefined && quarterOf(month) !== quarter) return null;
  switch (grain(new Set(Object.keys(fields)))) {
    case null:
      return {};
    case 'day':
      return isCivilDay(`${year}-${month}-${day}`) ? { date: `${year}-${month}-${day}` } : null;
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

/** The period of a grain in which a day lies. */
export function periodOfDay(day: string, size: 'month' | 'quarter' | 'year'): string {
  const { year, month, quarter } = fieldsOfDay(day);
  return size === 'month' ? `${year}-${month}` : size === 'quarter' ? `${year}-Q${quarter}` : year;
}

/** Does the day lie in the period? */
export function isInPeriod(day: string, period: string): boolean {
  const size = period.length === 4 ? 'year' : period.includes('Q') ? 'quarter' : 'month';
  return periodOfDay(day, size) === period;
}
