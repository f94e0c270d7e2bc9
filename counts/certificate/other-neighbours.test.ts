import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { certify } from './certify.ts';
import { costUnder } from './other-neighbours.ts';

const trip = { unit: 'trip', publish: 'on+off', epsilon: '8', delta: '1/1000000' } as const;

describe('C12: what a draw costs under the other neighbour relation', () => {
  test('a release drawn for add-remove costs twice its ε where one unit may be replaced', () => {
    expect(costUnder({ ...trip, neighbours: 'add-remove' }, 'replace-one')).toEqual({
      epsilon: '16',
      delta: '1/1000000',
    });
    expect(costUnder({ ...trip, neighbours: 'replace-one' }, 'add-remove')).toEqual({
      epsilon: '4',
      delta: '1/1000000',
    });
    expect(costUnder({ ...trip, neighbours: 'replace-one' }, 'replace-one')).toEqual({
      epsilon: '8',
      delta: '1/1000000',
    });
  });

  test('a tap of a trip that is replaced can bring both ends: its δ is at most twice that of one', () => {
    const tap = { ...trip, unit: 'tap', neighbours: 'add-remove' } as const;
    const drawn = certify({ ...tap, mechanism: 'stability-histogram', epsilon: '1', split: {} });
    const cost = costUnder({ ...tap, epsilon: '1' }, 'replace-one');
    expect(cost).toEqual({ epsilon: '2', delta: '1/500000' });
    expect(costUnder({ ...tap, rows: 'taps' }, 'replace-one').delta).toBe('1/1000000');
    expect(costUnder({ ...tap, neighbours: 'replace-one' }, 'add-remove').delta).toBe('1/1000000');
    // The threshold that this δ allows under the other relation is no higher than the one that was drawn with.
    const allowed = certify({
      ...tap,
      mechanism: 'stability-histogram',
      neighbours: 'replace-one',
      ...cost,
      split: {},
    });
    expect(allowed.scale).toBe(drawn.scale);
    expect(allowed.threshold).toBeLessThanOrEqual(drawn.threshold!);
  });

  test('it is the ε at which the other relation is certified with the same noise and the same threshold', () => {
    const relations = fc.constantFrom('add-remove' as const, 'replace-one' as const);
    const units = fc.constantFrom(
      { unit: 'tap' as const, rows: 'taps' as const },
      { unit: 'trip' as const },
      { unit: 'card-day' as const, maxTaps: 6 },
    );
    fc.assert(
      fc.property(relations, relations, units, fc.integer({ min: 1, max: 40 }), (own, other, unit, tenths) => {
        const drawn = {
          ...unit,
          publish: 'on+off' as const,
          delta: '1/1000000',
          mechanism: 'stability-histogram' as const,
        };
        const first = { ...drawn, neighbours: own, epsilon: `${tenths}/4`, split: {} };
        const { epsilon } = costUnder(first, other);
        const [a, b] = [certify(first), certify({ ...first, neighbours: other, epsilon })];
        expect([b.scale, b.threshold, b.deltaUpper]).toEqual([a.scale, a.threshold, a.deltaUpper]);
      }),
      { numRuns: 20 },
    );
  });
});
