import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OpalineError } from '../../contracts/errors.ts';
import { add, compare, divide, parseRational, rational, subtract, ZERO } from '../../core/rational/rational.ts';
import { certify } from './certify.ts';
import { l1Change, patternsOfUnit } from './l1-change.ts';
import { smallestSplit } from './smallest-share.ts';
import { smallestThreshold } from './threshold.ts';
import { TRIP_REQUEST } from './trip-request.fixture.ts';

describe('smallest split', () => {
  test('Oyster: 7.2 + 0.3 + 0.5 keeps T = 9', () => {
    const split = smallestSplit(TRIP_REQUEST);
    expect(split).toEqual({ cells: '36/5', time: '3/10', location: '1/2' });
    expect(certify({ ...TRIP_REQUEST, split }).threshold).toBe(9);
    expect(certify(TRIP_REQUEST).threshold).toBe(9);
    expect(certify({ ...TRIP_REQUEST, split: { cells: '7.1', time: '0.4', location: '0.5' } }).threshold).toBe(10);
  });

  test('keeps T, uses all of ε, and a step less for the cells would raise T', () => {
    const requests = fc.record({
      epsilon: fc.integer({ min: 5, max: 120 }).map((tenths) => `${tenths}/10`),
      delta: fc.integer({ min: 4, max: 12 }).map((digits) => `1e-${digits}`),
      neighbours: fc.constantFrom('replace-one', 'add-remove'),
    } as const);
    let found = 0;
    fc.assert(
      fc.property(requests, (change) => {
        const request = { ...TRIP_REQUEST, ...change };
        let split: ReturnType<typeof smallestSplit>;
        try {
          split = smallestSplit(request);
        } catch (error) {
          expect(error).toBeInstanceOf(OpalineError);
          return;
        }
        found += 1;
        const shares = Object.values(split).map(parseRational);
        expect(compare(shares.reduce(add, ZERO), parseRational(request.epsilon))).toBe(0);
        expect(certify({ ...request, split }).threshold).toBe(certify(request).threshold);
        const cells = parseRational(split.cells);
        const step = [10n, 100n, 1000n].map((d) => rational(1n, d)).find((s) => divide(cells, s).denominator === 1n)!;
        const less = divide(subtract(cells, step), rational(BigInt(l1Change(request))));
        const threshold = smallestThreshold(patternsOfUnit(request), less, parseRational(request.delta));
        expect(threshold).toBeGreaterThan(certify(request).threshold!);
      }),
      { numRuns: 60, seed: 11 },
    );
    expect(found).toBeGreaterThan(20);
  });

  test.each([
    ['no threshold', { mechanism: 'complete-domain' }],
    ['the thresholds of 2017', { mechanism: 'sbh-2017' }],
    // δ at T is the δ asked for, except for the last digits, so the cells need all of ε.
    ['no slack', { delta: '1.9824129630000392721e-7' }],
  ] as const)('refuses: %s', (_, change) => {
    expect(() => smallestSplit({ ...TRIP_REQUEST, ...change })).toThrow(OpalineError);
  });
});
