import type { Certificate } from '../../contracts/certificate.ts';
import { wrongUse } from '../../contracts/errors.ts';
import { amountOf, basicComposition } from '../../core/accounting/basic-composition.ts';
import { epsilonOfRho } from '../../core/accounting/epsilon-of-rho.ts';
import { epsilonAt } from '../../core/accounting/loss-curve.ts';
import { composeTimes } from '../../core/accounting/loss-distribution.ts';
import { optimalEpsilon } from '../../core/accounting/optimal-composition.ts';
import { add, bitLength, compare, ONE, parseRational, type Rational, rational } from '../../core/rational/rational.ts';
import { smallestBetween } from '../../core/search/smallest-integer.ts';
import { gaussianCurve, rhoOf } from '../certificate/gaussian-curve.ts';
import { worstMoves } from '../certificate/gaussian-design.ts';
import { releaseLoss } from './release-loss.ts';

/** What a number of releases, fixed beforehand, guarantees for one unit that may be in each of them. */
export type Account = ReturnType<typeof accountOf>;

/** A daily release for a year, and one more. */
const MOST_RELEASES = 366;
/** δ′ of a certificate that has no δ of its own. */
const SMALL_DELTA = parseRational('1e-6');

function requireReleases(releases: number): number {
  if (Number.isInteger(releases) && releases >= 1 && releases <= MOST_RELEASES) return releases;
  throw wrongUse(`The number of releases must be a whole number from 1 to ${MOST_RELEASES}.`);
}

const smaller = (a: Rational, b: Rational): Rational => (compare(a, b) <= 0 ? a : b);

/**
 * Basic, optimal and numeric figures of a schedule fixed beforehand, for n releases of this certificate. δ′, by which
 * the total δ exceeds the sum, is the δ of the certificate, or 1e-6 when that is 0. Throws USAGE unless n is a whole
 * number from 1 to 366.
 *
 * @contract C14
 */
export function accountOf(certificate: Certificate, releases: number) {
  const guarantee = amountOf(certificate);
  const basic = basicComposition(guarantee, requireReleases(releases));
  const extra = guarantee.delta.numerator > 0n ? guarantee.delta : SMALL_DELTA;
  const delta = smaller(add(basic.delta, extra), ONE);
  // Neither is null: the total δ is above what K releases can lose entirely.
  const optimal = smaller(optimalEpsilon(guarantee, releases, delta) ?? basic.epsilon, basic.epsilon);
  // On a coarse grid the numeric ε of few releases may be a little above the optimal one, which holds as well.
  const numeric = smaller(
    epsilonAt(composeTimes(releaseLoss(certificate, releases), releases), delta) ?? optimal,
    optimal,
  );
  return {
    /** The sums, K·ε and K·δ, exact: what caps count. */
    basic,
    /** At a total δ of K·δ + δ′, from (ε, δ) alone: optimal composition, ε rounded up. */
    optimal: { epsilon: optimal, delta },
    /** At the same total δ, from the law of the noise itself: numeric privacy-loss distribution, ε rounded up. */
    numeric: { epsilon: numeric, delta },
  };
}

/** Bits beyond those of δ with which a year is compared with it. */
const SPARE_BITS = 12;
/** Figures of a year are in hundredths, as many of which are in 1. */
const PARTS = 100;

/**
 * ε of n releases for people, fixed beforehand, at the δ of one: the exact curve with n times the counts, in
 * hundredths rounded up. It is at most that of the ρ. Cost: a second for a year of weeks at ε = 1. Throws USAGE as
 * accountOf does, and CERTIFICATE_IMPOSSIBLE when the losses have too many points.
 *
 * @contract C14
 */
export function epsilonOfSchedule(certificate: Certificate, releases: number): Rational {
  const { scale, leftOutScale, delta: allowed } = certificate;
  const margins = Object.entries(certificate.marginScales).map(([side, text]) => [side, parseRational(text)]);
  const moves = worstMoves(certificate, {
    cells: parseRational(scale),
    ...Object.fromEntries(margins),
    ...(leftOutScale !== undefined && { bounded: parseRational(leftOutScale) }),
  }).map((one) => ({ ...one, counts: requireReleases(releases) * one.counts }));
  const delta = parseRational(allowed);
  const deltaAt = gaussianCurve(moves, bitLength(delta.denominator) + SPARE_BITS);
  const bound = epsilonOfRho(rhoOf(moves), delta);
  const parts = smallestBetween(
    0,
    Math.ceil(PARTS * Number(bound)),
    (at) => compare(deltaAt(rational(BigInt(at), BigInt(PARTS))).upper, delta) <= 0,
  );
  return rational(BigInt(parts), BigInt(PARTS));
}
