import { describe, expect, test } from 'vitest';
import { HISTOGRAM, honestDraws, releaseOf } from '../../../test/power/honest-release.fixture.ts';
import { inColumns } from '../../../test/support/row-subject.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { checkPrintedStatistics } from './removed-rows.ts';

const random = seededSource(1);
const honest = inColumns(releaseOf(honestDraws(random), null, HISTOGRAM));
const checkOf = (text: string) =>
  checkPrintedStatistics({ ...honest, texts: [{ file: 'privacy.json', texts: [text] }] });

describe('printed statistics', () => {
  test.each([
    '12 rows were removed.',
    '1,204 of the taps have been dropped',
    'We removed 12 rows.',
    'removed: 12',
    '0.0005 % of the rows were removed.',
  ])('a number of removed rows is a point for approvers: %s', (text) => {
    const { verdict, statistic } = checkOf(text);
    expect([verdict, statistic]).toEqual(['attention', 1]);
  });

  test.each([
    'A count is wrong with a chance of at most 5 %.',
    'A cell under 18 is not published.',
    'One trip is added or left out.',
    'Nothing was removed.',
  ])('what was known beforehand is not: %s', (text) => {
    expect(checkOf(text).verdict).toBe('pass');
  });
});
