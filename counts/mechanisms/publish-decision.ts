/**
 * Whether a noisy count is published. This is the only comparison of a noisy count with a threshold (C8): the
 * certificate accounts for exactly this rule, at least and not more than.
 *
 * @contract C8
 */
export const isPublished = (noisyCount: number, threshold: number): boolean => noisyCount >= threshold;
