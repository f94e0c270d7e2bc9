import type { PlacedCounts, PrivatizedTable, Totals } from '../../counts/tables/columns.ts';
import type { HourRow, MarginRow, Margins, PrivatizedCell, TableRows } from '../../counts/tables/rows.ts';

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
