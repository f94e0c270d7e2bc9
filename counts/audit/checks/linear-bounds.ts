import type { AuditCheck } from '../../../contracts/audit.ts';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { report } from '../../../core/verdict/check.ts';
import { ALL, type CountRow } from '../../derive/count-row.ts';
import { bySlice, NO_ROWS, rowsOf } from '../../derive/count-table.ts';
import { declaredNoise } from '../attacks/declared-noise.ts';
import { type Bounds, cellBounds, type PublishedCell, type PublishedSum, systemOf } from '../attacks/linear-bounds.ts';
import type { AuditSubject } from '../subject.ts';

/** Linear programs of more cells than this are left to the intervals of single lines. */
const MOST_CELLS = 400;
/** So many suppressed cells are bounded: those of the lines with the fewest of them. */
const WANTED = 8;

type Grid = { name: string; cells: PublishedCell[]; sums: PublishedSum[] };

/**
 * All noisy totals of one table at once, by linear programs, against its suppressed cells. The certificate pays for the
 * totals, so that bounds are reported; that no counts at all fit what is published happens by chance with at most
 * 2.5e-6, and fails. Statistic: the narrowest width of a suppressed cell; interval: its bounds. Cost: O(rows), and at
 * most 16 linear programs of at most 400 cells.
 */
export function checkLineBounds(subject: AuditSubject, level: number): AuditCheck {
  const attack = 'Solve all published totals for the suppressed cells at once.';
  const { solve } = subject.knowledge;
  const grid = solve && smallestGrid(subject);
  const wanted = grid ? wantedCells(grid) : [];
  if (!solve || !grid || wanted.length === 0)
    return report('linear-bounds', attack, {
      verdict: 'not-tried',
      sentence: `No table of at most ${MOST_CELLS} cells has two kinds of noisy totals and a suppressed cell.`,
    });
  const bounds = solved(grid, wanted, subject, solve);
  const pValue = bounds ? 1 : TEST_LEVEL;
  const narrowest = bounds && [...bounds].reduce((least, one) => (width(one[1]) < width(least[1]) ? one : least));
  return report('linear-bounds', attack, {
    verdict: pValue > level ? 'pass' : 'fail',
    statistic: narrowest && width(narrowest[1]),
    interval: narrowest && [...narrowest[1]],
    pValue,
    sentence: narrowest
      ? `Of ${wanted.length} suppressed cells in ${grid.name}, all totals together pin none further than to between ${narrowest[1][0]} and ${narrowest[1][1]} taps (${narrowest[0]}).`
      : `No counts fit all that is published of ${grid.name}: the noise is not what the certificate says.`,
  });
}

const width = ([lower, upper]: Bounds): number => upper - lower;

const solved = (grid: Grid, wanted: string[], { certificate }: AuditSubject, solve: LinearProgramSolver) =>
  cellBounds(systemOf(grid.cells, grid.sums, declaredNoise(certificate), 1 - TEST_LEVEL), wanted, solve);

/** The table with both kinds of margins that has the fewest cells, when that is few enough. */
function smallestGrid({ cells, tables, certificate }: AuditSubject): Grid | null {
  const { time, location } = certificate.marginScales;
  if (!tables.margins || time === undefined || location === undefined) return null;
  const scales = { time: toNumber(parseRational(time)), location: toNumber(parseRational(location)) };
  const sizes = [...bySlice(tables.margins)].map(([slice, margins]) => {
    const rows = [...rowsOf(margins)];
    const [times, locations] = [rows.filter(({ time }) => time !== ALL), rows.filter(({ time }) => time === ALL)];
    return { slice, times, locations, size: times.length * locations.length };
  });
  const smallest = sizes
    .filter(({ size }) => size > 0 && size <= MOST_CELLS)
    .reduce<(typeof sizes)[number] | null>((least, one) => (least && least.size <= one.size ? least : one), null);
  return smallest && gridOf(smallest, [...rowsOf(bySlice(cells).get(smallest.slice) ?? NO_ROWS)], scales);
}

function gridOf(
  { times, locations }: { times: CountRow[]; locations: CountRow[] },
  cells: readonly CountRow[],
  scales: { time: number; location: number },
): Grid {
  const { mode, day, tap } = times[0]!;
  const known = new Map(cells.map(({ time, location, count }) => [cellName(time, location), count]));
  const domain = times.flatMap(({ time }) => locations.map(({ location }) => ({ time, location })));
  return {
    name: `${mode} ${day} ${tap}`,
    cells: domain.map(({ time, location }) => {
      const cell = cellName(time, location);
      return { name: cell, count: known.get(cell) ?? null };
    }),
    sums: [
      ...times.map(({ time, count }) => ({
        cells: locations.map(({ location }) => cellName(time, location)),
        count,
        scale: scales.time,
      })),
      ...locations.map(({ location, count }) => ({
        cells: times.map(({ time }) => cellName(time, location)),
        count,
        scale: scales.location,
      })),
    ],
  };
}

const cellName = (time: string, location: string): string => `${time} ${location}`;

/** Suppressed cells of the lines that have the fewest of them. */
function wantedCells({ cells, sums }: Grid): string[] {
  const suppressed = new Set(cells.filter(({ count }) => count === null).map(({ name }) => name));
  const lines = sums
    .map((sum) => sum.cells.filter((cell) => suppressed.has(cell)))
    .filter((line) => line.length > 0)
    .sort((a, b) => a.length - b.length);
  return [...new Set(lines.flat())].slice(0, WANTED);
}
