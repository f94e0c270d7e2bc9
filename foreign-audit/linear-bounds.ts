import type { AuditCheck } from '../contracts/audit.ts';
import { sumHalfWidth } from '../core/statistics/integer-sum.ts';
import { percent } from '../core/text/wording.ts';
import { notTried, report } from '../core/verdict/check.ts';
import { type Bounds, cellBounds, type LinearSystem } from '../counts/audit/attacks/linear-bounds.ts';
import { suppressionLimit } from '../counts/audit/attacks/suppressed-cell.ts';
import { ALL } from '../counts/derive/count-row.ts';
import type { TableNoise } from './noise.ts';
import { CONFIDENCE, type ForeignSubject } from './subject.ts';
import { drawnRows, type ForeignRow, type ForeignTable, sliceOf } from './table.ts';

/** Slices of more cells than this are left to the differences of single lines. */
const MOST_CELLS = 2000;
/** So many suppressed cells are bounded: those of the lines with the fewest of them. */
const WANTED = 8;

/** A count that was drawn by itself. */
type Draw = { row: ForeignRow; table: ForeignTable; noise: TableNoise };

/** Everything that was drawn of one mode, day and end of the trip: cells, and totals by time and by place. */
export type ForeignSlice = {
  name: string;
  draws: readonly Draw[];
  times: readonly string[];
  places: readonly string[];
  /** Cells of named times and places that no table publishes. */
  suppressed: readonly string[];
};

/**
 * All totals of one slice at once, by linear programs, against its suppressed cells. A total may hold more than the
 * cells of named times and places: each line has a rest of any size. Fails when a threshold is declared and the bounds
 * go round it: a suppressed cell holds at most two counts, or T or more. Statistic: the narrowest width; interval: its
 * bounds. Null without a solver.
 */
export function checkForeignLinearBounds(subject: ForeignSubject): AuditCheck | null {
  const { solve } = subject;
  if (solve === null) return null;
  const attack = 'Solve all published totals for the suppressed cells at once.';
  const pass = (sentence: string) => notTried('linear-bounds', attack, sentence);
  const slice = smallestSlice(subject);
  if (!slice)
    return pass(
      'No mode and day has a suppressed cell and totals by time and by place with noise of their own, so that there is nothing to solve.',
    );
  const size = slice.times.length * slice.places.length;
  if (size > MOST_CELLS)
    return pass(
      `The totals of ${slice.name} were not solved together: it has ${size} cells, and more than ${MOST_CELLS} are too many.`,
    );
  const wanted = wantedCells(slice);
  const bounds = cellBounds(systemOfSlice(slice), wanted, solve);
  if (bounds === null)
    return report('linear-bounds', attack, {
      verdict: 'attention',
      sentence: `The totals of ${slice.name} contradict each other: no counts fit them and the cells under the noise that is known (${percent(CONFIDENCE)}).`,
    });
  const [cell, narrowest] = [...bounds].reduce((least, one) => (width(one[1]) < width(least[1]) ? one : least));
  const told = [...bounds.values()].filter((one) => isTold(slice, one)).length;
  return report('linear-bounds', attack, {
    verdict: told > 0 ? 'fail' : 'pass',
    statistic: width(narrowest),
    interval: [...narrowest],
    sentence: `All totals of ${slice.name} together leave between ${narrowest[0]} and ${narrowest[1]} taps in the suppressed cell that they pin best (${cell}), of ${wanted.length} tried (${percent(CONFIDENCE)})${told > 0 ? `: what the threshold was to hide shows in ${told} of them` : ''}.`,
  });
}

const width = ([lower, upper]: Bounds): number => upper - lower;

/** Do bounds tell what a declared threshold hides? Without a declared one, nothing was promised to be hidden. */
function isTold({ draws }: ForeignSlice, bounds: Bounds): boolean {
  return draws.some(({ table: { kind, declared } }) => {
    const threshold = declared.certificate?.threshold ?? declared.threshold;
    return kind === 'time-location' && threshold !== null && (width(bounds) <= 1 || bounds[0] >= threshold);
  });
}

/** The slice with the fewest cells that has cells, both kinds of totals, and something suppressed. */
function smallestSlice({ tables, noises, differences }: ForeignSubject): ForeignSlice | null {
  // A table whose totals are all sums of published cells was not drawn.
  const moved = new Set(differences.flatMap(({ total, difference }) => (difference === 0 ? [] : [total])));
  const draws = tables.flatMap((table): Draw[] => {
    const rows = drawnRows(table);
    const isDrawn = table.kind === 'time-location' || rows.some((row) => moved.has(row));
    const noise = noises.get(table.name)!;
    return isDrawn ? rows.filter((row) => isOfKind(row, table)).map((row) => ({ row, table, noise })) : [];
  });
  const sizes = [...Map.groupBy(draws, ({ row }) => sliceOf(row)).values()]
    .filter((group) => new Set(group.map(({ table }) => table.kind)).size === 3)
    .map((group) => ({ group, ...labelsOf(group) }))
    .filter(({ times, places, named }) => times.length * places.length > named.size);
  const smallest = sizes.reduce<(typeof sizes)[number] | null>(
    (least, one) => (least && cellsOf(least) <= cellsOf(one) ? least : one),
    null,
  );
  return smallest && sliceFrom(smallest.group);
}

