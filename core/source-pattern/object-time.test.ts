import { describe, expect, it } from 'vitest';
import { expectedObjects, isRead, mayHold, partitionsFedBy } from './expected-objects.ts';
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
  ])('%s does not read %s', (pattern, key) => {
    expect(matchObject(pattern, key)).toBeNull();
  });

  it('says what is wrong with parts that make no day', () => {
    for (const pattern of ['{mm}.csv', '{yyyy}-{dd}.csv', '{q}.csv'])
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

  it('a window expects each month that it touches once; that of the overlap day alone may be absent', () => {
    expect(expectedObjects(source('{month}.csv', true), DAYS)).toEqual([
      { period: '2026-03', key: '2026-03.csv', required: true },
      { period: '2026-04', key: '2026-04.csv', required: true },
    ]);
    expect(expectedObjects(source('{month}.csv', true), ['2026-04-01'])).toEqual([
      { period: '2026-03', key: '2026-03.csv', required: false },
      { period: '2026-04', key: '2026-04.csv', required: true },
    ]);
    expect(isRead({ period: '2026-05' }, source('{month}.csv'), DAYS)).toBe(false);
  });

  it('C6: a delivery feeds its day and those before that it may hold rows of', () => {
    expect(daysOf('{date}.csv', '2026-04-02.csv', false, 2)).toEqual(['2026-03-31', '2026-04-01']);
    expect(daysOf('{date}.csv', '2026-03-30.csv', true, 2)).toEqual(['2026-03-30', '2026-03-31']);
    expect(mayHold({ date: '2026-04-03' }, source('{date}.csv', false, 2), '2026-03-31')).toBe(false);
    const expected = expectedObjects(source('{date}.csv', false, 1), DAYS);
    expect(expected.map(({ key, required }) => [key, required])).toEqual([
      ...DAYS.map((day) => [`${day}.csv`, true]),
      ['2026-04-02.csv', true],
    ]);
  });
});
