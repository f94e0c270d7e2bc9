import { placesOf } from '../../mechanisms/public-domain.ts';
import type { PrivatizedTable } from '../../tables/columns.ts';
import type { Tap } from '../../tables/tap-tables.ts';
import { HIGH_CELLS, type ShadowTable } from './shadow-layout.ts';

/** The part of a privatized table that is judged. */
export type JudgedTable = Pick<PrivatizedTable, 'taps' | 'times' | 'locations' | 'cells' | 'margins' | 'leftOut'>;

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

/** Puts the table that came back beside the truth. `kinds`: the totals that should be there. Cost: O(cells). */
export function drawnTable(
  table: ShadowTable,
  answer: JudgedTable,
  kinds: readonly ('time' | 'location')[],
): ShadowDraw {
  const { cells, counts } = table;
  const [taps, times, locations] = [placesOf(answer.taps), placesOf(answer.times), placesOf(answer.locations)];
  // A key that is not in its lists has no place: NaN, at which nothing is found.
  const countAt = new Map(Array.from(answer.cells.places, (place, at) => [place, answer.cells.counts[at]!]));
  const published = cells.map(([tap, time, location]) => {
    const line = taps.get(tap)! * times.size + times.get(time)!;
    return countAt.get(line * locations.size + locations.get(location)!) ?? null;
  });
  const noiseOf = (kind: 'time' | 'location') => (kinds.includes(kind) ? marginNoise(table, answer, kind) : null);
  return {
    ...table,
    published,
    high: published.slice(0, HIGH_CELLS).map((value, cell) => minus(value, counts[cell]!)),
    margins: { time: noiseOf('time'), location: noiseOf('location') },
    leftOutNoise: leftOutNoise(table, answer),
  };
}

const leftOutNoise = ({ leftOut }: ShadowTable, answer: JudgedTable): (number | null)[] =>
  leftOut.map(([tap, count]) => minus(answer.leftOut?.[answer.taps.indexOf(tap)] ?? null, count));

/** Every total is known, since all counts are. */
function marginNoise({ cells, domain }: ShadowTable, answer: JudgedTable, kind: 'time' | 'location'): MarginNoise {
  const truths = new Map<string, number>();
  for (const [tap, time, location, count] of cells) {
    const key = `${tap} ${kind === 'time' ? time : location}`;
    truths.set(key, (truths.get(key) ?? 0) + count);
  }
  const list = kind === 'time' ? 'times' : 'locations';
  const [taps, keys] = [placesOf(answer.taps), placesOf(answer[list])];
  const countOf = (tap: Tap, key: string): number | null =>
    answer.margins?.[kind][taps.get(tap)! * keys.size + keys.get(key)!] ?? null;
  return domain.taps.map((tap) =>
    domain[list].map((key) => minus(countOf(tap, key), truths.get(`${tap} ${key}`) ?? 0)),
  );
}
