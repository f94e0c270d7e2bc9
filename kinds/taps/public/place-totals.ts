import type { Certificate } from '../../../contracts/certificate.ts';
import { FILES, type PublishedTable, partitionPath } from '../../../contracts/names.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { sumHalfWidth } from '../../../core/statistics/integer-sum.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import { type CountTable, rowsOf } from '../../../counts/derive/count-table.ts';
import type { DataDescription } from '../../../services/metadata/description.ts';
import { listedLocations, type Place } from '../location-dictionary.ts';
import type { PrivacyFile } from './privacy-file.ts';

type Places = NonNullable<DataDescription['places']>;
type Row = Places['rows'][number];

/** Tables that count places over all times of a day, from the one with an interval to the one without. */
export const PLACE_TABLES = ['margins-location', 'location'] as const satisfies readonly PublishedTable[];

/** Rows that a page has room for, and days that a table has. */
const MOST_ROWS = 500;
const MOST_DAYS = 35;

/** The chance that one of the intervals below holds. */
const CONFIDENCE = 0.95;

/**
 * The published counts of places, by mode and with the most taps first: of all days, and of each. What is not published
 * has no number. `lists`: the public lists of places, by mode. Cost: O(rows).
 */
export function placeTotals(
  privacy: PrivacyFile,
  certificate: Certificate,
  { name, table }: { name: (typeof PLACE_TABLES)[number]; table: CountTable },
  lists: ReadonlyMap<string, Uint8Array>,
): Places {
  const { modes, days } = privacy.domain;
  const shownDays = days.length > 1 && days.length <= MOST_DAYS ? days : [];
  const sums = sumsOfPlaces(table);
  const ranked = modes.flatMap((mode) => {
    const listed = new Map(listedLocations(lists.get(mode)!).map((place) => [place.code, place]));
    return [...(sums.get(mode) ?? [])]
      .map(([place, byDay]) => rowOf(mode, place, { listed: listed.get(place), byDay, days: shownDays }))
      .sort((a, b) => b.values[0]! - a.values[0]! || (a.place < b.place ? -1 : 1))
      .map((row, rank) => ({ row, rank }));
  });
  const kept = new Set(ranked.toSorted((a, b) => a.rank - b.rank).slice(0, MOST_ROWS));
  const isCounted = UNITS[certificate.unit].cardScope !== null;
  return {
    sentences: [
      `Boardings and alightings together, from ${FILES.table(name)}. ${name === 'location' ? 'Taps that no published row shows are in none of these numbers: a place that is not here, or has no number, is not a zero.' : intervalWords(privacy, certificate)}`,
      ...(kept.size < ranked.length
        ? [`Of ${ranked.length} places these are the ${kept.size} with the most taps, of each mode in turn.`]
        : []),
    ],
    unit: isCounted ? 'counted taps' : 'taps',
    partHeading: 'Mode',
    columns: [days.length === 1 ? days[0]! : 'All days', ...shownDays],
    rows: ranked.filter((one) => kept.has(one)).map(({ row }) => row),
  };
}

/** By mode and place: the sum of each day. */
function sumsOfPlaces(table: CountTable): Map<string, Map<string, Map<string, number>>> {
  const sums = new Map<string, Map<string, Map<string, number>>>();
  const inside = <Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> =>
    map.get(key) ?? map.set(key, new Map()).get(key)!;
  for (const { mode, day, location, count } of rowsOf(table)) {
    const byDay = inside(inside(sums, mode), location);
    byDay.set(day, (byDay.get(day) ?? 0) + count);
  }
  return sums;
}

function rowOf(
  part: string,
  place: string,
  { listed, byDay, days }: { listed: Place | undefined; byDay: ReadonlyMap<string, number>; days: readonly string[] },
): Row {
  const { name = '', latitude = '', longitude = '' } = listed ?? {};
  const total = [...byDay.values()].reduce((sum, count) => sum + count, 0);
  return {
    ...{ part, place, name: name === '' ? place : name },
    position: latitude === '' || longitude === '' ? null : [Number(latitude), Number(longitude)],
    values: [total, ...days.map((day) => byDay.get(day) ?? null)],
  };
}

/** How exact one number is: a sum of independent discrete Laplace numbers, one for each end of trips and day. */
function intervalWords(
  { domain: { modes, days }, holes, parameters }: PrivacyFile,
  { marginScales }: Certificate,
): string {
  const scale = toNumber(parseRational(marginScales.location!));
  const ends = parameters.publish === 'on+off' ? 2 : 1;
  const drawnDays = modes.map((part) => days.filter((day) => !holes.includes(partitionPath({ part, day }))).length);
  const within = (rows: number) => sumHalfWidth('discrete-laplace', [[scale, rows]], CONFIDENCE).halfWidth;
  const ofAll = Math.max(1, ...drawnDays);
  const whole = ofAll === 1 ? '' : `, and by at most ${within(ends * ofAll)} from one of all days`;
  return `The exact number of a place differs by at most ${within(ends)} from a number of one day${whole}, each with a chance of at least 95 %. Noise can make a number negative.`;
}
