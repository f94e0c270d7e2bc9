import { CANONICAL_COLUMNS } from '../series.ts';

/** What a canonical column holds, by the last part of its name. */
const COLUMN_MEANINGS: Readonly<Record<string, string>> = {
  mode: 'the mode, as the series names it',
  card: 'whose row it is; needed for card units only',
  tap: 'on or off',
  time: 'the time of the tap, as clock says',
  day: 'the day of the tap, YYYY-MM-DD or YYYYMMDD; goes with minute',
  minute: 'minutes after midnight of that day, by the local clock',
  location: 'the place of the tap, as the location list names it',
};

/**
 * JSON Schema of `source.columns`: columns of a source by the names that rows of trips and of taps have, or a list of
 * such sets.
 */
export function columnSchema(): object {
  const names = new Set<string>([...CANONICAL_COLUMNS.trips, ...CANONICAL_COLUMNS.taps]);
  const properties = [...names].map((name) => {
    const meaning = COLUMN_MEANINGS[name.replace(/^(on|off)_/, '')];
    return [name, { type: 'string', description: `the column that holds ${meaning}` }] as const;
  });
  const columns = { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
  return { anyOf: [columns, { type: 'array', items: columns, minItems: 1, maxItems: 20 }] };
}
