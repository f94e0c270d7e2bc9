import { OpalineError } from '../../../contracts/errors.ts';
import type { LinearProgramAnswer, LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { closedForm, type FloatPrivacy } from './closed-form.ts';
import type { Objective } from './objective.ts';
import { passengerCounts, trueCategory, type VehicleModel } from './vehicle-model.ts';

/** How far the mean of the answer may be from the best mean of all tables. */
const GAP = 1e-9;
/** Programs that are solved for one table at most: the tangents of a logarithm close in within a dozen. */
const MOST_ROUNDS = 60;
/** A program with more constraints takes minutes. */
const MOST_CONSTRAINTS = 60_000;
/** Tighter than the solver's own 1e-7, which is as large as a δ may be. */
const OPTIONS = { primal_feasibility_tolerance: 1e-10, dual_feasibility_tolerance: 1e-10 } as const;
/** A tangent at 0 would be upright. */
const SMALLEST_TANGENT = 1e-6;
/** Where the first tangents touch, as parts of the closed form's probability. */
const FIRST_TANGENTS = [0.5, 0.8, 0.9, 0.97, 1, 1.03, 1.1, 1.25, 1.6];

/**
 * The best table of all that are (ε, δ)-private between counts that differ by 1 to `group`, by linear programming. The
 * logarithm is bounded from above by tangents, which are added at the answer until the two agree to 1e-9 (Kelley 1960,
 * The Cutting-Plane Method). Within the solver's tolerance only. Throws CERTIFICATE_IMPOSSIBLE for a program that is too
 * large or that the solver does not solve. Proof: optimal-table.proof.md. Cost: a few programs with O(rows · group ·
 * categories) constraints; seconds for hundreds of rows.
 */
export function optimalTable(
  model: VehicleModel,
  privacy: FloatPrivacy,
  group: number,
  objective: Objective,
  solve: LinearProgramSolver,
): number[][] {
  if (2 * group * (model.maximumCount + 1) * model.categories.length > MOST_CONSTRAINTS)
    throw impossible('The linear program of this profile is too large');
  const body = constraints(model, privacy, group);
  if (objective.kind !== 'log-likelihood') {
    const { Columns } = optimise(solve, linearObjective(model, objective), body, []);
    return tableOf(model, Columns);
  }
  const tangents = firstTangents(model, privacy);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { Columns } = optimise(solve, logarithmObjective(model), body, [...tangents.values()].flat());
    const table = tableOf(model, Columns);
    let gap = 0;
    for (const passengers of passengerCounts(model)) {
      const probability = table[passengers]![trueCategory(model, passengers)]!;
      gap += Columns[logarithm(passengers)]!.Primal! - Math.log(probability);
      tangents.get(passengers)!.push(tangent(model, passengers, Math.max(probability, SMALLEST_TANGENT)));
    }
    if (gap <= GAP * (model.maximumCount + 1)) return table;
  }
  throw impossible('The linear programs of this profile do not come together');
}

const variable = (passengers: number, category: number): string => `p${passengers}_${category}`;
const logarithm = (passengers: number): string => `z${passengers}`;

function optimise(solve: LinearProgramSolver, objective: string, body: Body, tangents: string[]): LinearProgramAnswer {
  const free = tangents.length > 0 ? body.logarithms : [];
  const lines = [objective, 'Subject To', ...body.constraints, ...tangents, 'Bounds', ...body.bounds, ...free, 'End'];
  const answer = answerOf(solve, `${lines.join('\n')}\n`);
  if (answer?.Status !== 'Optimal') throw impossible('The linear program of this profile could not be solved');
  return answer;
}

/** Null when the solver gives up with an error of its own. */
function answerOf(solve: LinearProgramSolver, program: string): LinearProgramAnswer | null {
  try {
    return solve(program, OPTIONS);
  } catch {
    return null;
  }
}

const impossible = (reason: string): OpalineError =>
  new OpalineError('CERTIFICATE_IMPOSSIBLE', `${reason}; take a larger ε, a smaller group or a smaller vehicle.`);

type Body = { constraints: string[]; bounds: string[]; logarithms: string[] };

/** Rows add up to 1, and of each ordered pair of neighbours the excesses of all categories add up to at most δ. */
function constraints(model: VehicleModel, { epsilon, delta }: FloatPrivacy, group: number): Body {
  const categories = model.categories.map((_, category) => category);
  const growth = Math.exp(epsilon);
  const counts = passengerCounts(model);
  const sums = counts.map(
    (passengers) => ` ${categories.map((category) => variable(passengers, category)).join(' + ')} = 1`,
  );
  const pairs = counts.flatMap((row) =>
    counts.filter((other) => other !== row && Math.abs(other - row) <= group).map((other) => [row, other] as const),
  );
  const excesses = pairs.flatMap(([row, other]) => {
    const slack = (category: number) => (delta > 0 ? ` - s${row}_${other}_${category}` : '');
    const each = categories.map(
      (category) => ` ${variable(row, category)} - ${growth} ${variable(other, category)}${slack(category)} <= 0`,
    );
    const all = ` ${categories.map((category) => `s${row}_${other}_${category}`).join(' + ')} <= ${delta}`;
    return delta > 0 ? [...each, all] : each;
  });
  return {
    constraints: [...sums, ...excesses],
    bounds: counts.flatMap((passengers) =>
      categories.map((category) => ` 0 <= ${variable(passengers, category)} <= 1`),
    ),
    logarithms: counts.map((passengers) => ` -inf <= ${logarithm(passengers)} <= 0`),
  };
}

function linearObjective(model: VehicleModel, objective: Exclude<Objective, { kind: 'log-likelihood' }>): string {
  const terms = passengerCounts(model).flatMap((passengers) => {
    const category = trueCategory(model, passengers);
    if (objective.kind === 'probability') return [variable(passengers, category)];
    return model.categories.flatMap((_, other) =>
      other === category ? [] : [`${objective.costs[Math.abs(other - category)]} ${variable(passengers, other)}`],
    );
  });
  return `${objective.kind === 'probability' ? 'Maximize' : 'Minimize'}\n obj: ${terms.join('\n + ')}`;
}

const logarithmObjective = (model: VehicleModel): string =>
  `Maximize\n obj: ${passengerCounts(model).map(logarithm).join('\n + ')}`;

/** z ≤ ln x + (p − x)/x, which holds for z = ln p and touches it at p = x. */
function tangent(model: VehicleModel, passengers: number, at: number): string {
  const probability = variable(passengers, trueCategory(model, passengers));
  return ` ${logarithm(passengers)} - ${1 / at} ${probability} <= ${Math.log(at) - 1}`;
}

function firstTangents(model: VehicleModel, privacy: FloatPrivacy): Map<number, string[]> {
  const table = closedForm(model, privacy);
  return new Map(
    passengerCounts(model).map((passengers) => {
      const likely = table[passengers]![trueCategory(model, passengers)]!;
      return [passengers, FIRST_TANGENTS.map((part) => tangent(model, passengers, Math.min(1, part * likely)))];
    }),
  );
}

const tableOf = (model: VehicleModel, columns: LinearProgramAnswer['Columns']): number[][] =>
  passengerCounts(model).map((passengers) =>
    model.categories.map((_, category) => Math.max(0, columns[variable(passengers, category)]?.Primal ?? 0)),
  );
