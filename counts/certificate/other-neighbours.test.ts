import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  divide,
  formatRational,
  multiply,
  parseRational,
  rational,
  toNumber,
  ZERO,
} from '../../core/rational/rational.ts';
import { certify } from './certify.ts';
import { gaussianDelta } from './gaussian-curve.ts';
import { worstMoves } from './gaussian-design.ts';
import { costUnder } from './other-neighbours.ts';

const trip = {
  mechanism: 'stability-histogram',
  split: {},
  unit: 'trip',
  publish: 'on+off',
  epsilon: '8',
  delta: '1/1000000',
} as const;

describe('C12: what a draw costs under the other neighbour relation', () => {
  test('a release drawn for add-remove costs twice its ε where one unit may be replaced', () => {
    expect(costUnder({ ...trip, neighbours: 'add-remove' }, 'replace-one')).toEqual({
      epsilon: '16',
      delta: '1/1000000',
      rho: null,
    });
    expect(costUnder({ ...trip, neighbours: 'replace-one' }, 'add-remove')).toEqual({
      epsilon: '4',
      delta: '1/1000000',
      rho: null,
    });
    expect(costUnder({ ...trip, neighbours: 'replace-one' }, 'replace-one')).toEqual({
      epsilon: '8',
      delta: '1/1000000',
      rho: null,
    });
  });

  test('a tap of a trip that is replaced can bring both ends: its δ is at most twice that of one', () => {
    const tap = { ...trip, unit: 'tap', neighbours: 'add-remove' } as const;
    const drawn = certify({ ...tap, mechanism: 'stability-histogram', epsilon: '1', split: {} });
    const cost = costUnder({ ...tap, epsilon: '1' }, 'replace-one');
    expect(cost).toEqual({ epsilon: '2', delta: '1/500000', rho: null });
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

  const card = {
    mechanism: 'discrete-gaussian',
    unit: 'card-day',
    maxTaps: 4,
    place: 2,
    publish: 'on+off',
    epsilon: '2',
    delta: '1/1000',
    split: { time: '1/10', location: '1/5' },
  } as const;

  test('for people: ρ is that of the certificate, Σ B/(2σ²), and twice or half of it under the other relation', () => {
    for (const neighbours of ['add-remove', 'replace-one'] as const) {
      const other = neighbours === 'add-remove' ? 'replace-one' : 'add-remove';
      const { rho, scale, marginScales } = certify({ ...card, neighbours });
      const cost = costUnder({ ...card, neighbours }, neighbours);
      expect(cost).toEqual({ epsilon: '2', delta: '1/1000', rho });
      const times = neighbours === 'add-remove' ? 1n : 2n;
      const byHand = [
        [4n, scale],
        [4n, marginScales.time!],
        [8n, marginScales.location!],
      ] as const;
      const sum = byHand
        .map(([b, variance]) => divide(rational(times * b, 2n), parseRational(variance)))
        .reduce(add, ZERO);
      expect(formatRational(sum)).toBe(rho);
      const factor = neighbours === 'add-remove' ? rational(2n) : rational(1n, 2n);
      expect(costUnder({ ...card, neighbours }, other).rho).toBe(formatRational(multiply(parseRational(rho!), factor)));
    }
  });

  test('for people: δ of the other relation is that of its own curve at the same ε', () => {
    const drawn = { ...card, neighbours: 'add-remove' } as const;
    const { scale, marginScales } = certify(drawn);
    const cost = costUnder(drawn, 'replace-one');
    const variances = { cells: scale, time: marginScales.time!, location: marginScales.location! };
    const moves = worstMoves(
      { ...drawn, neighbours: 'replace-one' },
      {
        cells: parseRational(variances.cells),
        time: parseRational(variances.time),
        location: parseRational(variances.location),
      },
    );
    const { lower } = gaussianDelta(moves, parseRational('2'), 80);
    expect(toNumber(parseRational(cost.delta)) / toNumber(lower)).toBeCloseTo(1, 6);
    expect(compare(parseRational(cost.delta), lower)).toBeGreaterThanOrEqual(0);
    expect(compare(parseRational(cost.delta), parseRational(drawn.delta))).toBe(1);
  });

  test('complete-domain has ε²/2 of the ε that is charged; of a threshold no ρ follows', () => {
    const domain = { ...trip, mechanism: 'complete-domain', delta: '0' } as const;
    expect(costUnder({ ...domain, neighbours: 'replace-one' }, 'replace-one').rho).toBe('32');
    expect(costUnder({ ...domain, neighbours: 'add-remove' }, 'replace-one').rho).toBe('128');
    expect(costUnder({ ...trip, neighbours: 'replace-one' }, 'replace-one').rho).toBeNull();
  });
});
