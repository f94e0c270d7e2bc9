/**
 * Days of the civil (proleptic Gregorian) calendar as `YYYY-MM-DD`, without a clock and without time zones. Years
 * 0001 to 9999, so that the text order of days is their order in time.
 */

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334] as const;
/** Days from 0001-01-01 to 1970-01-01. */
const EPOCH = 719_162;

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (DAYS_BEFORE_MONTH[month] ?? 365) - DAYS_BEFORE_MONTH[month - 1]!;

/** Days from 0001-01-01 to the first of January of the year. */
const daysBeforeYear = (year: number): number => {
  const before = year - 1;
  return before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
};

function readDay(text: string): { year: number; month: number; day: number } | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const exists = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return exists ? { year, month, day } : null;
}

/** Is the text a day that exists, written YYYY-MM-DD? */
export const isCivilDay = (text: string): boolean => readDay(text) !== null;

/** Days since 1970-01-01; negative before. Throws RangeError when the text is no day. */
export function dayNumber(text: string): number {
  const parts = readDay(text);
  if (!parts) throw new RangeError('a day is written YYYY-MM-DD and must exist in the calendar');
  const { year, month, day } = parts;
  const leapDay = month > 2 && isLeapYear(year) ? 1 : 0;
  return daysBeforeYear(year) + DAYS_BEFORE_MONTH[month - 1]! + leapDay + day - 1 - EPOCH;
}

/** The day this many days after 1970-01-01. Throws RangeError outside the years 0001 to 9999. */
export function dayFromNumber(number: number): string {
  const days = number + EPOCH;
  if (!Number.isInteger(days) || days < 0 || days >= daysBeforeYear(10_000))
    throw new RangeError('a day is in the years 0001 to 9999');
  // 146,097 days make 400 years: the quotient is at most one year off.
  let year = Math.floor((days * 400) / 146_097) + 1;
  while (daysBeforeYear(year + 1) <= days) year += 1;
  while (daysBeforeYear(year) > days) year -= 1;
  let rest = days - daysBeforeYear(year);
  let month = 1;
  while (rest >= daysInMonth(year, month)) {
    rest -= daysInMonth(year, month);
    month += 1;
  }
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(rest + 1).padStart(2, '0')].join('-');
}

/** The day this many days later (earlier when negative). */
export const addDays = (day: string, days: number): string => dayFromNumber(dayNumber(day) + days);

/** Place of the day in its week: 0 is Monday, 6 is Sunday. */
export const weekdayIndex = (day: string): number => (((dayNumber(day) + 3) % 7) + 7) % 7;

const WEEKDAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `Wed 11 Nov`, for people. */
export const dayInWords = (day: string): string =>
  `${WEEKDAY_NAMES[weekdayIndex(day)]} ${Number(day.slice(8))} ${MONTH_NAMES[Number(day.slice(5, 7)) - 1]}`;
