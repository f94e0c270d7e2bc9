import type { CalendarRow, Reading } from './tap-calendar.ts';
import { NO_TIME } from './tap-keys.ts';

export type SlotNumbers = ReturnType<typeof slotNumbers>;

/** Slots that are no time have the numbers from 1: their values descend by one. */
const NO_TIMES = Object.keys(NO_TIME) as (keyof typeof NO_TIME)[];
const HIGHEST = NO_TIME[NO_TIMES[0]!];
const FIRST_NUMBER = NO_TIMES.length + 1;

/** What a number stands for when it is no time, or null. */
export const noTime = (number: number): keyof typeof NO_TIME | null => NO_TIMES[number - 1] ?? null;

/**
 * The slots of one reading that a row may hold by small numbers: 0 is any that is none of the others. First and last slot
 * of the calendar, how far each is from the next, what they are by their numbers, and one more than the highest number.
 * `minutes`: of a slot (tap-calendar.ts).
 */
export function slotNumbers(calendar: readonly CalendarRow[], reading: Reading, minutes: number) {
  const rows = calendar.filter((row) => row.reading === reading);
  const step = reading === 'minute' ? minutes : 1;
  const first = rows.reduce((least, { slot }) => Math.min(least, slot), Infinity);
  const last = rows.reduce((most, { slot }) => Math.max(most, slot), -Infinity);
  const entries = rows.map((row): [number, CalendarRow] => [FIRST_NUMBER + (row.slot - first) / step, row]);
  const size = FIRST_NUMBER + (rows.length === 0 ? 0 : (last - first) / step + 1);
  return { first, last, step, rows: new Map(entries), size };
}

/** SQL for the number of a slot. */
export function slotNumber(slot: string, { first, last, step, rows }: SlotNumbers): string {
  const day = step === 1 ? `${slot} - ${first}` : `(${slot} - ${first}) // ${step}`;
  const calendar = rows.size === 0 ? '' : `WHEN ${slot} BETWEEN ${first} AND ${last} THEN ${day} + ${FIRST_NUMBER}`;
  return `CASE ${calendar} WHEN ${slot} <= ${HIGHEST} THEN ${HIGHEST} - ${slot} + 1 ELSE 0 END`;
}
