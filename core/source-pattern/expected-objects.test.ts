import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../calendar/civil-day.ts';
import { datesRead, expectObjects, findPieceGaps, isRead, partitionsFedBy } from './expected-objects.ts';
import { matchObject } from './pattern.ts';

const DAYS = ['2026-03-02', '2026-03-03'];
const MODES = ['bus', 'train'];
const TRIPS = { pattern: '{date}.csv', parts: MODES, overlaps: true };
const TAPS = { ...TRIPS, overlaps: false };

describe('expected objects', () => {
  it('are one for each date and mode, and the overlap day before for trips', () => {
    expect(expectObjects({ pattern: '{mode}/{date}.csv', parts: ['bus'], overlaps: true }, DAYS)).toEqual([
      { date: '2026-03-01', mode: 'bus', key: 'bus/2026-03-01.csv', required: false },
      { date: '2026-03-02', mode: 'bus', key: 'bus/2026-03-02.csv', required: true },
      { date: '2026-03-03', mode: 'bus', key: 'bus/2026-03-03.csv', required: true },
    ]);
  });

  it('have no overlap day for taps', () => {
    expect(expectObjects({ pattern: '{date}.csv', parts: MODES, overlaps: false }, DAYS)).toEqual([
      { date: '2026-03-02', key: '2026-03-02.csv', required: true },
      { date: '2026-03-03', key: '2026-03-03.csv', required: true },
    ]);
  });

  it('are groups without a key under *', () => {
    expect(expectObjects({ pattern: 'week/*.csv', parts: MODES, overlaps: true }, DAYS)).toEqual([
      { key: null, required: true },
    ]);
    expect(expectObjects({ pattern: '{mode}/*.csv', parts: MODES, overlaps: false }, DAYS)).toEqual([
      { mode: 'bus', key: null, required: true },
      { mode: 'train', key: null, required: true },
    ]);
  });

  it('@contract C6: follow from names and public parameters, and what is read feeds at least one partition', () => {
    const pattern = fc.constantFrom('a.csv', '{date}.csv', '{mode}.csv', '{mode}/{date}.csv', '{date}/*.csv');
    fc.assert(
      fc.property(pattern, fc.boolean(), (text, overlaps) => {
        const source = { pattern: text, parts: MODES, overlaps };
        for (const object of expectObjects(source, DAYS)) {
          expect(isRead(object, source, DAYS)).toBe(true);
          expect(partitionsFedBy(object, source, DAYS).length).toBeGreaterThan(0);
          if (object.key !== null) expect(matchObject(text, object.key)).not.toBeNull();
        }
      }),
    );
  });

  it('@contract C6: are the pieces of a day without a gap, as far as their numbers say', () => {
    const named = (date: string, ...pieces: string[]) => pieces.map((piece) => ({ date, piece }));
    for (const whole of [['0'], ['1'], ['1', '2'], ['01', '00', '02'], ['1', '01', '2']])
      expect(findPieceGaps(named(DAYS[0]!, ...whole)), whole.join()).toEqual([]);
    expect(findPieceGaps([...named(DAYS[0]!, '1', '2', '4', '7'), ...named(DAYS[1]!, '00000', '00012')])).toEqual([
      { date: DAYS[0], piece: '3' },
      { date: DAYS[1], piece: '00001' },
    ]);
    expect(findPieceGaps(named(DAYS[0]!, '9', '10'))).toEqual([{ date: DAYS[0], piece: '1' }]);
    expect(findPieceGaps([{ date: DAYS[0]! }, {}])).toEqual([]);
    expect(expectObjects({ pattern: '{date}_{piece}.csv', parts: MODES, overlaps: false }, DAYS)[0]).toEqual({
      date: DAYS[0],
      key: null,
      required: true,
    });
  });

  it('leave other days and modes to others', () => {
    expect(isRead({ date: '2026-02-28' }, TRIPS, DAYS)).toBe(false);
    expect(isRead({ date: '2026-03-04' }, TRIPS, DAYS)).toBe(false);
    expect(isRead({ date: '2026-03-01' }, TAPS, DAYS)).toBe(false);
    expect(isRead({ mode: 'ferry' }, TRIPS, DAYS)).toBe(false);
    expect(isRead({}, TRIPS, DAYS)).toBe(true);
  });
});

describe('partitions that an object may feed', () => {
  it('are its day, and for trips the next one', () => {
    expect(partitionsFedBy({ date: '2026-03-02', mode: 'bus' }, TRIPS, DAYS)).toEqual([
      { part: 'bus', day: '2026-03-02' },
      { part: 'bus', day: '2026-03-03' },
    ]);
    expect(partitionsFedBy({ date: '2026-03-02', mode: 'bus' }, TAPS, DAYS)).toEqual([
      { part: 'bus', day: '2026-03-02' },
    ]);
    expect(partitionsFedBy({ date: '2026-03-01', mode: 'bus' }, TRIPS, DAYS)).toEqual([
      { part: 'bus', day: '2026-03-02' },
    ]);
  });

  it('are all of them when the name says nothing', () => {
    expect(partitionsFedBy({}, TRIPS, DAYS)).toHaveLength(4);
    expect(partitionsFedBy({ mode: 'train' }, TAPS, DAYS)).toHaveLength(2);
    expect(partitionsFedBy({ date: '2026-03-03' }, TRIPS, DAYS)).toHaveLength(2);
    expect(partitionsFedBy({ mode: 'ferry' }, TRIPS, DAYS)).toEqual([]);
  });

  it('@contract C6: hold every partition that a trip of the object can touch; a twin without the next day is caught', () => {
    const touched = (date: string, lasts: 0 | 1) => [date, addDays(date, lasts)].filter((day) => DAYS.includes(day));
    const complete = (feeds: (date: string) => string[]) =>
      datesRead(DAYS, { overlaps: true }).every((date) =>
        ([0, 1] as const).every((lasts) => touched(date, lasts).every((day) => feeds(date).includes(day))),
      );
    expect(
      complete((date) => partitionsFedBy({ date }, { ...TRIPS, parts: ['bus'] }, DAYS).map(({ day }) => day)),
    ).toBe(true);
    expect(complete((date) => partitionsFedBy({ date }, { ...TAPS, parts: ['bus'] }, DAYS).map(({ day }) => day))).toBe(
      false,
    );
  });
});
