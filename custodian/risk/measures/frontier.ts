/** What a generalisation comes to: risk is RIG95 in bits, utility the part of the rows' information that is kept. */
export type Outcome = { risk: number; utility: number };

/** What somebody asks of a generalisation: at most so much risk, or at least so much utility. */
export type AdviceGoal = { kind: 'risk'; most: number } | { kind: 'utility'; least: number };

/** Is `other` as good in both, and better in one? */
const dominates = (other: Outcome, one: Outcome): boolean =>
  other.risk <= one.risk && other.utility >= one.utility && (other.risk < one.risk || other.utility > one.utility);

/** The outcomes that no other one beats, from the least risk to the most. */
export const frontier = <T extends Outcome>(outcomes: readonly T[]): T[] =>
  outcomes
    .filter((one) => !outcomes.some((other) => dominates(other, one)))
    .sort((a, b) => a.risk - b.risk || b.utility - a.utility);

/**
 * The outcome that meets the goal at the least cost: of those under the limit of risk the one of the greatest utility, of
 * those above the floor of utility the one of the least risk; null when none meets it. The loop of Oppermann (ed.) 2019,
 * Figures 15 and 16, which makes a table coarser until its PIF is below a threshold, over a whole lattice.
 */
export function choose<T extends Outcome>(outcomes: readonly T[], goal: AdviceGoal): T | null {
  const edge = frontier(outcomes);
  return goal.kind === 'risk'
    ? (edge.filter(({ risk }) => risk <= goal.most).at(-1) ?? null)
    : (edge.find(({ utility }) => utility >= goal.least) ?? null);
}