const cellsOf = ({ times, places }: Pick<ForeignSlice, 'times' | 'places'>): number => times.length * places.length;

/** Remainder rows are no cells, and what has no label is no line. */
const isOfKind = ({ time, location }: ForeignRow, { kind }: ForeignTable): boolean =>
  (time !== ALL || kind === 'location') && (location !== ALL || kind === 'time');

/** Times and places that counts of one slice name, and the names of the cells among them. */
function labelsOf(draws: readonly Draw[]): Pick<ForeignSlice, 'times' | 'places'> & { named: ReadonlySet<string> } {
  const labels = (of: (row: ForeignRow) => string): string[] =>
    [...new Set(draws.map(({ row }) => of(row)))].filter((label) => label !== ALL).sort();
  const cells = draws.filter(({ row }) => row.time !== ALL && row.location !== ALL);
  return {
    times: labels(({ time }) => time),
    places: labels(({ location }) => location),
    named: new Set(cells.map(({ row }) => nameOf(row))),
  };
}

/** What counts of one slice name, and what they leave out, of at most MOST_CELLS cells. */
export function sliceFrom(draws: readonly Draw[]): ForeignSlice {
  const { mode, day, tap } = draws[0]!.row;
  const { times, places, named } = labelsOf(draws);
  const all =
    times.length * places.length > MOST_CELLS
      ? []
      : times.flatMap((time) => places.map((location) => nameOf({ time, location })));
  return {
    name: [mode, day, tap].filter((part) => part !== ALL).join(' '),
    draws,
    times,
    places,
    suppressed: all.filter((cell) => !named.has(cell)),
  };
}

/** Name of a cell, and of the rest of a line. */
const nameOf = ({ time, location }: Pick<ForeignRow, 'time' | 'location'>): string => `${time} ${location}`;

/**
 * What a slice with a published cell says of its true counts: all statements hold together with CONFIDENCE
 * (linear-bounds.proof.md).
 */
export function systemOfSlice({ draws, times, places, suppressed }: ForeignSlice): LinearSystem {
  const each = 1 - (1 - CONFIDENCE) / (draws.length + suppressed.length);
  const noises = new Map(draws.map(({ table, noise }) => [table, noise]));
  const widths = new Map(
    [...noises].map(([table, { model, most }]) => [table, sumHalfWidth(model, [[most, 1]], each).halfWidth]),
  );
  const limits = [...noises].flatMap(([{ kind }, noise]) =>
    kind === 'time-location' ? [suppressionLimit({ ...noise, scale: noise.most }, each)] : [],
  );
  const sums = draws.map(({ row, table }) => {
    const halfWidth = widths.get(table)!;
    const bounds: Bounds = [Math.max(0, row.count - halfWidth), Math.max(0, row.count + halfWidth)];
    return { cells: cellsUnder(row, times, places), bounds };
  });
  // A cell or a rest that is under some published count is not greater than the greatest of them can be.
  const free: Bounds = [0, Math.max(...sums.map(({ bounds }) => bounds[1]))];
  return {
    cells: new Map([
      ...sums.flatMap(({ cells }) => cells.map((cell): [string, Bounds] => [cell, free])),
      ...suppressed.map((cell): [string, Bounds] => [cell, [0, Math.max(...limits)]]),
    ]),
    sums,
  };
}

/** A cell is itself; a total is its line, and the rest at times or places that nobody names. */
function cellsUnder(row: ForeignRow, times: readonly string[], places: readonly string[]): string[] {
  const { time, location } = row;
  if (location === ALL) return [...places.map((place) => nameOf({ time, location: place })), nameOf(row)];
  if (time === ALL) return [...times.map((one) => nameOf({ time: one, location })), nameOf(row)];
  return [nameOf(row)];
}

/** Suppressed cells of the lines with a total that have the fewest of them. */
function wantedCells({ draws, times, places, suppressed }: ForeignSlice): string[] {
  const hidden = new Set(suppressed);
  const lines = draws
    .map(({ row }) => cellsUnder(row, times, places).filter((cell) => hidden.has(cell)))
    .filter((line) => line.length > 0)
    .sort((a, b) => a.length - b.length);
  return [...new Set(lines.flat())].slice(0, WANTED);
}
