import { describe, expect, test } from 'vitest';
import { binomialTest, proportion } from '../../core/statistics/binomial.ts';
import { seededSource } from '../support/seeded-source.ts';
import { type HonestRuns, honestRuns, tooOften } from './false-alarms.fixture.ts';

/** Every check with a p-value, except the linear programs, which take as long as all others and are in the soak. */
const TESTED = [
  'margin-noise',
  'mechanism-epsilon',
  'mechanism-independence',
  'mechanism-margins',
  'mechanism-noise',
  'mechanism-tail',
  'mechanism-threshold',
  'mechanism-zeros',
  'reuse',
  'rounding',
  'scale',
];

/** So few notice a p-value at or under 0.05 in one of five releases; the soak takes 2,000 and notices one of fourteen. */
const RELEASES = 40;

// Fixed seeds. With others a bound of four standard errors would be passed in less than one of 1,000 runs.
describe(`${RELEASES} honest releases`, () => {
  test('raise no alarm, and the p-values of every check are super-uniform', () => {
    const runs = honestRuns(RELEASES, 1, null);
    expect(runs.notPassed).toEqual([]);
    expect([...runs.pValues.keys()].sort()).toEqual(TESTED);
    for (const level of [0.05, 0.01]) expect(tooOften(runs, level)).toEqual([]);
  });

  test('broken twin: a p-value that is half as large as it may be is noticed', () => {
    const source = seededSource(1);
    const heads = (): number =>
      Array.from({ length: 400 }, () => source.uint32() & 1).filter((bit) => bit === 1).length;
    const pValues = Array.from({ length: 2000 }, () => binomialTest(heads(), 400, proportion(0.5), 'either'));
    const runs = (values: number[]): HonestRuns => ({ pValues: new Map([['coin', values]]), notPassed: [] });
    expect(tooOften(runs(pValues), 0.05)).toEqual([]);
    expect(tooOften(runs(pValues.map((value) => value / 2)), 0.05)).toEqual(['coin']);
  });
});
