import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../calendar/civil-day.ts';
import { datesRead, expectedObjects, isRead, partitionsFedBy } from './expected-objects.ts';
import { matchObject } from './pattern.ts';

const DAYS = ['2026-03-02', '2026-03-03'];
const MODES = ['bus', 'train'];

describe('expected objects', () => {
  it('are one for each date and mode, and the overlap day before for trips', () => {
    expect(expectedObjects({ pattern: '{mode}/{date}.csv', rows: 'trips' }, DAYS, ['bus'])).toEqual([
      { date: '2026-03-01', mode: 'bus', key: 'bus/2026-03-01.csv', required: false },
      { date: '2026-03-02', mode: 'bus', key: 'bus/2026-03-02.csv', required: true },
      { date: '2026-03-03', mode: 'bus', key: 'bus/2026-03-03.csv', required: true },
    ]);
  });

  it('have no overlap day for taps', () => {
    expect(expectedObjects({ pattern: '{date}.csv', rows: 'taps' }, DAYS, MODES)).toEqual([
      { date: '2026-03-02', key: '2026-03-02.csv', required: true },
      { date: '2026-03-03', key: '2026-03-03.csv', required: true },
    ]);
  });

  it('are groups without a key under *', () => {
    expect(expectedObjects({ pattern: 'week/*.csv', rows: 'trips' }, DAYS, MODES)).toEqual([
      { key: null, required: true },
    ]);
    expect(expectedObjects({ pattern: '{mode}/*.csv', rows: 'taps' }, DAYS, MODES)).toEqual([
      { mode: 'bus', key: null, required: true },
      { mode: 'train', key: null, required: true },
    ]);
  });

  it('@contract C6: follow from names and public parameters, and what is read feeds at least one partition', () => {
    const pattern = fc.constantFrom('a.csv', '{date}.csv', '{mode}.csv', '{mode}/{date}.csv', '{date}/*.csv');
    fc.assert(
      fc.property(pattern, fc.constantFrom('trips' as const, 'taps' as const), (text, rows) => {
        for (const object of expectedObjects({ pattern: text, rows }, DAYS, MODES)) {
          expect(isRead(object, DAYS, MODES, rows)).toBe(true);
          expect(partitionsFedBy(object, DAYS, MODES, rows).length).toBeGreaterThan(0);
          if (object.key !== null) expect(matchObject(text, object.key)).not.toBeNull();
        }
      }),
    );
  });

  it('leave other days and modes to others', () => {
    expect(isRead({ date: '2026-02-28' }, DAYS, MODES, 'trips')).toBe(false);
    expect(isRead({ date: '2026-03-04' }, DAYS, MODES, 'trips')).toBe(false);
    expect(isRead({ date: '2026-03-01' }, DAYS, MODES, 'taps')).toBe(false);
    expect(isRead({ mode: 'ferry' }, DAYS, MODES, 'trips')).toBe(false);
    expect(isRead({}, DAYS, MODES, 'trips')).toBe(true);
  });
});

describe('partitions that an object may feed', () => {
  it('are its day, and for trips the next one', () => {
    expect(partitionsFedBy({ date: '2026-03-02', mode: 'bus' }, DAYS, MODES, 'trips')).toEqual([
      { part: 'bus', day: '2026-03-02' },
      { part: 'bus', day: '2026-03-03' },
    ]);
    expect(partitionsFedBy({ date: '2026-03-02', mode: 'bus' }, DAYS, MODES, 'taps')).toEqual([
      { part: 'bus', day: '2026-03-02' },
    ]);
    expect(partitionsFedBy({ date: '2026-03-01', mode: 'bus' }, DAYS, MODES, 'trips')).toEqual([
      { part: 'bus', day: '2026-03-02' },
    ]);
  });

  it('are all of them when the name says nothing', () => {
    expect(partitionsFedBy({}, DAYS, MODES, 'trips')).toHaveLength(4);
    expect(partitionsFedBy({ mode: 'train' }, DAYS, MODES, 'taps')).toHaveLength(2);
    expect(partitionsFedBy({ date: '2026-03-03' }, DAYS, MODES, 'trips')).toHaveLength(2);
    expect(partitionsFedBy({ mode: 'ferry' }, DAYS, MODES, 'trips')).toEqual([]);
  });

  it('@contract C6: hold every partition that a trip of the object can touch; a twin without the next day is caught', () => {
    const touched = (date: string, lasts: 0 | 1) => [date, addDays(date, lasts)].filter((day) => DAYS.includes(day));
    const complete = (feeds: (date: string) => string[]) =>
      datesRead(DAYS, 'trips').every((date) =>
        ([0, 1] as const).every((lasts) => touched(date, lasts).every((day) => feeds(date).includes(day))),
      );
    expect(complete((date) => partitionsFedBy({ date }, DAYS, ['bus'], 'trips').map(({ day }) => day))).toBe(true);
    expect(complete((date) => partitionsFedBy({ date }, DAYS, ['bus'], 'taps').map(({ day }) => day))).toBe(false);
  });
});
