import type { PrivatizedTable } from '../../tables/columns.ts';
import { placesOf } from '../../tables/list-places.ts';
import type { Tap } from '../../tables/tap-tables.ts';
import { HIGH_CELLS, type ShadowTable } from './shadow-layout.ts';
import type { NoiseKind } from './shadow-tallies.ts';

/** The part of a privatized table that is judged. */
export type JudgedTable = Pick<PrivatizedTable, 'taps' | 'times' | 'locations' | 'cells' | 'margins' | 'leftOut'>;

/** Noise of one kind in a table, in the order in which it is drawn: of each tap that of its keys; null for none. */
export type NoiseLines = readonly (readonly (number | null)[])[];

/** What came back of one table, cell by cell in the order of the layout; null where nothing was published. */
export type ShadowDraw = ShadowTable & {
  published: readonly (number | null)[];
  /** Of high cells, of totals, and of the left-out taps of each end; none of what the certificate does not declare. */
  noise: Readonly<Record<NoiseKind, NoiseLines>>;
};

/** Noise: what was published less the truth. */
export const minus = (value: number | null, count: number): number | null => (value === null ? null : value - count);

/** Puts the table that came back beside the truth. `kinds`: the totals that should be there. Cost: O(cells). */
export function compareTable(
  table: ShadowTable,
  answer: JudgedTable,
  kinds: readonly ('time' | 'location')[],
): ShadowDraw {
  const { cells, counts, domain, leftOut } = table;
  const [taps, times, locations] = [placesOf(answer.taps), placesOf(answer.times), placesOf(answer.locations)];
  // A key that is not in its lists has no place: NaN, at which nothing is found.
  const countAt = new Map(Array.from(answer.cells.places, (place, at) => [place, answer.cells.counts[at]!]));
  const values = cells.map(([tap, time, location]) => {
    const line = taps.get(tap)! * times.size + times.get(time)!;
    return countAt.get(line * locations.size + locations.get(location)!) ?? null;
  });
  const high = values.slice(0, HIGH_CELLS).map((value, cell) => minus(value, counts[cell]!));
  const noiseOf = (kind: 'time' | 'location') => (kinds.includes(kind) ? marginNoise(table, answer, kind) : []);
  return {
    ...table,
    published: values,
    noise: {
      cells: domain.taps.map((_, tap) => high.filter((_value, cell) => cell % domain.taps.length === tap)),
      time: noiseOf('time'),
      location: noiseOf('location'),
      leftOut: leftOut.map(([tap, count]) => [minus(answer.leftOut?.[answer.taps.indexOf(tap)] ?? null, count)]),
    },
  };
}

/** Every total is known, since all counts are. */
function marginNoise({ cells, domain }: ShadowTable, answer: JudgedTable, kind: 'time' | 'location'): NoiseLines {
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
