import { Temporal } from 'temporal-polyfill';
import { dayNumber } from '../../../core/calendar/civil-day.ts';
import { clockLabel, clockMinutes } from '../../../core/calendar/time-bins.ts';
import { commonWhole } from '../../../core/rational/rational.ts';
import { clockGaps } from '../../../services/calendar/time-zone.ts';
import type { TapsSeries } from '../series.ts';

/**
 * The way from the integers that DuckDB groups by to the day and the time bin of a tap. There are few of them (a
 * window has some thousand), so they are converted here, once, and joined: DuckDB converts no time zone at all.
 *
 * A slot is an integer time, in one of three readings:
 * `instant`: slots since 1970-01-01T00:00Z; `wall`: the same on the clock of the zone, as if that clock were UTC;
 * `minute`: 4320 × day number + minutes after midnight of the traffic day, at the start of the slot.
 */
export const READINGS = ['instant', 'wall', 'minute'] as const;
export type Reading = (typeof READINGS)[number];

/** Days × this + minute is a `minute` slot; more than the 36 hours that a traffic day can count. */
export const MINUTES_PER_DAY_KEY = 4320;

export type CalendarRow = {
  reading: Reading;
  slot: number;
  /** The calendar or traffic day to which the tap belongs. */
  day: string;
  /** Time bin; null when a problem is named. */
  label: string | null;
  problem: 'time-nonexistent' | 'time-outside-day' | null;
};

/**
 * Minutes of a slot: the largest length that divides a time bin, a quarter of an hour, and the ends of the day. The
 * clocks of the world differ from UTC by whole quarters, so no slot is cut by a zone or by a change to summer time.
 */
export const slotMinutes = (series: Pick<TapsSeries, 'bins' | 'day'>): number =>
  [series.bins.minutes, clockMinutes(series.day.starts), clockMinutes(series.day.ends)].reduce(commonWhole, 15);

/**
 * All slots of the given days. A timestamp between midnight and the start of the traffic day belongs to the day
 * before; an hour that the clock shows twice has two instants and one label; an hour that it jumps over is a problem.
 */
export const tapCalendar = (
  series: Pick<TapsSeries, 'timeZone' | 'day' | 'bins'>,
  days: readonly string[],
): CalendarRow[] => days.flatMap((day) => dayRows(series, day));

function dayRows(series: Pick<TapsSeries, 'timeZone' | 'day' | 'bins'>, day: string): CalendarRow[] {
  const [starts, ends] = [clockMinutes(series.day.starts), clockMinutes(series.day.ends)];
  const step = slotMinutes(series);
  const number = dayNumber(day);
  const midnight = Temporal.PlainDate.from(day).toPlainDateTime();
  // A timestamp has 24 hours of a day; where the traffic day closes earlier, the rest of them is named a problem.
  const last = starts + 1440;
  const gaps = clockGaps(series.timeZone, day, series.day.starts, clockLabel(Math.max(ends, last)));
  const rows: CalendarRow[] = [];
  for (let minute = starts; minute < Math.max(ends, last); minute += step) {
    const isGap = gaps.some((gap) => gap.start <= minute && minute + step <= gap.end);
    const problem = minute >= ends ? 'time-outside-day' : isGap ? 'time-nonexistent' : null;
    const label = problem ? null : clockLabel(minute - ((minute - starts) % series.bins.minutes));
    const add = (reading: Reading, slot: number) => rows.push({ reading, slot, day, label, problem });
    if (minute < ends) add('minute', number * MINUTES_PER_DAY_KEY + minute);
    if (minute >= last) continue;
    add('wall', Math.floor((number * 1440 + minute) / step));
    if (isGap) continue;
    for (const instant of instants(series.timeZone, midnight.add({ minutes: minute })))
      add('instant', Math.floor(instant / 60_000 / step));
  }
  return rows;
}

/** The moments, in milliseconds since 1970, at which the clock of a zone shows this time: one, or two. */
const instants = (timeZone: string, clock: Temporal.PlainDateTime): Set<number> =>
  new Set(
    (['earlier', 'later'] as const).map(
      (disambiguation) => clock.toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds,
    ),
  );
