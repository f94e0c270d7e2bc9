import { noiseTail } from '../../../core/statistics/noise-law.ts';
import type { AppearanceRule } from './declared-noise.ts';

/** Sizes of lone groups that the report of 2017 asked about, and every audit since. */
export const GROUP_SIZES = [1, 5, 12] as const;

/**
 * q_g: the chance that `group` people, alone in a cell, make it appear: the tail P[group + X ≥ T]. 0 where every cell
 * of the domain is published anyway, so that appearing says nothing. (Culnane, Rubinstein, Teague 2017, section 3,
 * evaluate the density at the threshold instead of the tail.)
 */
export function presenceProbability({ model, scale, threshold }: AppearanceRule, group: number): number {
  return threshold === null ? 0 : noiseTail(model, scale, threshold - group);
}
