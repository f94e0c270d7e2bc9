import type { Objective, ProbabilityTable } from './objective.ts';
import { passengerCounts, trueCategory, type VehicleModel } from './vehicle-model.ts';

/** ε > 0 and 0 ≤ δ < 1 in floating point: a table is a proposal, and what is certified is its integer weights. */
export type FloatPrivacy = { readonly epsilon: number; readonly delta: number };

/** How far a condition must hold beyond equality: far more than its sums can err in floating point. */
const CONDITION_MARGIN = 1e-9;

/**
 * q_0 = (1−δ)/(1+e^ε), q_(j+1) = max(0, (q_j−δ)/e^ε): the probability of being on the wrong side of a boundary that is
 * j + 1 passengers away, for j from 0 to length − 1. They fall, and those that are 0 stay 0.
 */
function wrongSides({ epsilon, delta }: FloatPrivacy, length: number): number[] {
  const sides = [(1 - delta) / (1 + Math.exp(epsilon))];
  while (sides.length < length) sides.push(Math.max(0, (sides.at(-1)! - delta) / Math.exp(epsilon)));
  return sides;
}

/**
 * The table that publishes the category of (passengers + Z) for the truncated geometric noise Z that is optimal at
 * (ε, δ): P[Z ≤ −1−j] = P[Z ≥ 1+j] = q_j. It is (ε, δ)-private between counts that differ by one. Proof:
 * closed-form.proof.md; the noise is that of Geng and Viswanath 2016 (Optimal Noise Adding Mechanisms for Approximate
 * Differential Privacy) with Ghosh, Roughgarden, Sundararajan 2009 at δ = 0. Cost: O(counts · categories).
 */
export function closedForm(model: VehicleModel, privacy: FloatPrivacy): number[][] {
  const sides = wrongSides(privacy, model.maximumCount + 1);
  /** P[published count < from], for a count that is not below `from`. */
  const below = (from: number, passengers: number) => (from === 0 ? 0 : sides[passengers - from]!);
  return passengerCounts(model).map((passengers) =>
    model.minimumCounts.map((from, category) => {
      const end = model.minimumCounts[category + 1];
      /** P[published count ≥ end], for a count below it. */
      const beyond = end === undefined ? 0 : (sides[end - 1 - passengers] ?? 0);
      if (passengers < from) return sides[from - 1 - passengers]! - beyond;
      if (end === undefined || passengers < end) return 1 - below(from, passengers) - beyond;
      return sides[passengers - end]! - below(from, passengers);
    }),
  );
}

/**
 * Is the closed form the best table of all that are (ε, δ)-private, by the conditions of closed-form.proof.md? False
 * also when they hold too narrowly for floating point, or when nothing is proved: a cost that is not the distance.
 * Cost: O(counts · boundaries).
 */
export function isClosedFormOptimal(
  model: VehicleModel,
  table: ProbabilityTable,
  privacy: FloatPrivacy,
  objective: Objective,
): boolean {
  if (objective.kind === 'distance' && !objective.costs.every((cost, off) => cost === objective.costs[1]! * off))
    return false;
  const sides = wrongSides(privacy, model.maximumCount + 1);
  const growth = Math.exp(privacy.epsilon) * (1 - CONDITION_MARGIN);
  /**
   * Σ_j g_n·e^(−ε·j) over the counts n that go away from a boundary on one side (step 1: boundary, boundary + 1, …; step
   * −1: boundary − 1, …) while q_j > 0 and, unless boundaries stand alone, within the category there; g is the slope of
   * the objective in the probability of the true category.
   */
  function sumSlopes(boundary: number, step: number): number {
    const first = step > 0 ? boundary : boundary - 1;
    const category = trueCategory(model, first);
    let sum = 0;
    for (let off = 0; (sides[off] ?? 0) > 0; off += 1) {
      const passengers = first + step * off;
      if (passengers < 0 || passengers > model.maximumCount) break;
      if (objective.kind !== 'distance' && trueCategory(model, passengers) !== category) break;
      const slope = objective.kind === 'log-likelihood' ? 1 / table[passengers]![category]! : 1;
      sum += slope * Math.exp(-privacy.epsilon * off);
    }
    return sum;
  }
  return model.minimumCounts.slice(1).every((boundary) => {
    const [above, under] = [1, -1].map((step) => sumSlopes(boundary, step));
    return above! <= growth * under! && under! <= growth * above!;
  });
}
