import type { Certificate } from '../../contracts/certificate.ts';
import { asNumber, curveAt, type Moved, rhoOfMoves } from './check-curve.ts';
import { type Fraction, fromDecimal, order } from './enclosure.ts';

/** Bounds on δ may be so far apart, as part of it. */
const WIDTH = 1.000_001;
/** δ in floating point has to be better than this, as part of it. */
const RELATIVE = 1e-8;
/** The greatest σ that is sampled, squared, and the inverse of the least σ². */
const DRAWN = { most: 4096n ** 2n, least: 65_536n };

/**
 * What one query moves by, for one unit: cells and times once in each of k counts, locations by `place` as often as k
 * allows.
 */
function changesOf({
  maxTaps = 0,
  place = 1,
  clamp = 0,
}: Certificate): Record<string, { counts: number; by: number }[]> {
  const each = [{ counts: maxTaps, by: 1 }];
  const rest = maxTaps % place;
  const whole = { counts: (maxTaps - rest) / place, by: place };
  return {
    cells: each,
    time: each,
    location: [whole, { counts: rest, by: 1 }].filter(({ counts }) => counts > 0),
    bounded: [{ counts: 1, by: clamp }],
  };
}

/** The σ² that a certificate states of each query. */
const variancesOf = ({ scale, marginScales, leftOutScale }: Certificate): Record<string, string | undefined> => ({
  cells: scale,
  time: marginScales.time,
  location: marginScales.location,
  bounded: leftOutScale,
});

/**
 * Problems with what is certified of discrete Gaussian noise (C8a): that every share has a σ² and every σ² a share,
 * that B/σ² are in proportion to the shares, ρ, and δ at ε of the worst that one unit can move, by arithmetic of its
 * own.
 */
export function gaussianProblems(certificate: Certificate, read: (text: string) => Fraction): string[] {
  const { neighbours, split, rho, epsilon, delta, deltaLower, deltaUpper, worstPattern } = certificate;
  if ((certificate.clamp === undefined) !== (split.bounded === undefined))
    return ['A clamp and a share of left-out taps go together.'];
  const times = neighbours === 'add-remove' ? 1 : 2;
  const [changes, variances] = [changesOf(certificate), variancesOf(certificate)];
  const queries = new Set([
    ...Object.keys(split),
    ...Object.keys(variances).filter((name) => variances[name] !== undefined),
  ]);
  const moves: Moved[] = [];
  let perShare: Fraction | null = null;
  for (const query of queries) {
    const [variance, share] = [variances[query], split[query as 'cells']];
    if (variance === undefined || share === undefined) return [`Share and σ² of ${query} do not go together.`];
    const [own, part] = [read(variance), read(share)];
    if (own.n > DRAWN.most * own.d || own.n * DRAWN.least < own.d)
      return [`Noise with the σ² of ${query} cannot be drawn.`];
    const squares = changes[query]!.reduce((sum, { counts, by }) => sum + BigInt(times * counts * by * by), 0n);
    const ratio = { n: squares * own.d * part.d, d: own.n * part.n };
    perShare ??= ratio;
    if (order(ratio, perShare) !== 0) return [`The σ² of ${query} is not in proportion to its share of ρ.`];
    moves.push(...changes[query]!.map(({ counts, by }) => ({ counts: times * counts, by, variance: own })));
  }
  if (rho === undefined || order(read(rho), rhoOfMoves(moves)) !== 0)
    return [`ρ is ${rho ?? 'not stated'}, but should be ${asNumber(rhoOfMoves(moves))}.`];
  const curve = curveAt(moves, read(epsilon));
  if (!curve || curve.error > RELATIVE) return ['The curve of δ is too long, or too small, to be checked.'];
  const [low, high] = [fromDecimal(deltaLower), fromDecimal(deltaUpper)].map(asNumber) as [number, number];
  return [
    ...(low <= curve.delta * (1 + RELATIVE) && high >= curve.delta * (1 - RELATIVE)
      ? []
      : [`δ at ε = ${epsilon} is not from ${deltaLower} to ${deltaUpper}, but ${curve.delta}.`]),
    ...(high <= low * WIDTH ? [] : ['The bounds on δ are too far apart.']),
    ...(order(fromDecimal(deltaUpper), read(delta)) <= 0 ? [] : ['δ is above the δ asked for.']),
    ...(worstPattern.length === 0 ? [] : ['No cell of a complete domain vanishes with a unit.']),
  ];
}
