import type { AuditCheck } from '../contracts/audit-report.ts';
import { percent } from '../core/text/wording.ts';
import { notTried, report } from '../core/verdict/finding.ts';
import {
  cellBounds,
  chooseCells,
  type Grid,
  LINEAR_ATTACK,
  narrowestOf,
  systemOf,
  widthOf,
} from '../counts/audit/checks/linear-bounds.ts';
import { ALL } from '../counts/derive/count-row.ts';
import { sliceKey } from '../counts/derive/count-table.ts';
import { CONFIDENCE } from './foreign-differences.ts';
import type { NoisyTable } from './foreign-noise.ts';
import type { ForeignSubject } from './foreign-subject.ts';
import { type ForeignRow, pickDrawnRows } from './foreign-table.ts';

/** Slices of more cells than this are left to the differences of single lines. */
const MOST_CELLS = 2000;

/** A count that was drawn by itself. */
type Draw = { row: ForeignRow; table: NoisyTable };

/**
 * All totals of one slice at once, by linear programs, against its suppressed cells. A total may hold more than the
 * cells of named times and places: each line has a rest of any size. Fails when a threshold is declared and the bounds
 * go round it: a suppressed cell holds at most two counts, or T or more. Statistic: the narrowest width; interval: its
 * bounds. Null without a solver.
 */
export function checkForeignLinearBounds(subject: ForeignSubject): AuditCheck | null {
  const { solve } = subject;
  if (solve === null) return null;
  const pass = (sentence: string) => notTried('linear-bounds', LINEAR_ATTACK, sentence);
  const draws = smallestSlice(subject);
  if (!draws)
    return pass(
      'No mode and day has a suppressed cell and totals by time and by place with noise of their own, so that there is nothing to solve.',
    );
  const name = nameOf(draws[0]!.row);
  const size = sizeOf(labelsOf(draws));
  if (size > MOST_CELLS)
    return pass(
      `The totals of ${name} were not solved together: it has ${size} cells, and more than ${MOST_CELLS} are too many.`,
    );
  const grid = gridOf(draws);
  const cells = chooseCells(grid);
  const bounds = cellBounds(systemOf(grid, CONFIDENCE), cells, solve);
  if (bounds === null)
    return report('linear-bounds', LINEAR_ATTACK, {
      verdict: 'attention',
      sentence: `The totals of ${name} contradict each other: no counts fit them and the cells under the noise that is known (${percent(CONFIDENCE)}).`,
    });
  const [cell, narrowest] = narrowestOf(bounds);
  // Without a declared threshold, nothing was promised to be hidden.
  const thresholds = draws.flatMap(({ table: { kind, declared } }) =>
    kind === 'time-location' ? (declared.certificate?.threshold ?? declared.threshold ?? []) : [],
  );
  const leaks = [...bounds.values()].filter((one) => thresholds.some((t) => widthOf(one) <= 1 || one[0] >= t)).length;
  return report('linear-bounds', LINEAR_ATTACK, {
    verdict: leaks > 0 ? 'fail' : 'pass',
    statistic: widthOf(narrowest),
    interval: [...narrowest],
    sentence: `All totals of ${name} together leave between ${narrowest[0]} and ${narrowest[1]} taps in the suppressed cell that they pin best (${cell}), of ${cells.length} tried (${percent(CONFIDENCE)})${leaks > 0 ? `: what the threshold was to hide shows in ${leaks} of them` : ''}.`,
  });
}

/** What was drawn of the slice with the fewest cells that has cells, both kinds of totals, and something suppressed. */
function smallestSlice({ tables, differences }: ForeignSubject): Draw[] | null {
  // A table whose totals are all sums of published cells was not drawn.
  const gaps = new Set(differences.flatMap(({ total, difference }) => (difference === 0 ? [] : [total])));
  const draws = tables.flatMap((table): Draw[] => {
    const rows = pickDrawnRows(table);
    const isDrawn = table.kind === 'time-location' || rows.some((row) => gaps.has(row));
    return isDrawn ? rows.filter((row) => isOfKind(row, table)).map((row) => ({ row, table })) : [];
  });
  const [smallest] = [...Map.groupBy(draws, ({ row }) => sliceKey(row)).values()]
    .filter((group) => new Set(group.map(({ table }) => table.kind)).size === 3)
    .map((group) => ({ group, labels: labelsOf(group) }))
    .filter(({ labels }) => sizeOf(labels) > labels.named.size)
    .sort((a, b) => sizeOf(a.labels) - sizeOf(b.labels));
  return smallest?.group ?? null;
}

/** Remainder rows are no cells, and what has no label is no line. */
const isOfKind = ({ time, location }: ForeignRow, { kind }: NoisyTable): boolean =>
  (time !== ALL || kind === 'location') && (location !== ALL || kind === 'time');

/** Times and places that counts of one slice name, and the names of the cells among them. */
type Labels = { times: string[]; places: string[]; named: ReadonlySet<string> };

function labelsOf(draws: readonly Draw[]): Labels {
  const labels = (of: (row: ForeignRow) => string): string[] =>
    [...new Set(draws.map(({ row }) => of(row)))].filter((label) => label !== ALL).sort();
  const cells = draws.filter(({ row }) => row.time !== ALL && row.location !== ALL);
  return {
    times: labels(({ time }) => time),
    places: labels(({ location }) => location),
    named: new Set(cells.map(({ row }) => cellName(row.time, row.location))),
  };
}

const sizeOf = ({ times, places }: Labels): number => times.length * places.length;

/**
 * What was drawn of one slice, with a published cell, and what it leaves out. A total is its line, and the rest at times
 * or places that nobody names (foreign-linear-bounds.proof.md).
 */
export function gridOf(draws: readonly Draw[]): Grid {
  const { times, places, named } = labelsOf(draws);
  const cellsUnder = ({ time, location }: ForeignRow): string[] => [
    ...(location === ALL ? places.map((place) => cellName(time, place)) : []),
    ...(time === ALL ? times.map((one) => cellName(one, location)) : []),
    cellName(time, location),
  ];
  const strongest = ({ noise }: NoisyTable) => ({ ...noise, scale: noise.most });
  const tables = new Set(draws.map(({ table }) => table));
  return {
    name: nameOf(draws[0]!.row),
    counts: draws.map(({ row, table }) => ({ cells: cellsUnder(row), count: row.count, noise: strongest(table) })),
    suppressed: times
      .flatMap((time) => places.map((place) => cellName(time, place)))
      .filter((cell) => !named.has(cell)),
    cellNoises: [...tables].filter(({ kind }) => kind === 'time-location').map(strongest),
  };
}

const nameOf = ({ mode, day, tap }: ForeignRow): string => [mode, day, tap].filter((part) => part !== ALL).join(' ');

/** Name of a cell, and of the rest of a line. */
const cellName = (time: string, location: string): string => `${time} ${location}`;
