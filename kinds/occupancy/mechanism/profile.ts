import { OpalineError } from '../../../contracts/errors.ts';
import type { Amount } from '../../../core/accounting/basic-composition.ts';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { compare, type Rational, rational, toNumber, ZERO } from '../../../core/rational/rational.ts';
import { closedForm, type FloatPrivacy, isClosedFormOptimal } from './closed-form.ts';
import { type ExactDelta, isAtMost, largestDelta, weightProbabilities } from './exact-delta.ts';
import type { Objective, ProbabilityTable } from './objective.ts';
import { optimalTable } from './optimal-table.ts';
import type { VehicleModel } from './vehicle-model.ts';
import { WEIGHT_BITS, type WeightTable, weightsOf } from './weights.ts';

export type ProfileRequest = Amount & {
  /** Counts that differ by 1 to `group` passengers are neighbours. */
  readonly group: number;
  readonly objective: Objective;
};

/** A profile as it is drawn from. */
export type Profile = {
  readonly model: VehicleModel;
  readonly request: ProfileRequest;
  readonly weights: WeightTable;
  readonly method: 'closed form' | 'linear program';
};

/** Below it a profile says nothing, and the solver's numbers are too far apart beyond it. */
const EPSILON_RANGE = { least: rational(1n, 1000n), most: rational(16n) };
const LARGEST_DELTA = rational(1n, 2n);
/** Tables that are tried before a request is given up; each takes ten times the room of the one before. */
const MOST_ATTEMPTS = 8;
/** What a solver may be off by, in a probability. */
const SOLVER_ERROR = 1e-10;
/** The part of δ that rounding may use up at most. */
const MOST_ROUNDING = 1 / 16;

/**
 * The best profile for a vehicle model at (ε, δ), as integer weights that are certified: their exact δ is at most the δ
 * asked for. The closed form where it is proved to be the best, linear programming otherwise; where the linear program
 * fails, the closed form again, which is private but may not be the best. Room for rounding is taken off δ, or made by
 * publishing any category with a tiny probability, and a tenfold of it when the exact check says no: the mean that is
 * optimised stays within 1e-6 of the optimum for ε from 1/100 on. Throws CERTIFICATE_IMPOSSIBLE for ε outside of 1/1000
 * to 16 or δ of 0 to 1/2, when the solver fails for a group of two or more, and when nothing that was tried can be
 * certified.
 *
 * @contract certified-profile
 */
export function optimalProfile(model: VehicleModel, request: ProfileRequest, solve: LinearProgramSolver): Profile {
  if (!isProfileEpsilon(request.epsilon))
    throw new OpalineError('CERTIFICATE_IMPOSSIBLE', 'A profile is made for an ε from 1/1000 to 16.');
  if (compare(request.delta, ZERO) < 0 || compare(request.delta, LARGEST_DELTA) > 0)
    throw new OpalineError('CERTIFICATE_IMPOSSIBLE', 'A profile is made for a δ from 0 to 1/2.');
  const privacy = { epsilon: toNumber(request.epsilon), delta: toNumber(request.delta) };
  for (const { method, table } of attempts(model, privacy, request, solve)) {
    const weights = weightsOf(table);
    if (certifyDelta(weights, request) !== null) return { model, request, weights, method };
  }
  throw new OpalineError('CERTIFICATE_IMPOSSIBLE', 'No profile in integer weights could be certified.');
}

/** Is a profile made for this ε: is it from 1/1000 to 16? */
export const isProfileEpsilon = (epsilon: Rational): boolean =>
  compare(epsilon, EPSILON_RANGE.least) >= 0 && compare(epsilon, EPSILON_RANGE.most) <= 0;

/** The exact δ of weights, or null when it is above the one asked for. Weights of all rows have the same sum 2^40. */
export function certifyDelta(weights: WeightTable, request: Omit<ProfileRequest, 'objective'>): ExactDelta | null {
  const { epsilon, delta, group } = request;
  const exact = largestDelta(weightProbabilities(weights, WEIGHT_BITS), epsilon, group);
  return isAtMost(exact, delta, epsilon) ? exact : null;
}

/** Tables to try, in order. The closed form is private between neighbouring counts, and not for a larger group. */
function* attempts(
  model: VehicleModel,
  privacy: FloatPrivacy,
  { group, objective }: ProfileRequest,
  solve: LinearProgramSolver,
): Generator<{ method: Profile['method']; table: ProbabilityTable }> {
  const hasClosedForm = group === 1;
  if (!hasClosedForm || !isClosedFormOptimal(model, closedForm(model, privacy), privacy, objective)) {
    const best = tryProgram(() => optimalTable(model, privacy, group, objective, solve), hasClosedForm);
    if (best) for (const table of mixtures(best, privacy, SOLVER_ERROR)) yield { method: 'linear program', table };
  }
  if (hasClosedForm) for (const table of tryClosedForm(model, privacy)) yield { method: 'closed form', table };
}

/** The table of a linear program; null when it fails and need not succeed. */
function tryProgram(program: () => ProbabilityTable, mayFail: boolean): ProbabilityTable | null {
  try {
    return program();
  } catch (error) {
    if (mayFail && error instanceof OpalineError) return null;
    throw error;
  }
}

/** Rounding a row changes each weight by less than a unit, so δ by less than categories·(1 + e^ε) units. */
function tryClosedForm(model: VehicleModel, privacy: FloatPrivacy): Iterable<ProbabilityTable> {
  const room = (2 * model.categories.length * (1 + Math.exp(privacy.epsilon))) / 2 ** WEIGHT_BITS;
  if (room > MOST_ROUNDING * privacy.delta) return mixtures(closedForm(model, privacy), privacy, 0);
  return [closedForm(model, { ...privacy, delta: privacy.delta - room })];
}

/**
 * The table with more and more of "any category, equally likely". A mixture of private tables is private, and the
 * uniform part has P − e^ε·Q < 0 in every category: room for errors of (1 + e^ε) times a unit, and of the solver.
 */
function* mixtures(table: ProbabilityTable, { epsilon }: FloatPrivacy, error: number): Generator<ProbabilityTable> {
  const categories = table[0]!.length;
  const growth = Math.exp(epsilon);
  const unit = 2 * 2 ** -WEIGHT_BITS + error;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const share = ((categories * (growth + 1)) / (growth - 1)) * unit * 10 ** attempt;
    if (share >= 1) return;
    yield table.map((row) => row.map((probability) => (1 - share) * probability + share / categories));
  }
}
