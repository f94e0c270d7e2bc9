import type { Certificate } from '../../../contracts/certificate.ts';
import { FILES, partitionPath } from '../../../contracts/names.ts';
import { sumHalfWidth } from '../../../core/statistics/integer-sum.ts';
import { gather } from '../../../core/text/paragraphs.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import { compareText } from '../../../counts/derive/count-row.ts';
import { type CountTable, rowsOf } from '../../../counts/derive/count-table.ts';
import { noiseOfCount } from '../../../counts/mechanisms/mechanisms.ts';
import type { PublishedTable } from '../../../counts/tables/tap-tables.ts';
import type { DataDescription } from '../../../services/metadata/data-description.ts';
import { type Place, parseLocations } from '../location-dictionary.ts';
import { type PlaceLists, UNLISTED } from './place-files.ts';
import type { PrivacyFile } from './privacy-file.ts';

type Places = NonNullable<DataDescription['places']>;
type Row = Places['rows'][number];

/** Tables that count places over all times of a day, from the one with an interval to the one without. */
export const PLACE_TABLES = ['margins-location', 'location'] as const satisfies readonly PublishedTable[];

/** Rows that a page has room for, and days that a table has. */
const MOST_ROWS = 700;
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
  lists: PlaceLists,
): Places {
  const { days } = privacy.domain;
  const columns = days.length === 1 ? days : ['All days', ...(days.length > MOST_DAYS ? [] : days)];
  const places = rankRows(table, columns, lists);
  const rows = places.toSorted((a, b) => a.rank - b.rank).slice(0, MOST_ROWS);
  const isCounted = UNITS[certificate.unit].cardScope !== null;
  const exactness =
    name === 'location'
      ? 'Taps that no published row shows are in none of these numbers: a place that is not here, or has no number, is not a zero.'
      : intervalWords(privacy, certificate);
  return {
    sentences: gather(
      `Boardings and alightings together, from ${FILES.table(name)}. ${exactness}`,
      rows.length < places.length &&
        `Of ${places.length} places these are the ${rows.length} with the most taps, of each mode in turn.`,
    ),
    unit: isCounted ? 'counted taps' : 'taps',
    partHeading: 'Mode',
    columns,
    rows: places.filter((one) => rows.includes(one)).map(({ rank: _, ...row }) => row),
  };
}

/** A row for each place that has one in the table, by mode, with its rank among those of its mode. */
function rankRows(table: CountTable, columns: readonly string[], lists: PlaceLists) {
  const places = new Map(
    [...lists].map(([mode, bytes]) => [mode, new Map(parseLocations(bytes).map((place) => [place.code, place]))]),
  );
  const rows = new Map<string, Row>();
  for (const { mode, day, location, count } of rowsOf(table)) {
    const key = `${mode}\n${location}`;
    const row = rows.get(key) ?? emptyRow(mode, location, places.get(mode)?.get(location), columns.length);
    rows.set(key, row);
    for (const column of [0, columns.indexOf(day, 1)])
      if (column >= 0) row.values[column] = (row.values[column] ?? 0) + count;
  }
  const ranks = new Map<string, number>();
  return [...rows.values()]
    .sort((a, b) => compareText(a.part, b.part) || b.values[0]! - a.values[0]! || compareText(a.place, b.place))
    .map((row) => {
      const rank = ranks.get(row.part) ?? 0;
      ranks.set(row.part, rank + 1);
      return { ...row, rank };
    });
}

function emptyRow(part: string, place: string, entry: Place | undefined, columns: number): Row {
  const { name = UNLISTED, latitude = '', longitude = '' } = entry ?? {};
  return {
    part,
    place,
    name: name || place,
    values: Array<null>(columns).fill(null),
    position: latitude === '' || longitude === '' ? null : [Number(latitude), Number(longitude)],
  };
}

/** How exact one number is: a sum of independent noises, one for each end of trips and day. */
function intervalWords(
  { domain: { modes, days }, holes, parameters }: PrivacyFile,
  { mechanism, marginScales }: Certificate,
): string {
  const { model, scale } = noiseOfCount(mechanism, marginScales.location!);
  const ends = parameters.publish === 'on+off' ? 2 : 1;
  const drawnDays = modes.map((part) => days.filter((day) => !holes.includes(partitionPath({ part, day }))).length);
  const within = (rows: number) => sumHalfWidth(model, [[scale, rows]], CONFIDENCE).halfWidth;
  const ofAll = Math.max(1, ...drawnDays);
  const whole = ofAll === 1 ? '' : `, and by at most ${within(ends * ofAll)} from one of all days`;
  return `The exact number of a place differs by at most ${within(ends)} from a number of one day${whole}, each with a chance of at least 95 %. Noise can make a number negative.`;
}
