import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OpalineError } from '../../contracts/errors.ts';
import { compare, formatRational, parseRational, rational, subtract } from '../../core/rational/rational.ts';
import vectors from '../../test/vectors/discrete-gaussian.json' with { type: 'json' };
import { checkCertificate } from '../certificate-check/check-certificate.ts';
import { type CertificateRequest, certify } from './certify.ts';
import { gaussianDelta } from './gaussian-curve.ts';
import { worstMoves } from './gaussian-design.ts';
import { certifyOrSkip, gaussianRequests } from './gaussian-requests.fixture.ts';

const CARD = {
  mechanism: 'discrete-gaussian',
  unit: 'card-window',
  maxTaps: 4,
  place: 2,
  neighbours: 'add-remove',
  publish: 'on+off',
  epsilon: '2',
  delta: '1e-6',
  split: { time: '2/25', location: '3/25' },
} as const satisfies CertificateRequest;

describe('@contract C8 C10 the design for ε and δ', () => {
  test.each(vectors.cases.filter(({ kind }) => kind === 'design'))('$id', ({ in: asked, out }) => {
    const [cells, time, location] = asked.shares!;
    const certificate = certify({
      ...CARD,
      maxTaps: asked.k!,
      place: asked.place!,
      neighbours: asked.neighbours as 'add-remove',
      epsilon: asked.eps!,
      delta: asked.delta!,
      split: { cells: cells!, time: time!, location: location! },
    });
    expect(certificate.scale).toBe(out.cells);
    expect(certificate.marginScales).toEqual({ time: out.time, location: out.location });
    expect(certificate.rho).toBe(out.rho);
    expect(Number(certificate.deltaUpper) / Number(out.delta_at_eps)).toBeCloseTo(1, 9);
    expect(Number(certificate.deltaLower) / Number(out.delta_at_eps)).toBeCloseTo(1, 9);
    expect(checkCertificate(certificate)).toEqual([]);
  });

  test('one step of σ² less does not keep δ, and the same request gives the same certificate', () => {
    const certificate = certify(CARD);
    expect(certify({ ...CARD, split: { ...CARD.split, cells: '4/5' } })).toEqual(certificate);
    const cells = parseRational(certificate.scale);
    const less = (variance: string) => {
      const all = parseRational(variance);
      return rational(
        all.numerator * subtract(cells, rational(1n, 100n)).numerator * cells.denominator,
        all.denominator * cells.numerator * subtract(cells, rational(1n, 100n)).denominator,
      );
    };
    const { time, location } = certificate.marginScales;
    const moves = worstMoves(CARD, { cells: less(certificate.scale), time: less(time!), location: less(location!) });
    expect(formatRational(less(certificate.scale))).toBe('2487/100');
    expect(compare(gaussianDelta(moves, rational(2n), 60).lower, parseRational('1e-6'))).toBe(1);
  });

  test('C8a: ρ is Σ B/(2σ²), which anybody can add up, with left-out taps by the square of clamp', () => {
    const { rho, scale, marginScales, leftOutScale, rechecked } = certify({
      ...CARD,
      maxTaps: 5,
      clamp: 6,
      neighbours: 'replace-one',
      split: { ...CARD.split, bounded: '1/50' },
    });
    const half = (squares: number, variance: string) => {
      const { numerator, denominator } = parseRational(variance);
      return rational(BigInt(squares) * denominator, 2n * numerator);
    };
    const parts = [
      half(10, scale),
      half(10, marginScales.time!),
      half(18, marginScales.location!),
      half(72, leftOutScale!),
    ];
    const sum = parts.reduce((a, b) =>
      rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator),
    );
    expect(rho).toBe(formatRational(sum));
    expect(rechecked.join(' ')).toContain(`ρ = ${rho} is the sum of B/(2σ²)`);
  });

  test.each([
    [{ unit: 'trip', maxTaps: undefined }, 'discrete-gaussian is for card units'],
    [{ place: undefined }, 'needs place'],
    [{ place: 3 }, 'needs place'],
    [{ place: 1.5 }, 'needs place'],
    [{ delta: '0' }, 'needs a δ above 0'],
    [{ delta: '1e-31' }, 'needs a δ of at least 1e-30'],
    [{ split: { checks: '1/10' } }, 'no share for checks'],
    [{ split: { time: '1/1001' } }, 'has a denominator above 1000'],
    [{ split: { time: '1' } }, 'The shares must add up to 1'],
    [{ split: { bounded: '1/10' } }, 'split.bounded and clamp go together'],
    [{ epsilon: '1/1000000', delta: '1e-30' }, 'are the most; take simpler shares'],
    [
      { epsilon: '1/2000', maxTaps: 1, place: 1, publish: 'on', split: {} },
      /^split.cells asks for noise with σ² \d{4,}.* between 1\/65536 and 4096²/,
    ],
    [{ mechanism: 'complete-domain', delta: '0', split: {} }, 'Only discrete-gaussian takes place'],
  ])('%j is refused in one sentence', (change, sentence) => {
    const asked = { ...CARD, ...change } as CertificateRequest;
    expect(() => certify(asked)).toThrow(sentence);
    expect(() => certify(asked)).toThrow(OpalineError);
  });
});

test('@contract C10 whatever is certified for people is good, to a checker with other arithmetic (property)', () => {
  fc.assert(
    fc.property(gaussianRequests, (request) => {
      expect(checkCertificate(certifyOrSkip(request))).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 240_000);
