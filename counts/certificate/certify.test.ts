import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OpalineError } from '../../contracts/errors.ts';
import { discreteLaplace } from '../../core/random/discrete-laplace.ts';
import { compare, multiply, parseRational } from '../../core/rational/rational.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { type CertificateRequest, certify } from './certify.ts';
import { smallestSplit } from './smallest-share.ts';
import { TRIP_REQUEST } from './trip-request.fixture.ts';

describe('@contract C10 certificate', () => {
  // Smallest thresholds at δ = 1e-6: one bin added or replaced, on and off added or replaced.
  test.each([
    ['1', [15, 28, 30, 57]],
    ['2', [8, 15, 16, 30]],
    ['8', [3, 5, 5, 9]],
  ] as const)('thresholds at ε = %s', (epsilon, expected) => {
    const rules = [
      { neighbours: 'add-remove', publish: 'on' },
      { neighbours: 'replace-one', publish: 'off' },
      { neighbours: 'add-remove', publish: 'on+off' },
      { neighbours: 'replace-one', publish: 'on+off' },
    ] as const;
    expect(rules.map((rule) => certify({ ...TRIP_REQUEST, ...rule, epsilon }).threshold)).toEqual(expected);
  });

  test('with margins: 7 + ½ + ½ gives T = 10 and δ = 2.46e-7', () => {
    const certificate = certify({ ...TRIP_REQUEST, split: { time: '1/2', location: '1/2' } });
    expect(certificate.threshold).toBe(10);
    expect(certificate.deltaUpper).toMatch(/^2\.4\d+e-7$/);
    expect(certificate.split).toEqual({ cells: '7', time: '1/2', location: '1/2' });
    expect(certificate.scale).toBe('4/7');
    expect(certificate.marginScales).toEqual({ time: '8', location: '8' });
  });

  test('deltaUpper is within 1 % of deltaLower by far', () => {
    const { deltaLower, deltaUpper } = certify(TRIP_REQUEST);
    const wider = multiply(parseRational(deltaLower), parseRational('1.000000000000000001'));
    expect(compare(parseRational(deltaUpper), wider)).toBe(-1);
  });

  test('parameters that are written differently give one certificate, in plain JSON', () => {
    const certificate = certify({ ...TRIP_REQUEST, split: { cells: '7.2', time: '0.3', location: '0.5' } });
    expect(
      certify({ ...TRIP_REQUEST, epsilon: '16/2', delta: '1/1000000', split: { time: '3/10', location: '5e-1' } }),
    ).toEqual(certificate);
    expect(certify(certificate)).toEqual(certificate);
    expect(JSON.parse(JSON.stringify(certificate))).toEqual(certificate);
  });

  test('T falls in ε and δ, and replacing never needs less than adding', () => {
    const requests = fc.record({
      unit: fc.constantFrom('tap', 'trip'),
      publish: fc.constantFrom('on', 'on+off'),
      epsilon: fc.integer({ min: 1, max: 100 }).map((tenths) => `${tenths}/10`),
      delta: fc.integer({ min: 3, max: 12 }).map((digits) => `1e-${digits}`),
    } as const);
    fc.assert(
      fc.property(requests, (change) => {
        const request = { ...TRIP_REQUEST, ...change };
        const threshold = (more: Partial<CertificateRequest>) => certify({ ...request, ...more }).threshold!;
        const here = threshold({});
        expect(threshold({ epsilon: '10' })).toBeLessThanOrEqual(here);
        expect(threshold({ delta: '1e-3' })).toBeLessThanOrEqual(here);
        expect(threshold({ neighbours: 'add-remove' })).toBeLessThanOrEqual(here);
        expect(threshold({ split: { time: '1/20' } })).toBeGreaterThanOrEqual(here);
      }),
      { numRuns: 60 },
    );
  });

  test('complete-domain has δ = 0 and no threshold, whatever δ was asked for', () => {
    for (const delta of ['0', '1e-6']) {
      const certificate = certify({ ...TRIP_REQUEST, mechanism: 'complete-domain', delta });
      expect(certificate).toMatchObject({ threshold: null, deltaUpper: '0', deltaLower: '0', worstPattern: [] });
    }
  });

  test('left-out taps have a share and an L1 change of their own, and leave T and δ to the cells', () => {
    const card = { ...TRIP_REQUEST, unit: 'card-day', maxTaps: 2, epsilon: '9' } as const;
    const counted = certify({ ...card, clamp: 3, split: { bounded: '1' } });
    const uncounted = certify({ ...card, epsilon: '8' });
    expect(counted).toMatchObject({
      d1: 4,
      scale: '1/2',
      clamp: 3,
      leftOutScale: '6',
      split: { cells: '8', bounded: '1' },
    });
    for (const field of ['threshold', 'deltaUpper', 'deltaLower', 'worstPattern'] as const)
      expect(counted[field]).toEqual(uncounted[field]);
    expect(certify({ ...card, neighbours: 'add-remove', clamp: 3, split: { bounded: '1' } }).leftOutScale).toBe('3');
    expect(uncounted.leftOutScale).toBeUndefined();
  });

  describe('noise that cannot be drawn is refused', () => {
    const cards = { ...TRIP_REQUEST, unit: 'card-window', maxTaps: 1000, epsilon: '20' } as const;
    test.each([
      ['a card of a thousand taps by the smallest split', { ...cards, split: smallestSplit(cards) }, 'time'],
      ['a share of 1/20000 for times', { ...TRIP_REQUEST, split: { time: '1/20000' } }, 'time'],
      ['a share of 1/20000 for locations', { ...TRIP_REQUEST, split: { location: '1/20000' } }, 'location'],
      ['cells of a complete domain', { ...TRIP_REQUEST, mechanism: 'complete-domain', epsilon: '1/20000' }, 'cells'],
    ] as const)('%s', (_, request, share) => {
      const refusal = {
        code: 'CERTIFICATE_IMPOSSIBLE',
        message: expect.stringMatching(`^split.${share} asks for noise`),
      };
      expect(() => certify(request)).toThrow(expect.objectContaining(refusal));
    });

    test('and the largest scale that is certified is drawn', () => {
      const { marginScales } = certify({ ...TRIP_REQUEST, split: { time: '1/16384' } });
      expect(marginScales.time).toBe('65536');
      expect(discreteLaplace(parseRational(marginScales.time!), seededSource(1)).draw()).not.toBeNaN();
      expect(() => certify({ ...TRIP_REQUEST, split: { time: '1/16385' } })).toThrow(OpalineError);
    });
  });

  test('both lists are sentences, and the assumptions name what cannot be checked', () => {
    for (const mechanism of ['stability-histogram', 'complete-domain', 'sbh-2017'] as const) {
      const { rechecked, assumptions } = certify({ ...TRIP_REQUEST, mechanism });
      for (const sentence of [...rechecked, ...assumptions]) expect(sentence).toMatch(/^[A-Z0-9].+\.$/);
      const text = assumptions.join(' ');
      for (const word of ['counted', 'row', 'dictionaries', 'random', 'build', 'Approvers', 'objects', 'Timing']) {
        expect(text).toContain(word);
      }
    }
    expect(certify({ ...TRIP_REQUEST, mechanism: 'sbh-2017' }).assumptions.join(' ')).toContain('ideal real Laplace');
  });
});

