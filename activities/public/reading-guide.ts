import { z } from 'zod';
import type { Certificate } from '../../contracts/certificate.ts';
import { publicationProbability } from '../../core/certificate/tight-delta.ts';
import {
  compare,
  divide,
  multiply,
  ONE,
  parseRational,
  type Rational,
  rational,
  subtract,
  toNumber,
} from '../../core/rational/rational.ts';

/** How to read the counts of a release, in words and with an example (C17, C19). */
export const readingGuideSchema = z.strictObject({
  publishedCell: z.string(),
  missingCell: z.string(),
  example: z.string(),
  /** 95 % of all noise on cells lies within plus and minus this. */
  noiseHalfWidth95: z.int().nonnegative(),
  /** Chance that a cell with so many people in it is published; empty when every cell is. */
  appearance: z.array(z.strictObject({ people: z.int().positive(), probability: z.string() })),
});

export type ReadingGuide = z.infer<typeof readingGuideSchema>;

/** Group sizes that the assessment of the 2017 release looked at: one person, a small and a larger group. */
const GROUPS = [1, 5, 12] as const;

/** Bits of the interval arithmetic: the figures are shown with three digits. */
const BITS = 96;

/** The reading guide of a certificate; the same certificate gives the same words. */
export function readingGuide(certificate: Certificate): ReadingGuide {
  const { scale, threshold } = certificate;
  const rate = divide(ONE, parseRational(scale));
  const halfWidth = noiseHalfWidth(rate);
  const count = (threshold ?? 0) + 100;
  return {
    publishedCell: `A published count is the true count plus whole-numbered noise x, drawn with a probability proportional to exp(-|x|/b), b = ${scale}.`,
    missingCell:
      threshold === null
        ? 'Every cell of the domain is published; none is missing, and a count of 0 or less is as noisy as any other.'
        : `A cell that is not listed is not a zero. Either nobody was there, or the noisy count was below ${threshold}; the data cannot tell which.`,
    example: `Of a published ${count} the true count lies between ${count - halfWidth} and ${count + halfWidth}: the chance that a cell is published and this is wrong is at most 5 %.`,
    noiseHalfWidth95: halfWidth,
    appearance:
      threshold === null
        ? []
        : GROUPS.map((people) => ({ people, probability: appearanceProbability(people, threshold, rate) })),
  };
}

/** Smallest w with P[|X| > w] at most 1/20; X is symmetric, so that is twice P[X >= w + 1] = P[1 + X >= w + 2]. */
function noiseHalfWidth(rate: Rational): number {
  const missed = (width: number) => multiply(rational(2n), publicationProbability(1, width + 2, rate, BITS).upper);
  let width = 0;
  while (compare(missed(width), rational(1n, 20n)) > 0) width += 1;
  return width;
}

/** Upper bound on P[people + X >= T]; from T on it is 1 - P[X >= people - T + 1]. */
function appearanceProbability(people: number, threshold: number, rate: Rational): string {
  const upper =
    people < threshold
      ? publicationProbability(people, threshold, rate, BITS).upper
      : subtract(ONE, publicationProbability(0, people - threshold + 1, rate, BITS).lower);
  return toNumber(upper).toPrecision(3);
}
