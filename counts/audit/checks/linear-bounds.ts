import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { computeOnce } from '../../../core/memory/function-cache.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { sumHalfWidth } from '../../../core/statistics/integer-sum.ts';
import type { IntegerNoise } from '../../../core/statistics/noise-law.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';
import { notTried, report } from '../../../core/verdict/finding.ts';
import { ALL, type CountRow } from '../../derive/count-row.ts';
import { bySlice, NO_ROWS, rowsOf } from '../../derive/count-table.ts';
import { noiseOfCount } from '../../mechanisms/mechanisms.ts';
import type { AuditSubject } from '../subject.ts';
import { noiseOfCells } from './declared-noise.ts';
import { suppressionLimit } from './suppressed-cell.ts';

/** Bounds on one number, both included. */
export type Bounds = readonly [lower: number, upper: number];

/** True counts of cells with what is known of each, and of sums of some of them. */
export type LinearSystem = {
  readonly cells: ReadonlyMap<string, Bounds>;
  readonly sums: readonly { readonly cells: readonly string[]; readonly bounds: Bounds }[];
};

/** The cells of one mode, day and end of the trip with all that is published of them. */
export type Grid = {
  name: string;
  /** Published counts of a cell or of several together, each with noise of its own. */
  counts: readonly { cells: readonly string[]; count: number; noise: Pick<DeclaredNoise, 'model' | 'scale'> }[];
  suppressed: readonly string[];
  /** The noises that a suppressed cell can have had. */
  cellNoises: readonly DeclaredNoise[];
};

/**
 * What all published counts say at once: every statement of the system holds together with at least this confidence
 * (each gets an equal share of the rest). Published counts are near the true ones, suppressed cells are small.
 */
export function systemOf({ counts, suppressed, cellNoises }: Grid, confidence: number): LinearSystem {
  const each = 1 - (1 - confidence) / (counts.length + suppressed.length);
  const halfWidth = computeOnce(
    (model: IntegerNoise, scale: number) => sumHalfWidth(model, [[scale, 1]], each).halfWidth,
  );
  const sums = counts.map(({ cells, count, noise: { model, scale } }) => {
    const width = halfWidth(model, scale);
    return { cells, bounds: [Math.max(0, count - width), Math.max(0, count + width)] as const };
  });
  // What is under some published count is not greater than the greatest of them can be.
  const free: Bounds = [0, Math.max(...sums.map(({ bounds }) => bounds[1]))];
  const small: Bounds = [0, Math.max(...cellNoises.map((noise) => suppressionLimit(noise, each)))];
  return {
    cells: new Map([
      ...sums.flatMap(({ cells }) => cells.map((cell) => [cell, free] as const)),
      ...suppressed.map((cell) => [cell, small] as const),
    ]),
    sums,
  };
}

/**
 * The smallest and the largest count that each named cell can have: two linear programs a cell. Null for all of them
 * when no counts fit the system: then the publication is not what it declares, or a statement misses by chance.
 * Throws RangeError for a sum over an unknown cell.
 */
