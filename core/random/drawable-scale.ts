import type { Rational } from '../rational/rational.ts';

/** Scales from the inverse of this to this are sampled; no release has a use for others. */
const LARGEST_SCALE = 65_536n;

/** Can the sampler draw discrete Laplace noise of this scale? It is between 1/65536 and 65536, both included. */
export const isDrawable = ({ numerator, denominator }: Rational): boolean =>
  numerator * LARGEST_SCALE >= denominator && numerator <= LARGEST_SCALE * denominator;

/** The largest σ of which the discrete Gaussian is sampled, squared. */
const LARGEST_VARIANCE = 4096n ** 2n;

/** Can the sampler draw N_Z(0, σ²)? σ² is between 1/65536 and 4096², both included. */
export const isDrawableVariance = ({ numerator, denominator }: Rational): boolean =>
  numerator * LARGEST_SCALE >= denominator && numerator <= LARGEST_VARIANCE * denominator;
