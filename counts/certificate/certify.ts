import {
  CERTIFICATE_FORMAT,
  type Certificate,
  type EpsilonSplit,
  type PrivacyParameters,
  parametersOf,
} from '../../contracts/certificate.ts';
import { assumptionStatements, recheckedStatements } from '../../contracts/certificate-statements.ts';
import { isDrawable } from '../../core/random/drawable-scale.ts';
import { enclosingDecimals } from '../../core/rational/decimal.ts';
import { expBounds } from '../../core/rational/interval.ts';
import { divide, formatRational, multiply, ONE, type Rational, rational } from '../../core/rational/rational.ts';
import { MECHANISMS } from '../mechanisms/mechanisms.ts';
import { impossible, readDelta, readEpsilon } from './amounts.ts';
import { certifiedFloors, noFloor } from './floors.ts';
import { bringsOtherTap, l1Change, leftOutChange, tapsOfUnit, vanishingPatterns } from './l1-change.ts';
import { sbhDelta, smallestPublished, tablesOfShare } from './sbh-2017.ts';
import { formatSplit, readSplit, type Shares } from './split.ts';
import { smallestThreshold } from './threshold.ts';
import { tightDelta, worstPattern } from './tight-delta.ts';
import { UNITS } from './units.ts';

/** Privacy parameters in which the share of the cells may be left out: it is then the rest of ε. */
export type CertificateRequest = Omit<PrivacyParameters, 'split'> & { split: Partial<EpsilonSplit> };

/** The part of a certificate that differs between mechanisms. */
type DeltaPart = Pick<Certificate, 'threshold' | 'deltaUpper' | 'deltaLower' | 'worstPattern' | 'shown'>;

function stabilityHistogram(request: CertificateRequest, delta: Rational, rate: Rational): DeltaPart {
  const patterns = vanishingPatterns(request);
  const threshold = smallestThreshold(patterns, rate, delta);
  const { lower, upper } = enclosingDecimals((bits) => tightDelta(patterns, threshold, rate, bits));
  const worst = worstPattern(patterns, threshold, rate);
  return {
    threshold,
    deltaUpper: upper,
    deltaLower: lower,
    worstPattern: Array.from({ length: worst.cells }, () => worst.taps),
  };
}

function sbh2017(request: CertificateRequest, delta: Rational, shares: Shares, scale: Rational): DeltaPart {
  if (UNITS[request.unit].cardScope !== null) {
    throw impossible('The 2017 algorithm protects one trip or one tap; it has no certificate for cards.');
  }
  if (delta.numerator === 0n) throw impossible('The 2017 algorithm needs a δ above 0.');
  const tablesOfTap = 1 + Number(shares.time !== undefined) + Number(shares.location !== undefined);
  const tableDelta = divide(delta, rational(BigInt(tablesOfTap * tablesOfShare(request.publish))));
  const tablesOfUnit = tablesOfTap * tapsOfUnit(request);
  const exact = sbhDelta(tableDelta, tablesOfUnit);
  const { lower, upper } = enclosingDecimals(() => ({ lower: exact, upper: exact }));
  return {
    threshold: smallestPublished(scale, tableDelta),
    deltaUpper: upper,
    deltaLower: lower,
    worstPattern: Array.from({ length: tablesOfUnit }, () => 1),
  };
}

/** Noise that nobody can draw is refused here, before anything is charged for it. */
function requireDrawable(scales: Readonly<Record<string, Rational | null>>): void {
  for (const [name, scale] of Object.entries(scales)) {
    if (scale === null || isDrawable(scale)) continue;
    throw impossible(
      `split.${name} asks for noise of scale ${formatRational(scale)}, and 65536 is the most that is drawn; make it larger.`,
    );
  }
}

/** D1 of each share, divided by it; null without a share that is drawn. Throws CERTIFICATE_IMPOSSIBLE. */
function scalesOf(request: CertificateRequest, d1: number, { cells, time, location, bounded, checks }: Shares) {
  const change = leftOutChange(request);
  if ((request.clamp === undefined) !== (bounded === undefined))
    throw impossible(
      'split.bounded and clamp go together, for card units: a share, and the most left-out taps of a card that count.',
    );
  if (request.rejects && !checks)
    throw impossible('rejects needs split.checks: the share of ε for the noisy numbers that are compared with it.');
  const over = (share: Rational | undefined, moved: number) => (share ? divide(rational(BigInt(moved)), share) : null);
  return {
    cells: divide(rational(BigInt(d1)), cells),
    time: over(time, d1),
    location: over(location, d1),
    bounded: over(bounded, change ?? 0),
    // Without limits of rejects nothing is drawn for this share.
    checks: request.rejects ? over(checks, change ?? 0) : null,
  };
}

function deltaPart(request: CertificateRequest, delta: Rational, shares: Shares, scale: Rational): DeltaPart {
  switch (request.mechanism) {
    case 'stability-histogram':
      return stabilityHistogram(request, delta, divide(ONE, scale));
    case 'complete-domain':
      // Noise on every cell of a public domain: no cell appears or vanishes with a unit, whatever the floor is.
      return { ...certifiedFloors(request, divide(ONE, scale)), deltaUpper: '0', deltaLower: '0', worstPattern: [] };
    case 'sbh-2017':
      return sbh2017(request, delta, shares, scale);
  }
}

/**
 * The certificate of a release with these parameters: exact scales, the smallest threshold, and the tight δ between two
 * neighbouring decimals. The same parameters always give the same certificate. For sbh-2017 the shares `time` and
 * `location` pay for tables with thresholds of their own, and `threshold` is the smallest count a cell can show.
 * Throws CERTIFICATE_IMPOSSIBLE when a parameter is out of range or no certificate exists.
 *
 * @contract C8
 * @contract C10
 */
export function certify(request: CertificateRequest): Certificate {
  const epsilon = readEpsilon(request.epsilon);
  const delta = readDelta(request.delta);
  const shares = readSplit(epsilon, request.split);
  if ((request.floor ?? request.hours) !== undefined && MECHANISMS[request.mechanism].threshold !== 'floor')
    throw noFloor();
  const d1 = l1Change(request);
  const scales = scalesOf(request, d1, shares);
  const scale = scales.cells;
  const leftOut = scales.bounded ?? scales.checks;
  if (MECHANISMS[request.mechanism].drawnNoise === 'discrete-laplace') requireDrawable(scales);
  const alpha = enclosingDecimals((bits) => expBounds(multiply(rational(-1n), divide(ONE, scale)), bits));
  const { rows = 'trips', ...asked } = request;
  const numbers = {
    format: CERTIFICATE_FORMAT,
    ...parametersOf(asked),
    ...(UNITS[request.unit].sharesRow && { rows }),
    epsilon: formatRational(epsilon),
    delta: formatRational(delta),
    split: formatSplit(shares),
    d1,
    scale: formatRational(scale),
    marginScales: {
      ...(scales.time && { time: formatRational(scales.time) }),
      ...(scales.location && { location: formatRational(scales.location) }),
    },
    ...(leftOut && { leftOutScale: formatRational(leftOut) }),
    alphaLower: alpha.lower,
    alphaUpper: alpha.upper,
    ...deltaPart(request, delta, shares, scale),
  } as const;
  const facts = { bringsOtherTap: bringsOtherTap(request), rejectsOfUnit: UNITS[request.unit].rejects };
  return {
    ...numbers,
    rechecked: recheckedStatements(numbers, facts),
    assumptions: assumptionStatements(numbers, facts),
  };
}
