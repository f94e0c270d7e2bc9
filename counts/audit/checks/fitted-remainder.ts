import type { Certificate } from '../../../contracts/certificate.ts';
import { ALL } from '../../derive/count-row.ts';
import { byPartition, type CountTable, NO_ROWS } from '../../derive/count-table.ts';
import { unionOf } from '../../derive/table-lines.ts';
import { marginVariances } from '../../mechanisms/mechanisms.ts';
import { type DrawnColumns, fitRemainder } from '../../mechanisms/remainder.ts';
import type { HourCounts, PlacedCounts, Totals } from '../../tables/columns.ts';
import { codesIn } from '../../tables/list-places.ts';
import type { Tap } from '../../tables/tap-tables.ts';

/** Rows of one publication that a fit takes in and gives. */
export type Fitted = {
  cells: CountTable;
  hours: CountTable;
  remainder: CountTable;
  margins: CountTable;
  certificate: Pick<Certificate, 'mechanism' | 'marginScales'>;
};

/**
 * Are the remainder rows of each partition those that its published cells and noisy margins give (C9)? Any others would
 * be a view of the suppressed taps that no margin pays for. The margins list the whole domain, so that nothing else is
 * needed.
 */
export function isFitted({ cells, hours, remainder, margins, certificate }: Fitted): boolean {
  const [ownCells, ownMargins, ownRemainder] = [byPartition(cells), byPartition(margins), byPartition(remainder)];
  const ownHours = byPartition(hours);
  return [...new Set([...ownMargins.keys(), ...ownRemainder.keys()])].every((partition) => {
    const totals = ownMargins.get(partition) ?? NO_ROWS;
    const rows = [ownCells.get(partition) ?? NO_ROWS, ownHours.get(partition) ?? NO_ROWS] as const;
    const domain = domainOf(totals, rows);
    const [noisy, rest] = [totalsIn(totals, domain), totalsIn(ownRemainder.get(partition) ?? NO_ROWS, domain)];
    const counts = placeRows(rows[0], domain);
    const inHours = hoursIn(rows[1], domain);
    if (totals.count.length === 0 || !noisy || !rest || !counts || !inHours) return false;
    const columns: DrawnColumns = { ...domain, cells: counts, hours: inHours, margins: noisy };
    const fit = fitRemainder(columns, marginVariances(certificate));
    return sameCounts(fit.time, rest.time) && sameCounts(fit.location, rest.location);
  });
}

/** The public domain of one partition, each list in order. */
type Domain = { taps: readonly Tap[]; times: readonly string[]; locations: readonly string[] };

/** The domain that the margins of a partition name; of a side without margins, what its cells and hour rows name. */
function domainOf(margins: CountTable, [cells, hours]: readonly [CountTable, CountTable]): Domain {
  const pickNames = (list: readonly string[], codes: Uint32Array): string[] => {
    const own = new Set(codes);
    return list.filter((text, code) => text !== ALL && own.has(code));
  };
  const taps = new Set(Array.from(margins.slice, (code) => margins.slices[code]!.tap));
  const times = pickNames(margins.times, margins.time);
  const locations = pickNames(margins.locations, margins.location);
  const places = [cells, hours].map((rows) => pickNames(rows.locations, rows.location));
  return {
    taps: [...taps].sort(),
    times: times.length > 0 ? times : pickNames(cells.times, cells.time),
    locations: locations.length > 0 ? locations : unionOf(places),
  };
}

/** Codes of a table as places of a domain. */
const placesFor = ({ slices, times, locations }: CountTable, domain: Domain) => ({
  slice: codesIn(
    slices.map(({ tap }) => tap),
    domain.taps,
  ),
  time: codesIn(times, domain.times),
  location: codesIn(locations, domain.locations),
});

/** The rows (time, ALL) and (ALL, location) of one partition as columns; null unless each tap has all or none. */
function totalsIn(table: CountTable, domain: Domain): Totals | null {
  const codes = placesFor(table, domain);
  const [allTimes, allLocations] = [table.times.indexOf(ALL), table.locations.indexOf(ALL)];
  const totals = {
    time: new Float64Array(domain.taps.length * domain.times.length).fill(Number.NaN),
    location: new Float64Array(domain.taps.length * domain.locations.length).fill(Number.NaN),
  };
  for (let at = 0; at < table.count.length; at++) {
    const tap = codes.slice[table.slice[at]!]!;
    const ofTime = table.time[at] !== allTimes;
    if (ofTime === (table.location[at] !== allLocations)) return null;
    const place = ofTime ? codes.time[table.time[at]!]! : codes.location[table.location[at]!]!;
    if (tap < 0 || place < 0) return null;
    const [side, keys] = ofTime ? [totals.time, domain.times] : [totals.location, domain.locations];
    side[tap * keys.length + place] = table.count[at]!;
  }
  const whole = { time: allOrNone(totals.time), location: allOrNone(totals.location) };
  return whole.time && whole.location && whole.time.length + whole.location.length === table.count.length
    ? { time: whole.time, location: whole.location }
    : null;
}

function allOrNone(counts: Float64Array): Float64Array | null {
  if (counts.every(Number.isNaN)) return new Float64Array();
  return counts.some(Number.isNaN) ? null : counts;
}

/** Rows of one partition at their places; null when one is outside the domain. */
function placeRows(table: CountTable, domain: Domain): PlacedCounts | null {
  const codes = placesFor(table, domain);
  const places = new Uint32Array(table.count.length);
  for (let at = 0; at < places.length; at++) {
    const [tap, time] = [codes.slice[table.slice[at]!]!, codes.time[table.time[at]!]!];
    const location = codes.location[table.location[at]!]!;
    if (tap < 0 || time < 0 || location < 0) return null;
    places[at] = (tap * domain.times.length + time) * domain.locations.length + location;
  }
  return { places, counts: table.count };
}

function hoursIn(table: CountTable, domain: Domain): HourCounts | null {
  const counts = placeRows(table, { ...domain, times: table.times });
  return counts && { labels: table.times, ...counts };
}

const sameCounts = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((count, at) => count === b[at]);
