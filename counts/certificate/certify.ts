import {
  CERTIFICATE_FORMAT,
  type Certificate,
  type EpsilonSplit,
  type PrivacyParameters,
  parametersOf,
  type Share,
} from '../../contracts/certificate.ts';
import { assumptionStatements, proofStatements } from '../../contracts/certificate-statements.ts';
import { isDrawable, isDrawableVariance } from '../../core/random/drawable-scale.ts';
import { encloseInDecimals } from '../../core/rational/decimal.ts';
import { expBounds } from '../../core/rational/interval.ts';
import { divide, formatRational, multiply, ONE, type Rational, rational } from '../../core/rational/rational.ts';
import { MECHANISMS } from '../mechanisms/mechanisms.ts';
import { impossible, readDelta, readEpsilon } from './amounts.ts';
import { cellNoise, type NoiseOfCell } from './cell-noise.ts';
import { certifyFloors, noFloor } from './floors.ts';
import { type GaussianDesign, gaussianDesign } from './gaussian-design.ts';
import { bringsOtherTap, l1Change, leftOutChange, patternsOfUnit, tapsOfUnit } from './l1-change.ts';
import { sbhDelta, smallestPublished } from './sbh-2017.ts';
import { formatSplit, readSplit, type Shares } from './split.ts';
import { smallestThreshold } from './threshold.ts';
import { tightDelta, worstPattern } from './tight-delta.ts';
import { ENDS_PUBLISHED, UNITS } from './units.ts';

/** Privacy parameters in which the share of the cells may be left out: it is then the rest of ε. */
export type CertificateRequest = Omit<PrivacyParameters, 'split'> & { split: Partial<EpsilonSplit> };

/** The part of a certificate that differs between mechanisms. */
type DeltaPart = Pick<Certificate, 'threshold' | 'deltaUpper' | 'deltaLower' | 'worstPattern' | 'shown'>;

function stabilityHistogram(request: CertificateRequest, delta: Rational, rate: Rational): DeltaPart {
  const patterns = patternsOfUnit(request);
  const threshold = smallestThreshold(patterns, rate, delta);
  const { lower, upper } = encloseInDecimals((bits) => tightDelta(patterns, threshold, rate, bits));
  const worst = worstPattern(patterns, threshold, rate);
  return {
    threshold,
    deltaUpper: upper,
    deltaLower: lower,
    worstPattern: Array.from({ length: worst.cells }, () => worst.taps),
  };
}

function sbh2017(request: CertificateRequest, delta: Rational, shares: Shares, scale: Rational): DeltaPart {
  if (UNITS[request.unit].cardScope !== null)
    throw impossible('The 2017 algorithm protects one trip or one tap; it has no certificate for cards.');
  if (delta.numerator === 0n) throw impossible('The 2017 algorithm needs a δ above 0.');
  const tablesOfTap = 1 + Number(shares.time !== undefined) + Number(shares.location !== undefined);
  const tableDelta = divide(delta, rational(BigInt(tablesOfTap * ENDS_PUBLISHED[request.publish])));
  const tablesOfUnit = tablesOfTap * tapsOfUnit(request);
  const exact = sbhDelta(tableDelta, tablesOfUnit);
  const { lower, upper } = encloseInDecimals(() => ({ lower: exact, upper: exact }));
  return {
    threshold: smallestPublished(scale, tableDelta),
    deltaUpper: upper,
    deltaLower: lower,
    worstPattern: Array.from({ length: tablesOfUnit }, () => 1),
  };
}

/** What is drawn of each law, and what a refusal says about the rest. */
const DRAWN = {
  'discrete-laplace': { isDrawn: isDrawable, noise: 'noise of scale', most: '65536' },
  'discrete-gaussian': { isDrawn: isDrawableVariance, noise: 'noise with σ²', most: '4096²' },
  'real-laplace': null,
} as const;

/** Noise that nobody can draw is refused here, before anything is charged for it. */
function requireDrawable(mechanism: CertificateRequest['mechanism'], scales: Scales): void {
  const law = DRAWN[MECHANISMS[mechanism].drawnNoise];
  for (const [name, scale] of Object.entries(scales)) {
    if (!law || !scale || law.isDrawn(scale)) continue;
    throw impossible(
      `split.${name} asks for ${law.noise} ${formatRational(scale)}, and what is drawn is between 1/65536 and ${law.most}; a larger share has less noise.`,
    );
  }
}

/** Of the noise on what each share pays for: its scale, or σ². */
type Scales = Partial<Record<Share, Rational>> & { cells: Rational };

/** Whatever is certified of the noise besides its floors; δ of the whole where it follows from all of it together. */
type Noise = { scales: Scales; rho?: string; delta?: GaussianDesign['delta'] };