export function cellBounds(
  system: LinearSystem,
  names: readonly string[],
  solve: LinearProgramSolver,
): Map<string, Bounds> | null {
  const body = constraints(system);
  const bounds = new Map<string, Bounds>();
  for (const name of names) {
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

/** Suppressed cells that are bounded at most: those of the lines with the fewest of them. */
const WANTED = 8;

export function chooseCells({ counts, suppressed }: Pick<Grid, 'counts' | 'suppressed'>): string[] {
  const unknowns = new Set(suppressed);
  const lines = counts
    .map(({ cells }) => cells.filter((cell) => unknowns.has(cell)))
    .filter((line) => line.length > 0)
    .sort((a, b) => a.length - b.length);
  return [...new Set(lines.flat())].slice(0, WANTED);
}

export const widthOf = ([lower, upper]: Bounds): number => upper - lower;

/** The cell that is pinned best, the first of equal ones. */
export const narrowestOf = (bounds: ReadonlyMap<string, Bounds>): [cell: string, bounds: Bounds] =>
  [...bounds].reduce((least, one) => (widthOf(one[1]) < widthOf(least[1]) ? one : least));

/** Linear programs of more cells than this are left to the intervals of single lines. */
const MOST_CELLS = 400;

export const LINEAR_ATTACK = 'Solve all published totals for the suppressed cells at once.';

/**
 * All noisy totals of one table at once, by linear programs, against its suppressed cells. The certificate pays for the
 * totals, so that bounds are reported; that no counts at all fit what is published happens by chance with at most
 * 2.5e-6, and fails. Statistic: the narrowest width of a suppressed cell; interval: its bounds. Cost: O(rows), and at
 * most 16 linear programs of at most 400 cells.
 */
export function checkLineBounds(subject: AuditSubject, level: number): AuditCheck {
  const { solve } = subject.knowledge;
  const grid = solve && smallestGrid(subject);
  const names = grid ? chooseCells(grid) : [];
  if (!solve || !grid || names.length === 0)
    return notTried(
      'linear-bounds',
      LINEAR_ATTACK,
      `No table of at most ${MOST_CELLS} cells has two kinds of noisy totals and a suppressed cell.`,
    );
  const bounds = cellBounds(systemOf(grid, 1 - TEST_LEVEL), names, solve);
  const pValue = bounds ? 1 : TEST_LEVEL;
  const [cell, narrowest] = bounds ? narrowestOf(bounds) : [null, null];
  return report('linear-bounds', LINEAR_ATTACK, {
    verdict: pValue > level ? 'pass' : 'fail',
    statistic: narrowest && widthOf(narrowest),
    interval: narrowest && [...narrowest],
    pValue,
    sentence: narrowest
      ? `Of ${names.length} suppressed cells in ${grid.name}, all totals together pin none further than to between ${narrowest[0]} and ${narrowest[1]} taps (${cell}).`
      : `No counts fit all that is published of ${grid.name}: the noise is not what the certificate says.`,
  });
}

/** The table with both kinds of margins that has the fewest cells, when that is few enough. */
function smallestGrid({ cells, tables, certificate }: AuditSubject): Grid | null {
  const { time, location } = certificate.marginScales;
  if (!tables.margins || time === undefined || location === undefined) return null;
  const sizes = [...bySlice(tables.margins)].map(([slice, margins]) => {
    const { times = [], places = [] } = Object.groupBy(rowsOf(margins), (row) =>
      row.time === ALL ? 'places' : 'times',
    );
    return { slice, times, places, size: times.length * places.length };
  });
  const smallest = sizes
    .filter(({ size }) => size > 0 && size <= MOST_CELLS)
    .reduce<(typeof sizes)[number] | null>((least, one) => (least && least.size <= one.size ? least : one), null);
  if (!smallest) return null;
  const { slice, times, places } = smallest;
  const cellRows = [...rowsOf(bySlice(cells).get(slice) ?? NO_ROWS)];
  const noise = noiseOfCells(certificate);
  const countsOf = (rows: readonly CountRow[], amount: string, cellsUnder: (row: CountRow) => string[]) =>
    rows.map((row) => ({
      cells: cellsUnder(row),
      count: row.count,
      noise: noiseOfCount(certificate.mechanism, amount),
    }));
  const names = new Set(cellRows.map(cellName));
  const { mode, day, tap } = times[0]!;
  return {
    name: `${mode} ${day} ${tap}`,
    counts: [
      ...countsOf(cellRows, certificate.scale, (row) => [cellName(row)]),
      ...countsOf(times, time, (row) => places.map(({ location }) => cellName({ ...row, location }))),
      ...countsOf(places, location, (row) => times.map(({ time }) => cellName({ ...row, time }))),
    ],
    suppressed: times
      .flatMap(({ time }) => places.map(({ location }) => cellName({ time, location })))
      .filter((cell) => !names.has(cell)),
    cellNoises: [noise],
  };
}

const cellName = ({ time, location }: Pick<CountRow, 'time' | 'location'>): string => `${time} ${location}`;
