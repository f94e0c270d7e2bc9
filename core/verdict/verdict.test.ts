import { describe, expect, test } from 'vitest';
import type { AuditCheck } from '../../contracts/audit-report.ts';
import { report } from './finding.ts';
import { levelOf, runChecks } from './verdict.ts';

const tested =
  (pValue: number) =>
  (level: number): AuditCheck => ({
    ...report('test', 'Try it.', { verdict: pValue > level ? 'pass' : 'fail', sentence: `at ${level}` }),
    pValue,
  });

describe('all tests of one release together', () => {
  test('fail by Holm: the smallest of m p-values at 1e-4/m, the next at 1e-4/(m−1), and so on', () => {
    const verdicts = (...pValues: number[]) => runChecks(pValues.map(tested)).map(({ verdict }) => verdict);
    expect(verdicts(0.9e-4)).toEqual(['fail']);
    expect(verdicts(0.9e-4, 1)).toEqual(['pass', 'pass']);
    expect(verdicts(0.4e-4, 0.9e-4)).toEqual(['fail', 'fail']);
    expect(verdicts(0.9e-4, 0.6e-4)).toEqual(['pass', 'pass']);
    expect(verdicts(...Array<number>(50).fill(2.1e-6))).toEqual(Array(50).fill('pass'));
  });

  test('a check without a p-value takes no part', () => {
    const plain = () => report('plain', 'Read it.', { verdict: 'pass', sentence: 'It holds.' });
    expect(levelOf(runChecks([plain, tested(0.9e-4)]))).toBe(0.9e-4);
    expect(levelOf([plain()])).toBe(-1);
  });

  test('broken twin: every test at 1e-4 would alarm in more than one of 10,000 honest releases', () => {
    const each = [0.9e-4, 1].map((pValue) => tested(pValue)(1e-4).verdict);
    expect(each).toEqual(['fail', 'pass']);
    expect(runChecks([0.9e-4, 1].map(tested)).map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  });
});
