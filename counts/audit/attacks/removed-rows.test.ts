import { describe, expect, test } from 'vitest';
import { checkRemovedRows } from './removed-rows.ts';

describe('removed rows', () => {
  // Nothing is random here.
  test('passes statistics of the published rows, at any rounding', () => {
    const check = checkRemovedRows([
      { name: 'share of cells published', printed: '33.3', fromRows: '100/3' },
      { name: 'sum of all counts', printed: '26946858', fromRows: '26946858' },
    ]);
    expect([check.verdict, check.statistic]).toEqual(['pass', 0]);
  });

  test('broken twin: the share of dropped trips, which no published row knows, fails', () => {
    const check = checkRemovedRows([
      { name: 'share of dropped tap-offs', printed: '0.0005', fromRows: null },
      { name: 'cells with an error', printed: '1.31', fromRows: '1.30' },
      { name: 'sum of all counts', printed: '12', fromRows: '12' },
    ]);
    expect([check.verdict, check.statistic]).toEqual(['fail', 2]);
    expect(check.sentence).toContain('share of dropped tap-offs');
  });
});
