import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import vectors from '../../test/vectors/discrete-gaussian.json' with { type: 'json' };
import { checkCertificate } from '../certificate-check/check-certificate.ts';
import { gaussianDelta } from './gaussian-curve.ts';
import { worstMoves } from './gaussian-design.ts';
import { certifyOrSkip, gaussianRequests } from './gaussian-requests.fixture.ts';

test('@contract C10 1,000 random designs for people are good, to a checker with other arithmetic', () => {
  fc.assert(
    fc.property(gaussianRequests, (request) => {
      expect(checkCertificate(certifyOrSkip(request))).toEqual([]);
    }),
    { numRuns: 1000, seed: 33 },
  );
}, 3_600_000);

test.each(vectors.cases.filter(({ kind, in: { time } }) => kind === 'year' && time))(
  '@contract C14 $id: a year of weeks, exactly',
  ({ in: { k, place, windows, cells, time, location, neighbours }, out }) => {
    const moves = worstMoves(
      { unit: 'card-window', publish: 'on+off', neighbours: neighbours as 'add-remove', maxTaps: k!, place: place! },
      { cells: parseRational(cells!), time: parseRational(time!), location: parseRational(location!) },
    ).map((one) => ({ ...one, counts: one.counts * windows! }));
    const expected = Number(out.delta_at_eps);
    const { lower, upper } = gaussianDelta(moves, parseRational(out.eps!), 40 - Math.round(Math.log2(expected)));
    expect(toNumber(lower) / expected).toBeCloseTo(1, 9);
    expect(toNumber(upper) / expected).toBeCloseTo(1, 9);
  },
  120_000,
);
