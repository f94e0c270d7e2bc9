import { atLeast, atMost, fromLogOdds, type Proportion } from './binomial.ts';

/** How often an event was seen in independent runs. */
export type Frequency = { readonly events: number; readonly runs: number };

/** The log-odds of every limit are between −690 and 690: proportions from about 1e-300 to 1 − 1e-300. */
const EXTREME = 690;
/** Limits are moved outward by this much in log-odds, more than all errors of rounding (epsilon-lower-bound.proof.md). */
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

/** How often an event was seen on two neighbouring inputs. */
export type NeighbourFrequencies = { readonly present: Frequency; readonly absent: Frequency };

/**
 * What an (ε, δ)-private mechanism must have as ε at least, given how often an event was seen on two neighbouring
 * inputs (Jagielski, Ullman, Oprea 2020). Limits are one-sided at level/2 each, so that both bounds hold together with
 * probability at least 1 − level. Try the frequencies in the other order too: at half the level each.
 */
export function epsilonLowerBound({ present, absent }: NeighbourFrequencies, delta: number, level: number) {
  const often = lowerLimit(present, level / 2);
  const seldom = upperLimit(absent, level / 2);
  return {
    /** From the event itself, in nats, −∞ where the counts show nothing: ln((p₁ − δ)/p₀) at the confidence limits. */
    event: logRatio(often.value - delta, seldom.value),
    /** From its complement: ln((1 − p₀ − δ)/(1 − p₁)) at the same limits. */
    complement: logRatio(seldom.complement - delta, often.complement),
  };
}

const logRatio = (over: number, under: number): number =>
  over <= 0 ? Number.NEGATIVE_INFINITY : Math.log(over / under);

/** The smallest p-value that is reported: confidence limits of lower levels are not asked for. */
const SMALLEST_LEVEL = 1e-30;

/**
 * A valid p-value of "the mechanism is (claimed, δ)-private": the smallest level at which the bound from the event or
 * from its complement exceeds the claimed ε (proved in epsilon-lower-bound.proof.md). 1 when no level does.
 */
export function epsilonTest(frequencies: NeighbourFrequencies, delta: number, claim: number): number {
  const exceeds = (level: number): boolean => {
    const { event, complement } = epsilonLowerBound(frequencies, delta, level);
    return Math.max(event, complement) > claim;
  };
  if (!exceeds(1)) return 1;
  let [low, high] = [Math.log(SMALLEST_LEVEL), 0];
  if (exceeds(SMALLEST_LEVEL)) return SMALLEST_LEVEL;
  // The level is returned rounded up: at `high` the bound is known to exceed the claim.
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (exceeds(Math.exp(middle))) high = middle;
    else low = middle;
  }
  return Math.min(1, Math.exp(high));
}
