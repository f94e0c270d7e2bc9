import type { Mechanism } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { IntegerNoise, NoiseModel } from '../../core/statistics/noise-law.ts';
import { cellInterval, domainCellInterval, type interval } from '../readers/count-interval.ts';

/** What the code has to know of a mechanism. */
type MechanismFacts = {
  /** Law of the noise as it is drawn: a noisy count of this is compared with the threshold. */
  drawnNoise: NoiseModel | 'discrete-gaussian';
  /** Law of the noise in a published count, which is a whole number: what the audit attacks; null where it cannot. */
  publishedNoise: IntegerNoise | null;
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
};

/**
 * Every mechanism, and the one place that says what it is. To add one, name it in contracts/certificate.ts and follow
 * the compiler: whatever needs to know of it looks here, or has a switch without a default.
 *
 * @contract C8
 */
export const MECHANISMS = {
  'stability-histogram': {
    drawnNoise: 'discrete-laplace',
    publishedNoise: 'discrete-laplace',
    shares: 'of ε',
    delta: 'above zero',
    threshold: 'smallest',
    emptyCells: 'never published',
    tables: 'sums',
    whyNotReleased: null,
    cellInterval,
    noiseWords: 'discrete Laplace',
  },
  'complete-domain': {
    drawnNoise: 'discrete-laplace',
    publishedNoise: 'discrete-laplace',
    shares: 'of ε',
    delta: 'zero',
    threshold: 'floor',
    emptyCells: 'noisy',
    tables: 'sums',
    whyNotReleased: null,
    cellInterval: domainCellInterval,
    noiseWords: 'discrete Laplace',
  },
  // For people: card units, of which a card moves each cell by one tap at most (C8a).
  'discrete-gaussian': {
    drawnNoise: 'discrete-gaussian',
    publishedNoise: null,
    shares: 'of ρ',
    delta: 'above zero',
    threshold: 'floor',
    emptyCells: 'noisy',
    tables: 'sums',
    whyNotReleased:
      'discrete-gaussian can be certified; no release is made with it yet, since nothing bounds or audits one.',
    cellInterval: domainCellInterval,
    noiseWords: 'discrete Gaussian',
  },
  // The algorithm of the release of 2017, to check and attack that release (Asghar, Tyler, Kaafar 2018, Algorithm 1).
  'sbh-2017': {
    drawnNoise: 'real-laplace',
    publishedNoise: 'rounded-laplace',
    shares: 'of ε',
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

/**
 * The law of the noise in published counts. Throws CERTIFICATE_IMPOSSIBLE for a mechanism of which nothing is
 * published.
 */
export function publishedNoise(mechanism: Mechanism): IntegerNoise {
  const { publishedNoise: law, whyNotReleased } = MECHANISMS[mechanism];
  if (law === null) throw new OpalineError('CERTIFICATE_IMPOSSIBLE', whyNotReleased);
  return law;
}
