import { describe, expect, it } from 'vitest';
import { addDays } from '../calendar/civil-day.ts';
import { expectObjects, isRead, mayHold, partitionsFedBy } from './expected-objects.ts';
import { matchObject, nameOfDay, objectKey, patternNames, patternProblems } from './pattern.ts';

const DAYS = ['2026-03-30', '2026-03-31', '2026-04-01'];
const source = (pattern: string, overlaps = false, deliveryDays?: number) => ({
  pattern,
  parts: ['bus'],
  overlaps,
  deliveryDays,
});
const daysOf = (pattern: string, key: string, overlaps: boolean, deliveryDays?: number) =>
  partitionsFedBy(matchObject(pattern, key)!, source(pattern, overlaps, deliveryDays), DAYS).map(({ day }) => day);

describe('time in the names of objects', () => {
  it.each([
    ['{yyyymmdd}.csv', '20260331.csv', { date: '2026-03-31' }],
    ['{yyyy}/{mm}/{dd}.csv', '2026/03/31.csv', { date: '2026-03-31' }],
    ['{month}.csv', '2026-03.csv', { period: '2026-03' }],
    ['{yyyymm}_{mode}.csv', '202603_bus.csv', { period: '2026-03', mode: 'bus' }],
    ['{quarter}.csv', '2026-Q1.csv', { period: '2026-Q1' }],
    ['{yyyy}q{q}.csv', '2026q1.csv', { period: '2026-Q1' }],
    ['{yyyy}.csv', '2026.csv', { period: '2026' }],
    ['{week}.csv', '2026-W14.csv', { period: '2026-W14' }],
    ['{gggg}/w{ww}_{mode}.csv', '2026/w14_bus.csv', { period: '2026-W14', mode: 'bus' }],
    ['{week}/{date}.csv', '2026-W14/2026-03-31.csv', { date: '2026-03-31' }],
    ['{yyyy}/{yyyymmdd}.csv', '2026/20260331.csv', { date: '2026-03-31' }],
  ])('%s reads %s, and writes it again', (pattern, key, name) => {
    expect(matchObject(pattern, key)).toEqual(name);
    expect(objectKey(pattern, { mode: 'bus', ...nameOfDay(pattern, '2026-03-31') })).toBe(key);
  });

  it.each([
    ['{yyyymmdd}.csv', '20260230.csv'],
    ['{month}.csv', '2026-13.csv'],
    ['{quarter}.csv', '2026-Q5.csv'],
    ['{yyyy}/{yyyymmdd}.csv', '2025/20260331.csv'],
    ['{yyyymm}-q{q}.csv', '202603-q2.csv'],
    ['{yyyymm}*.csv', '2026.csv'],
    ['{week}.csv', '2026-W00.csv'],
    ['{week}.csv', '2025-W53.csv'],
    ['{week}.csv', '0000-W01.csv'],
    ['{week}.csv', '0001-W00.csv'],
    ['{week}.csv', '9999-W53.csv'],
    ['{week}/{date}.csv', '2026-W13/2026-03-31.csv'],
  ])('%s does not read %s', (pattern, key) => {
    expect(matchObject(pattern, key)).toBeNull();
  });

  it('says what is wrong with parts that make no day', () => {
    for (const pattern of ['{mm}.csv', '{yyyy}-{dd}.csv', '{q}.csv', '{yyyy}-W{ww}.csv', '{month}/{week}.csv'])
      expect(patternProblems(pattern).join()).toContain('names a part of a day alone');
    expect(patternProblems('{yyyy}/{mm}/{dd}_{mode}.csv')).toEqual([]);
    expect(patternNames('{month}.csv')).toEqual({
      date: false,
      period: 'month',
      mode: false,
      piece: false,
      any: false,
      several: false,
    });
  });

  it('C6: an object of a month feeds the days of that month, and of trips the day after it', () => {
    expect(daysOf('{month}.csv', '2026-03.csv', false)).toEqual(['2026-03-30', '2026-03-31']);
    expect(daysOf('{month}.csv', '2026-03.csv', true)).toEqual(DAYS);
    expect(daysOf('{month}.csv', '2026-04.csv', true)).toEqual(['2026-04-01']);
    expect(daysOf('{quarter}.csv', '2026-Q2.csv', false)).toEqual(['2026-04-01']);
  });

  it('C6: an object of an ISO week feeds its Monday to Sunday, over the turn of a year too', () => {
    expect(daysOf('{week}.csv', '2026-W14.csv', false)).toEqual(DAYS);
    expect(daysOf('{week}.csv', '2026-W13.csv', false)).toEqual([]);
    expect(daysOf('{week}.csv', '2026-W13.csv', true)).toEqual(['2026-03-30']);
    const turn = ['2020-12-31', '2021-01-01', '2021-01-03', '2021-01-04'];
    expect(partitionsFedBy({ period: '2020-W53' }, source('{week}.csv'), turn).map(({ day }) => day)).toEqual(
      turn.slice(0, 3),
    );
    expect(expectObjects(source('{week}.csv'), turn).map(({ key }) => key)).toEqual(['2020-W53.csv', '2021-W01.csv']);
  });

  it('C6: every day is of the week that ISO 8601 says, as dates of years with 52 and 53 weeks show', () => {
    const known = {
      '2005-01-01': '2004-W53',
      '2005-12-31': '2005-W52',
      '2007-01-01': '2007-W01',
      '2007-12-31': '2008-W01',
      '2008-12-29': '2009-W01',
      '2010-01-03': '2009-W53',
      '2024-12-30': '2025-W01',
      '0001-01-01': '0001-W01',
    };
    for (const [day, period] of Object.entries(known)) expect(nameOfDay('{week}.csv', day)).toEqual({ period });
    let [day, weeks] = ['1999-01-04', 0];
    for (; day < '2031-01-01'; day = addDays(day, 7), weeks += 1) {
      const { period } = nameOfDay('{week}.csv', day);
      for (let later = 0; later < 7; later += 1)
        expect(nameOfDay('{week}.csv', addDays(day, later))).toEqual({ period });
      expect(nameOfDay('{week}.csv', addDays(day, -1))).not.toEqual({ period });
      expect(matchObject('{week}.csv', `${period}.csv`)).toEqual({ period });
    }
    expect(weeks).toBe(1670);
  });

  it('a window expects each month that it touches once; that of the overlap day alone may be absent', () => {
    expect(expectObjects(source('{month}.csv', true), DAYS)).toEqual([
      { period: '2026-03', key: '2026-03.csv', required: true },
      { period: '2026-04', key: '2026-04.csv', required: true },
    ]);
    expect(expectObjects(source('{month}.csv', true), ['2026-04-01'])).toEqual([
      { period: '2026-03', key: '2026-03.csv', required: false },
      { period: '2026-04', key: '2026-04.csv', required: true },
    ]);
    expect(isRead({ period: '2026-05' }, source('{month}.csv'), DAYS)).toBe(false);
  });

  it('C6: a delivery feeds its day and those before that it may hold rows of', () => {
    expect(daysOf('{date}.csv', '2026-04-02.csv', false, 2)).toEqual(['2026-03-31', '2026-04-01']);
    expect(daysOf('{date}.csv', '2026-03-30.csv', true, 2)).toEqual(['2026-03-30', '2026-03-31']);
    expect(mayHold({ date: '2026-04-03' }, source('{date}.csv', false, 2), '2026-03-31')).toBe(false);
    const expected = expectObjects(source('{date}.csv', false, 1), DAYS);
    expect(expected.map(({ key, required }) => [key, required])).toEqual([
      ...DAYS.map((day) => [`${day}.csv`, true]),
      ['2026-04-02.csv', true],
    ]);
  });
});
