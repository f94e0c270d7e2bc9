import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, dayFromNumber, dayNumber, isCivilDay, weekdayIndex } from './civil-day.ts';

/** Days 0001-01-01 to 9999-12-31. */
const anyDayNumber = fc.integer({ min: -719_162, max: 2_932_896 });

const byDate = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10);

/** Does the function agree with the platform's calendar on every day that it is asked for? */
const agreesWithDate = (convert: (number: number) => string): boolean =>
  !fc.check(
    fc.property(anyDayNumber, (number) => convert(number) === byDate(number)),
    { seed: 1, numRuns: 2000 },
  ).failed;

describe('days of the civil calendar', () => {
  it('are those of the platform calendar, both ways', () => {
    expect(agreesWithDate(dayFromNumber)).toBe(true);
    fc.assert(fc.property(anyDayNumber, (number) => dayNumber(dayFromNumber(number)) === number));
  });

  it('would be caught with the Julian leap rule', () => {
    const julian = (number: number): string => {
      const day = dayFromNumber(number);
      return day.endsWith('00-03-01') && Number(day.slice(0, 2)) % 4 !== 0 ? `${day.slice(0, 4)}-02-29` : day;
    };
    const every = Array.from({ length: 400 * 366 }, (_, index) => index);
    expect(every.every((number) => julian(number) === byDate(number))).toBe(false);
    expect(every.every((number) => dayFromNumber(number) === byDate(number))).toBe(true);
  });

  it('add and subtract as numbers do', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -700_000, max: 2_900_000 }),
        fc.integer({ min: -9000, max: 9000 }),
        (from, days) => {
          const day = dayFromNumber(from);
          return dayNumber(addDays(day, days)) - dayNumber(day) === days && addDays(addDays(day, days), -days) === day;
        },
      ),
    );
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  });

  it('know their weekday', () => {
    fc.assert(
      fc.property(
        anyDayNumber,
        (number) => weekdayIndex(byDate(number)) === (new Date(number * 86_400_000).getUTCDay() + 6) % 7,
      ),
    );
    expect(weekdayIndex('2026-03-02')).toBe(0);
  });

  it('refuse what is no day', () => {
    for (const text of [
      '',
      '2026-02-29',
      '1900-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-04-31',
      '20260401',
      '0000-01-01',
      '2026-1-1',
      ' 2026-01-01',
      '2026-01-01\n',
    ]) {
      expect(isCivilDay(text), text).toBe(false);
      expect(() => dayNumber(text)).toThrow(RangeError);
    }
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError);
    expect(() => addDays('0001-01-01', -1)).toThrow(RangeError);
  });
});