describe('@contract C8 what has no certificate', () => {
  const refused: [string, Partial<CertificateRequest>][] = [
    ['δ = 0 for a stability histogram', { delta: '0' }],
    ['δ = 0 for sbh-2017', { delta: '0', mechanism: 'sbh-2017' }],
    ['δ = 1', { delta: '1' }],
    ['δ below 0', { delta: '-1e-6' }],
    ['ε = 0', { epsilon: '0' }],
    ['ε below 0', { epsilon: '-1' }],
    ['ε beyond sense', { epsilon: '1001' }],
    ['ε that is no number', { epsilon: 'eight' }],
    ['δ that is no number', { delta: '' }],
    ['ε too small for any threshold', { epsilon: '1e-300' }],
    ['k missing', { unit: 'card-day' }],
    ['k out of place', { maxTaps: 2 }],
    ['cards with sbh-2017', { mechanism: 'sbh-2017', unit: 'card-window', maxTaps: 2 }],
    ['shares over ε', { split: { cells: '8', time: '1/2' } }],
    ['shares under ε', { split: { cells: '7', time: '1/2' } }],
    ['shares that differ from ε in the last digit', { split: { cells: '7.5', time: '0.5000000000000000000001' } }],
    ['nothing left for cells', { split: { time: '4', location: '4' } }],
    ['a share of 0', { split: { time: '0' } }],
    ['a share below 0', { split: { cells: '9', time: '-1' } }],
    ['a share that is no number', { split: { checks: 'all' } }],
    ['left-out taps without a clamp', { unit: 'card-day', maxTaps: 2, split: { bounded: '1' } }],
    ['a clamp without a share', { unit: 'card-day', maxTaps: 2, clamp: 2 }],
    ['left-out taps of a trip', { clamp: 2, split: { bounded: '1' } }],
    ['limits of rejects without a share', { rejects: { bus: 100 } }],
    ['limits of rejects of cards', { unit: 'card-day', maxTaps: 2, rejects: { bus: 100 }, split: { checks: '1' } }],
    ['rejects with too much noise', { rejects: { bus: 100 }, split: { checks: '1/20000' } }],
    ['left-out taps with too much noise', { unit: 'card-day', maxTaps: 2, clamp: 9, split: { bounded: '1/9000' } }],
  ];
  test.each(refused)('%s', (_, change) => {
    const attempt = () => certify({ ...TRIP_REQUEST, ...change });
    expect(attempt).toThrow(OpalineError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }));
  });

  test('@contract C5 rejects have noise for two of a unit; a share without limits has none', () => {
    const rejects = { rejects: { bus: 100 }, split: { checks: '1/2' } };
    expect(certify({ ...TRIP_REQUEST, ...rejects }).leftOutScale).toBe('8');
    expect(certify({ ...TRIP_REQUEST, ...rejects, unit: 'tap', neighbours: 'add-remove' }).leftOutScale).toBe('4');
    expect(certify({ ...TRIP_REQUEST, split: { checks: '1/2' } })).not.toHaveProperty('leftOutScale');
  });

  test('a single step inside the ranges is certified', () => {
    expect(certify({ ...TRIP_REQUEST, epsilon: '1000', delta: '0.999' }).threshold).toBe(2);
    expect(certify({ ...TRIP_REQUEST, split: { cells: '7.5', time: '0.5' } }).threshold).toBe(9);
  });
});
