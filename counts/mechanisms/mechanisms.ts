import type { Certificate, Mechanism } from '../../contracts/certificate.ts';
import { multiply, parseRational, type Rational, toNumber } from '../../core/rational/rational.ts';
import type { IntegerNoise, NoiseModel } from '../../core/statistics/noise-law.ts';
import { cellInterval, domainCellInterval, type ExactNoise, type interval } from './count-interval.ts';

/** What the code has to know of a mechanism. */
type MechanismFacts = {
  /** Law of the noise as it is drawn: a noisy count of this is compared with the threshold. */
  drawnNoise: NoiseModel;
  /** Law of the noise in a published count, which is a whole number: what the audit attacks. */
  publishedNoise: IntegerNoise;
  /** What the shares of a split are of: they add up to ε, or to all of ρ, which is 1. */
  shares: 'of ε' | 'of ρ';
  /** Has a guarantee δ = 0, or one above it? */
  delta: 'zero' | 'above zero';
  /**
   * From which noisy count on a cell is published: `floor`, the floor of the series, which is disclosure policy, and
   * without one every cell of the public domain is; `smallest`, the smallest that keeps δ; `of-2017`, t = b·ln(2/δ_j) + 1
   * for each table.
   */
  threshold: 'floor' | 'smallest' | 'of-2017';
  /** Does a cell of the domain get noise when nobody was there, so that it can be published? */
  emptyCells: 'noisy' | 'never published';
  /** Are the time and location tables sums of the table of cells, or drawn on their own? */
  tables: 'sums' | 'drawn';
  /** Why no release is drawn by it and none published from it, as a sentence; null for a mechanism of releases (C8). */
  whyNotReleased: string | null;
  /** What a published cell says about the exact count (C19). */
  cellInterval: typeof interval;
  /** The law of what is drawn, in words. */
  noiseWords: string;
  /** What a number of the noise in a certificate is called. */
  noiseNumber: 'scale' | 'σ²';
  /** What the probability of a noise x is proportional to, and the name of its number. */
  noiseFormula: string;
};

/** A mechanism of releases. */
const RELEASED = { tables: 'sums', whyNotReleased: null } as const;

const LAPLACE = {
  drawnNoise: 'discrete-laplace',
  publishedNoise: 'discrete-laplace',
  shares: 'of ε',
  noiseWords: 'discrete Laplace',
  noiseNumber: 'scale',
  noiseFormula: 'exp(-|x|/b), b',
} as const;

/**
 * Every mechanism, and the one place that says what it is. To add one, name it in contracts/certificate.ts and follow
 * the compiler: whatever needs to know of it looks here, or has a switch without a default.
 *
 * @contract C8
 */
export const MECHANISMS = {
  'stability-histogram': {
    ...RELEASED,
    ...LAPLACE,
    delta: 'above zero',
    threshold: 'smallest',
    emptyCells: 'never published',
    cellInterval,
  },
  'complete-domain': {
    ...RELEASED,
    ...LAPLACE,
    delta: 'zero',
    threshold: 'floor',
    emptyCells: 'noisy',
    cellInterval: domainCellInterval,
  },
  // For people: card units, of which a card moves each cell by one tap at most (C8a).
  'discrete-gaussian': {
    ...RELEASED,
    drawnNoise: 'discrete-gaussian',
    publishedNoise: 'discrete-gaussian',
    shares: 'of ρ',
    delta: 'above zero',
    threshold: 'floor',
    emptyCells: 'noisy',
    cellInterval: domainCellInterval,
    noiseWords: 'discrete Gaussian',
    noiseNumber: 'σ²',
    noiseFormula: 'exp(-x²/(2σ²)), σ²',
  },
  // The algorithm of the release of 2017, to check and attack that release (Asghar, Tyler, Kaafar 2018, Algorithm 1).
  'sbh-2017': {
    ...LAPLACE,
    drawnNoise: 'real-laplace',
    publishedNoise: 'rounded-laplace',
    delta: 'above zero',
    threshold: 'of-2017',
    emptyCells: 'never published',
    tables: 'drawn',
    whyNotReleased: 'The algorithm of 2017 is certified for ideal real noise only and is never published from.',
    cellInterval,
    noiseWords: 'ideal real Laplace',
  },
} as const satisfies Record<Mechanism, MechanismFacts>;

type Table = typeof MECHANISMS;

/** Laws of the noise of what is released. */
export type ReleasedNoise = {
  [M in Mechanism]: Table[M] extends { whyNotReleased: null } ? Table[M]['publishedNoise'] : never;
}[Mechanism];

/** A law of noise as statistics take it: `scale` is b of Laplace noise, σ of Gaussian noise. */
export type NoiseOfCount = { readonly model: IntegerNoise; readonly scale: number };

/** The same for intervals: b or σ² as it stands. */
export function exactNoise(mechanism: Mechanism, amount: string): ExactNoise {
  const isGaussian = MECHANISMS[mechanism].shares === 'of ρ';
  return { law: isGaussian ? 'discrete-gaussian' : 'discrete-laplace', amount: parseRational(amount) };
}

/** b², or σ², of the margins of a certificate: the variance of their noise up to a factor that both share. */
export function marginVariances({ mechanism, marginScales }: Pick<Certificate, 'mechanism' | 'marginScales'>): {
  time?: Rational;
  location?: Rational;
} {
  const isVariance = MECHANISMS[mechanism].shares === 'of ρ';
  const variance = (amount: Rational): Rational => (isVariance ? amount : multiply(amount, amount));
  return Object.fromEntries(Object.entries(marginScales).map(([side, text]) => [side, variance(parseRational(text))]));
}

/** The law of the noise in published counts with this number of the certificate: a scale b, or σ². */
export function noiseOfCount(mechanism: Mechanism, amount: string): NoiseOfCount {
  const { publishedNoise: model } = MECHANISMS[mechanism];
  const number = toNumber(parseRational(amount));
  switch (model) {
    case 'rounded-laplace':
    case 'discrete-laplace':
      return { model, scale: number };
    case 'discrete-gaussian':
      return { model, scale: Math.sqrt(number) };
  }
}
