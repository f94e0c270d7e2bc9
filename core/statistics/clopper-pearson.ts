import { atLeast, atMost, fromLogOdds, type Proportion } from './binomial.ts';

/** How often an event was seen in independent runs. */
export type Frequency = { readonly events: number; readonly runs: number };

/** Log-odds between which every limit lies: proportions from about 1e-300 to 1 − 1e-300. */
const EXTREME = 690;
/** Limits are moved outward by this much in log-odds, more than all errors of rounding (clopper-pearson.proof.md). */
const OUTWARD = 1e-11;

/** The log-odds at which a tail that rises with them reaches the level. */
function solve(tail: (chance: Proportion) => number, level: number): number {
  let [low, high] = [-EXTREME, EXTREME];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (tail(fromLogOdds(middle)) < level) low = middle;
    else high = middle;
  }
}

/**
 * One-sided lower confidence limit of a chance (Clopper and Pearson 1934): it exceeds the true chance with a
 * probability of at most `level`, 0 < level < 1. 0 when nothing was seen.
 */
export function lowerLimit({ events, runs }: Frequency, level: number): Proportion {
  if (events === 0) return { value: 0, complement: 1 };
  return fromLogOdds(solve((chance) => atLeast(events, runs, chance), level) - OUTWARD);
}

/** One-sided upper confidence limit; as lowerLimit. 1 when the event was seen in every run. */
export function upperLimit({ events, runs }: Frequency, level: number): Proportion {
  if (events === runs) return { value: 1, complement: 0 };
  // P[K ≤ events] falls as the chance rises, so it is solved in the odds of the complement.
  const { value, complement } = fromLogOdds(
    solve(({ value, complement }) => atMost(events, runs, { value: complement, complement: value }), level) - OUTWARD,
  );
  return { value: complement, complement: value };
}
