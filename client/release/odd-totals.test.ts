import { expect, test } from 'vitest';
import type { AuditCheck, AuditReport } from '../../contracts/audit-report.ts';
import { oddInWords, oddTotals, oddTotalsInWords } from './odd-totals.ts';

const checkOf = (verdict: AuditCheck['verdict'], sentence: string): AuditCheck => ({
  id: 'a',
  attack: 'Try.',
  verdict,
  sentence,
  statistic: null,
  bound: null,
  interval: null,
  pValue: null,
});

type Days = NonNullable<AuditReport['history']>['days'];
const reportOf = (days: Days, checks: AuditCheck[] = []) => ({
  history: { read: [], left: [], unusual: [], places: [], days },
  checks,
});

const day = (count: number, usual: [number, number] | null, partition = 'tram/2026-11-11'): Days[number] => ({
  partition,
  count,
  before: [3209],
  usual,
});

test('an odd total is named by its part, its day and what is usual', () => {
  const words = 'tram, Wed 11 Nov 2026: 95, usually 2\u202f660 to 3\u202f863';
  expect(oddTotalsInWords(reportOf([day(95, [2660, 3863])]))).toBe(words);
});

test('what lies at an end of what is usual, or of which nothing is known, is not odd', () => {
  const days = [day(10, [10, 20]), day(20, [10, 20]), day(0, null), day(9, [10, 20]), day(21, [10, 20])];
  expect(oddTotals(reportOf(days)).map(({ count }) => count)).toEqual([9, 21]);
  expect(oddTotalsInWords(reportOf([day(0, null)]))).toBeNull();
});

test('the first three are named, and the others counted', () => {
  const days = [1, 2, 3, 4, 5].map((n) => day(n, [10, 20], `bus/2026-11-0${n}`));
  const words = oddTotalsInWords(reportOf(days));
  expect(words).toMatch(/^bus, Sun 1 Nov 2026: 1, usually.*; bus, Tue 3 Nov 2026: 3, usually 10 to 20; and 2 more$/);
});

test('what broke comes before odd totals, and these before other points; of a report without any nothing is said', () => {
  const attention = checkOf('attention', 'Far too much.');
  expect(oddInWords(reportOf([day(9, [10, 20])], [attention, checkOf('fail', 'It is wrong.')]))).toBe('It is wrong');
  expect(oddInWords(reportOf([day(9, [10, 20])], [attention]))).toContain(': 9, usually');
  expect(oddInWords({ checks: [checkOf('pass', 'Fine.'), attention] })).toBe('Far too much');
  expect(oddInWords({ checks: [checkOf('pass', 'Fine.')] })).toBeNull();
});