/** The shares of a request. Throws CERTIFICATE_IMPOSSIBLE. */
export const sharesOf = ({
  mechanism,
  epsilon,
  split,
}: Pick<CertificateRequest, 'mechanism' | 'epsilon' | 'split'>): Shares =>
  readSplit(MECHANISMS[mechanism].shares === 'of ρ' ? ONE : readEpsilon(epsilon), split);

/**
 * The noise on a cell that these parameters ask for, of which the usual floors are made. Throws CERTIFICATE_IMPOSSIBLE.
 */
export const noiseOnCells = (request: Omit<CertificateRequest, 'floor' | 'hours'>): NoiseOfCell =>
  cellNoise(request.mechanism, noiseOf(request, sharesOf(request)).scales.cells);

function noiseOf(request: CertificateRequest, shares: Shares): Noise {
  if ((request.clamp === undefined) !== (shares.bounded === undefined))
    throw impossible(
      'split.bounded and clamp go together, for card units: a share, and the most left-out taps of a card that count.',
    );
  if (request.rejects && !shares.checks)
    throw impossible('rejects needs split.checks: the share of ε for the noisy numbers that are compared with it.');
  switch (MECHANISMS[request.mechanism].drawnNoise) {
    case 'discrete-gaussian': {
      const design = gaussianDesign(request, readEpsilon(request.epsilon), readDelta(request.delta), shares);
      return { scales: design.variances, rho: formatRational(design.rho), delta: design.delta };
    }
    case 'discrete-laplace':
    case 'real-laplace':
      return { scales: laplaceScales(request, shares) };
  }
}

/** D1 of each share, divided by it, where it is drawn. */
function laplaceScales(request: CertificateRequest, { cells, time, location, bounded, checks }: Shares): Scales {
  const d1 = l1Change(request);
  const change = leftOutChange(request);
  const over = (share: Rational, l1: number) => divide(rational(BigInt(l1)), share);
  return {
    cells: over(cells, d1),
    ...(time && { time: over(time, d1) }),
    ...(location && { location: over(location, d1) }),
    ...(bounded && { bounded: over(bounded, change ?? 0) }),
    // Without limits of rejects nothing is drawn for this share.
    ...(checks && request.rejects && { checks: over(checks, change ?? 0) }),
  };
}

function deltaPart(request: CertificateRequest, delta: Rational, shares: Shares, noise: Noise): DeltaPart {
  const scale = noise.scales.cells;
  const floors = () => certifyFloors(request, cellNoise(request.mechanism, scale));
  switch (request.mechanism) {
    case 'stability-histogram':
      return stabilityHistogram(request, delta, divide(ONE, scale));
    case 'complete-domain':
      // Noise on every cell of a public domain: no cell appears or vanishes with a unit, whatever the floor is.
      return { ...floors(), deltaUpper: '0', deltaLower: '0', worstPattern: [] };
    case 'discrete-gaussian':
      return { deltaUpper: noise.delta!.upper, deltaLower: noise.delta!.lower, worstPattern: [], ...floors() };
    case 'sbh-2017':
      return sbh2017(request, delta, shares, scale);
  }
}

/** α of discrete Laplace noise. */
function alphaOf(scale: Rational): Pick<Certificate, 'alphaLower' | 'alphaUpper'> {
  const alpha = encloseInDecimals((bits) => expBounds(multiply(rational(-1n), divide(ONE, scale)), bits));
  return { alphaLower: alpha.lower, alphaUpper: alpha.upper };
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
  if ((request.floor ?? request.hours) !== undefined && MECHANISMS[request.mechanism].threshold !== 'floor')
    throw noFloor();
  if (request.place !== undefined && MECHANISMS[request.mechanism].shares !== 'of ρ')
    throw impossible('Only discrete-gaussian takes place; leave it out.');
  const d1 = l1Change(request);
  const shares = sharesOf(request);
  const noise = noiseOf(request, shares);
  const { scales, rho } = noise;
  requireDrawable(request.mechanism, scales);
  const leftOut = scales.bounded ?? scales.checks;
  const { rows = 'trips', ...asked } = request;
  const numbers = {
    format: CERTIFICATE_FORMAT,
    ...parametersOf(asked),
    ...(UNITS[request.unit].sharesRow && { rows }),
    epsilon: formatRational(epsilon),
    delta: formatRational(delta),
    split: formatSplit(shares),
    d1,
    scale: formatRational(scales.cells),
    marginScales: {
      ...(scales.time && { time: formatRational(scales.time) }),
      ...(scales.location && { location: formatRational(scales.location) }),
    },
    ...(leftOut && { leftOutScale: formatRational(leftOut) }),
    ...(rho === undefined ? alphaOf(scales.cells) : { rho }),
    ...deltaPart(request, delta, shares, noise),
  } as const;
  const facts = { bringsOtherTap: bringsOtherTap(request), rejectsOfUnit: UNITS[request.unit].rejects };
  return {
    ...numbers,
    rechecked: proofStatements(numbers, facts),
    assumptions: assumptionStatements(numbers, facts),
  };
}
