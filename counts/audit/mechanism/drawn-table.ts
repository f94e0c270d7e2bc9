import type { TableRows } from '../../tables/rows.ts';
import { HIGH_CELLS, type ShadowTable } from './shadow-layout.ts';

/** The part of a privatized table that is judged. */
export type JudgedRows = Pick<TableRows, 'cells' | 'margins' | 'leftOut'>;

/** Noise of the totals of one kind, by tap and then by key in the order of the domain; null where none came back. */
export type MarginNoise = readonly (readonly (number | null)[])[];

/** What came back of one table, cell by cell in the order of the layout; null where nothing was published. */
export type ShadowDraw = ShadowTable & {
  published: readonly (number | null)[];
  /** Noise of the high cells. */
  high: readonly (number | null)[];
  /** Null for totals that the certificate does not declare. */
  margins: { time: MarginNoise | null; location: MarginNoise | null };
  /** Noise of the left-out taps of each end, where the certificate counts them. */
  leftOutNoise: readonly (number | null)[];
};

/** Noise: what was published less the truth. */
export const minus = (value: number | null, count: number): number | null => (value === null ? null : value - count);

/** Puts the rows that came back beside the truth. `kinds`: the totals that should be there. Cost: O(cells). */
export function drawnTable(table: ShadowTable, rows: JudgedRows, kinds: readonly ('time' | 'location')[]): ShadowDraw {
  const { cells, counts } = table;
  const known = new Map(rows.cells.map(([tap, time, location, count]) => [`${tap} ${time} ${location}`, count]));
  const published = cells.map(([tap, time, location]) => known.get(`${tap} ${time} ${location}`) ?? null);
  const noiseOf = (kind: 'time' | 'location') => (kinds.includes(kind) ? marginNoise(table, rows, kind) : null);
  return {
    ...table,
    published,
    high: published.slice(0, HIGH_CELLS).map((value, cell) => minus(value, counts[cell]!)),
    margins: { time: noiseOf('time'), location: noiseOf('location') },
    leftOutNoise: leftOutNoise(table, rows),
  };
}

function leftOutNoise({ leftOut }: ShadowTable, rows: JudgedRows): (number | null)[] {
  const measured = new Map(rows.leftOut);
  return leftOut.map(([tap, count]) => minus(measured.get(tap) ?? null, count));
}

/** Every total is known, since all counts are. */
function marginNoise({ cells, domain }: ShadowTable, { margins }: JudgedRows, kind: 'time' | 'location'): MarginNoise {
  const truths = new Map<string, number>();
  for (const [tap, time, location, count] of cells) {
    const key = `${tap} ${kind === 'time' ? time : location}`;
    truths.set(key, (truths.get(key) ?? 0) + count);
  }
  const measured = new Map(margins?.[kind].map(([tap, key, count]) => [`${tap} ${key}`, count]));
  const keys = kind === 'time' ? domain.times : domain.locations;
  return domain.taps.map((tap) =>
    keys.map((key) => minus(measured.get(`${tap} ${key}`) ?? null, truths.get(`${tap} ${key}`) ?? 0)),
  );
}
