/** The chance that noise alone makes one warning, over all partitions of a release together. */
export const WARNED_WRONGLY = 1 / 1000;

/** The same in words. */
export const HOW_OFTEN_WRONG = 'Noise alone makes such a warning in at most 1 of 1,000 releases.';

/** So many are named; of more, their number. */
const NAMED = 12;

/** `a, b and 3 more`. */
export const listed = (names: readonly string[]): string =>
  names.length <= NAMED ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`;
