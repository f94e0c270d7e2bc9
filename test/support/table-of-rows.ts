import type { FittedTotals, HourCounts, PlacedCounts, PrivatizedTable, Totals } from '../../counts/tables/columns.ts';
import type { Tap } from '../../counts/tables/tap-tables.ts';

/**
 * A privatized table as rows, which is handy for tables of few rows. Columns hold the same (counts/tables/columns.ts).
 */

/** One published cell: (tap, time label HH:MM, location, noisy count). */
export type PrivatizedCell = [tap: Tap, time: string, location: string, count: number];

/** A published hour row: (tap, hour HH:00, location, sum of noisy counts of that hour and place that no cell shows). */
export type HourRow = [tap: Tap, hour: string, location: string, count: number];

/** A noisy margin, or a fitted remainder row: (tap, time label or location, count). Margins can be negative. */
export type MarginRow = [tap: Tap, key: string, count: number];

/** Noisy number of the taps of one end that the bound of a card leaves out, each card clamped; can be negative. */
export type LeftOutRow = [tap: Tap, count: number];

/** Noisy margins over the public domains, or the remainder rows fitted to them (C8, C9). */
export type Margins = { time: MarginRow[]; location: MarginRow[] };

/** The rows of a table, each list in lexicographic order. */
export type TableRows = Pick<PrivatizedTable, 'format' | 'part' | 'day'> & {
  cells: PrivatizedCell[];
  hours: HourRow[] | null;
  margins: Margins | null;
  leftOut?: LeftOutRow[] | undefined;
  remainder: (Margins & Pick<FittedTotals, 'fit'>) | null;
};

/** The rows of a table of few rows. */
export function rowsOfTable(table: PrivatizedTable): TableRows {
  const { format, part, day, taps, times, locations, cells, hours, margins, leftOut, remainder } = table;
  const rows = ({ places, counts }: PlacedCounts, labels: readonly string[]): PrivatizedCell[] =>
    [...places].map((place, at) => {
      const line = Math.floor(place / locations.length);
      const [tap, label] = [taps[Math.floor(line / labels.length)]!, labels[line % labels.length]!];
      return [tap, label, locations[place % locations.length]!, counts[at]!];
    });
  const side = (counts: Float64Array, keys: readonly string[]): MarginRow[] =>
    [...counts].map((count, at) => [taps[Math.floor(at / keys.length)]!, keys[at % keys.length]!, count]);
  const sides = ({ time, location }: Totals): Margins => ({
    time: side(time, times),
    location: side(location, locations),
  });
  const hourRows = ({ labels, ...counts }: HourCounts): HourRow[] => rows(counts, labels);
  return {
    format,
    part,
    day,
    cells: rows(cells, times),
    hours: hours && hourRows(hours),
    margins: margins && sides(margins),
    ...(leftOut && { leftOut: taps.map((tap, at): LeftOutRow => [tap, leftOut[at]!]) }),
    remainder: remainder && { fit: remainder.fit, ...sides(remainder) },
  };
}

const inOrder = <Text extends string>(texts: readonly Text[]): Text[] => [...new Set(texts)].sort();

const placesOf = (members: readonly string[]): ReadonlyMap<string, number> =>
  new Map(members.map((member, place) => [member, place]));

/**
 * The columns of rows; the domain are the members that the rows name. Throws TypeError when a key comes twice, or when a
 * side of the margins or remainders does not list the same keys for each tap: then it is no table that was ever drawn.
 */
export function tableOfRows({ cells, hours, margins, leftOut = [], remainder, ...table }: TableRows): PrivatizedTable {
  const sides = [margins, remainder].filter((side) => side !== null);
  const keyed = [...cells, ...(hours ?? [])];
  const totals = sides.flatMap(({ time, location }) => [...time, ...location]);
  const domain = {
    taps: inOrder([...keyed, ...totals, ...leftOut].map(([tap]) => tap)),
    times: inOrder([...cells.map((row) => row[1]), ...sides.flatMap(({ time }) => time.map((row) => row[1]))]),
    locations: inOrder([
      ...keyed.map((row) => row[2]),
      ...sides.flatMap(({ location }) => location.map((row) => row[1])),
    ]),
  };
  const taps = placesOf(domain.taps);
  const labels = inOrder((hours ?? []).map((row) => row[1]));
  const side = ({ time, location }: Margins): Totals => ({
    time: wholeSide(time, taps, placesOf(domain.times)),
    location: wholeSide(location, taps, placesOf(domain.locations)),
  });
  return {
    ...table,
    ...domain,
    cells: placed(cells, taps, placesOf(domain.times), placesOf(domain.locations)),
    hours: hours && { labels, ...placed(hours, taps, placesOf(labels), placesOf(domain.locations)) },
    margins: margins && side(margins),
    ...(leftOut.length > 0 && { leftOut: Float64Array.from(domain.taps, (tap) => new Map(leftOut).get(tap) ?? 0) }),
    remainder: remainder && { fit: remainder.fit, ...side(remainder) },
  };
}

type Places = ReadonlyMap<string, number>;

function placed(
  rows: readonly (PrivatizedCell | HourRow)[],
  taps: Places,
  times: Places,
  locations: Places,
): PlacedCounts {
  const counts = new Map(
    rows.map(([tap, time, location, count]) => [
      (taps.get(tap)! * times.size + times.get(time)!) * locations.size + locations.get(location)!,
      count,
    ]),
  );
  if (counts.size !== rows.length) throw new TypeError('a row of a privatized table comes twice');
  const places = Uint32Array.from(counts.keys()).sort();
  return { places, counts: Float64Array.from(places, (place) => counts.get(place)!) };
}

function wholeSide(rows: readonly MarginRow[], taps: Places, keys: Places): Float64Array {
  if (rows.length === 0) return new Float64Array();
  const counts = new Float64Array(taps.size * keys.size).fill(Number.NaN);
  for (const [tap, key, count] of rows) counts[taps.get(tap)! * keys.size + keys.get(key)!] = count;
  if (rows.length !== counts.length || counts.some(Number.isNaN))
    throw new TypeError('a total of a privatized table is missing or comes twice');
  return counts;
}
