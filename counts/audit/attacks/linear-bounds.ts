import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { sumHalfWidth } from '../../../core/statistics/integer-sum.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';
import { suppressionLimit } from './suppressed-cell.ts';

/** Bounds on one number, both included. */
export type Bounds = readonly [lower: number, upper: number];

/** True counts of cells with what is known of each, and of sums of some of them. */
export type LinearSystem = {
  readonly cells: ReadonlyMap<string, Bounds>;
  readonly sums: readonly { readonly cells: readonly string[]; readonly bounds: Bounds }[];
};

/** A cell of the public domain: its published count, or null. */
export type PublishedCell = { name: string; count: number | null };
/** A published sum over cells, with noise of its own. */
export type PublishedSum = { cells: readonly string[]; count: number; scale: number };

/**
 * What all published counts say at once: every statement of the system holds together with at least this confidence
 * (each gets an equal share of the rest). Published cells have the declared noise, suppressed ones are small.
 */
export function systemOf(
  cells: readonly PublishedCell[],
  sums: readonly PublishedSum[],
  noise: DeclaredNoise,
  confidence: number,
): LinearSystem {
  const each = 1 - (1 - confidence) / (cells.length + sums.length);
  const scales = new Set([noise.scale, ...sums.map(({ scale }) => scale)]);
  const halfWidths = new Map(
    [...scales].map((scale) => [scale, sumHalfWidth(noise.model, [[scale, 1]], each).halfWidth]),
  );
  const around = (count: number, scale: number): Bounds => {
    const width = halfWidths.get(scale)!;
    return [Math.max(0, count - width), Math.max(0, count + width)];
  };
  const suppressed: Bounds = [0, suppressionLimit(noise, each)];
  return {
    cells: new Map(cells.map(({ name, count }) => [name, count === null ? suppressed : around(count, noise.scale)])),
    sums: sums.map((sum) => ({ cells: sum.cells, bounds: around(sum.count, sum.scale) })),
  };
}

/**
 * The smallest and the largest count that each named cell can have: two linear programs a cell. Null for all of them
 * when no counts fit the system: then the publication is not what it declares, or a statement misses by chance.
 * Throws RangeError for a sum over an unknown cell.
 */
export function cellBounds(
  system: LinearSystem,
  wanted: readonly string[],
  solve: LinearProgramSolver,
): Map<string, Bounds> | null {
  const body = constraints(system);
  const bounds = new Map<string, Bounds>();
  for (const name of wanted) {
    const variable = variableOf(system, name);
    const least = solve(`Minimize\n obj: ${variable}\n${body}`);
    const most = solve(`Maximize\n obj: ${variable}\n${body}`);
    if (least.Status !== 'Optimal' || most.Status !== 'Optimal') return null;
    // A rounded −0 plus 0 is 0.
    bounds.set(name, [Math.ceil(least.ObjectiveValue - SLACK) + 0, Math.floor(most.ObjectiveValue + SLACK)]);
  }
  return bounds;
}

/** Counts are integers; the solver's optimum is within this of the exact one. */
const SLACK = 1e-6;

/** Cells are x0, x1, … in the order of the system: names may hold anything. */
function variableOf({ cells }: LinearSystem, name: string): string {
  const index = [...cells.keys()].indexOf(name);
  if (index < 0) throw new RangeError(`a sum names the cell ${name}, which is not in the system`);
  return `x${index}`;
}

function constraints(system: LinearSystem): string {
  const variables = new Map([...system.cells.keys()].map((name, index) => [name, `x${index}`]));
  const sums = system.sums.flatMap(({ cells, bounds: [lower, upper] }, index) => {
    const sum = cells.map((name) => variables.get(name) ?? variableOf(system, name)).join('\n + ');
    return [` least${index}: ${sum} >= ${lower}`, ` most${index}: ${sum} <= ${upper}`];
  });
  const cells = [...system.cells.values()].map(([lower, upper], index) => ` ${lower} <= x${index} <= ${upper}`);
  return ['Subject To', ...sums, 'Bounds', ...cells, 'End'].join('\n');
}
