import { OpalineError } from '../../../contracts/errors.ts';
import type { FieldPath, ReportIssue } from '../../../contracts/series-issue.ts';
import { readClockFormat } from '../../../core/calendar/clock-format.ts';
import { patternNames } from '../../../core/source-pattern/pattern.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import { listEnds } from '../../../counts/tables/tap-tables.ts';
import { checkSelect } from '../../../services/sql/select-check.ts';
import { checkPatterns } from '../../file-rules.ts';
import { CANONICAL_COLUMNS, columnSets, isJson, type TapsFile } from '../series.ts';

/** Which canonical columns a series has, and where in the file its author would add one. */
type Columns = { names: readonly string[]; path: FieldPath };

type Parts = Pick<TapsFile, 'source'> & Partial<TapsFile>;

/**
 * Rules about the source: pattern, format, and the columns that rows are read from. The select is checked here as the
 * private worker checks it again before it runs.
 *
 * @contract C3
 */
export async function checkSource(file: Partial<TapsFile>, report: ReportIssue): Promise<void> {
  const { source } = file;
  if (!source) return;
  checkPatterns(source, report);
  checkDelivery({ ...file, source }, report);
  checkFormat(source, report);
  if (typeof source.clock !== 'string')
    for (const problem of readClockFormat(source.clock.format).problems) report(['source', 'clock', 'format'], problem);
  for (const columns of await readColumns(source, report)) checkColumns({ ...file, source }, columns, report);
}

/** Rows that come late are there when a release reads them only if it waits for them. */
function checkDelivery({ source: { pattern, deliveryDays }, window }: Parts, report: ReportIssue): void {
  if (deliveryDays === undefined) return;
  const path = ['source', 'deliveryDays'];
  if (!patternNames(pattern).date) report(path, 'Days before a delivery need its day in the pattern; add {date}.');
  if (window && window.lagDays < deliveryDays)
    report(path, `The last rows come ${deliveryDays} days after the window; raise window.lagDays to that.`);
}

/** A short line is filled up to at most this many fields, each a byte. */
const RAGGED_COLUMNS = 100;

function checkFormat({ format, compression, encoding, csv, json }: TapsFile['source'], report: ReportIssue): void {
  if (format === 'parquet' && compression !== 'none')
    report(['source', 'compression'], 'Parquet files are compressed inside; leave the field out.');
  if (format === 'parquet' && encoding !== undefined)
    report(['source', 'encoding'], 'Texts of Parquet files are UTF-8; leave the field out.');
  if (csv.ragged && (csv.header === undefined || csv.header.length > RAGGED_COLUMNS))
    report(
      ['source', 'csv', 'ragged'],
      `Lines of several lengths need source.csv.header, the names of at most ${RAGGED_COLUMNS} columns of the longest.`,
    );
  if (!/^[\t\x20-\x7e]$/.test(csv.delimiter) || csv.delimiter === '"')
    report(['source', 'csv', 'delimiter'], 'The delimiter is one ASCII character and no quote, such as ; or a tab.');
  if (format !== 'csv' && (csv.header !== undefined || csv.delimiter !== ','))
    report(['source', 'csv'], `The field is for CSV files, and the format is ${format}; take it out.`);
  if ((format === 'json') !== (json !== undefined))
    report(['source', 'json'], 'The format json and the field json, which says where its rows are, come together.');
  const header = csv.header ?? [];
  for (const [index, name] of header.entries()) {
    if (header.indexOf(name) < index)
      report(['source', 'csv', 'header', index], 'Two columns have the same name; rename one.');
  }
}

async function readColumns(source: TapsFile['source'], report: ReportIssue): Promise<Columns[]> {
  const { columns, select } = source;
  const { header } = source.csv;
  if ((columns === undefined) === (select === undefined)) {
    report(
      ['source', columns ? 'select' : 'columns'],
      'A source has either columns or a select; give exactly one of them.',
    );
    return [];
  }
  if (columns) {
    const sets = columnSets(source);
    const [entry] = isJson(source) ? sets.flatMap(Object.entries).filter(([, column]) => column.includes('.')) : [];
    if (entry) {
      const [name, path] = entry;
      report(
        ['source', 'columns'],
        `Columns of JSON are fields of the outermost level, and ${path} is not one. A select reads a field inside another, as json->>'$.${path}' AS ${name}, and one whose own name has a dot as json->>'$."${path}"' AS ${name}.`,
      );
    }
    if (isJson(source) && sets.length > 1)
      report(
        ['source', 'columns'],
        'Rows of JSON are read by one set of columns; what is called differently is put together by a select.',
      );
    return sets.map((set, index) => {
      const path = ['source', 'columns', ...(Array.isArray(columns) ? [index] : [])];
      for (const [name, column] of Object.entries(set))
        if (header && !header.includes(column))
          report([...path, name], 'source.csv.header has no column of this name.');
      return { names: Object.keys(set), path };
    });
  }
  try {
    return [{ names: (await checkSelect(select ?? '')).columns, path: ['source', 'select'] }];
  } catch (error) {
    if (!(error instanceof OpalineError)) throw error;
    report(['source', 'select'], error.message);
    return [];
  }
}

function checkColumns(file: Parts, { names, path }: Columns, report: ReportIssue): void {
  const { source, privacy, modes } = file;
  const canonical: readonly string[] = CANONICAL_COLUMNS[source.rows];
  for (const name of names) {
    if (canonical.includes(name)) continue;
    const where = source.columns ? [...path, name] : path;
    report(where, `${name} is no column of ${source.rows}; those are ${canonical.join(', ')}.`);
  }
  const need = (name: string, why: string): void => {
    if (!names.includes(name)) report(path, `The column ${name} is missing; ${why}.`);
  };
  const ofTrip = privacy ? listEnds(privacy.publish).map((tap) => `${tap}_`) : [];
  const ends = source.rows === 'taps' ? [''] : ofTrip;
  for (const end of ends) checkTime(source, { names, path }, end, report);
  for (const end of ends) need(`${end}location`, 'it says where the tap was made');
  if (source.rows === 'taps') need('tap', 'it says on or off');
  if (modes && modes.length > 1 && !patternNames(source.pattern).mode)
    need('mode', 'the series has several modes, and the pattern holds no {mode}');
  if (!privacy || UNITS[privacy.unit].cardScope === null) return;
  need('card', `unit ${privacy.unit} counts the taps of each card`);
  if (source.card === undefined)
    report(['source', 'card'], 'A card unit has to know what a card id is; write card: text, or card: number.');
}

/** A time is a timestamp, or a day with minutes after its midnight, which are wall-clock minutes. */
function checkTime({ clock }: TapsFile['source'], { names, path }: Columns, end: string, report: ReportIssue): void {
  const [time, day, minute] = ['time', 'day', 'minute'].map((part) => names.includes(end + part));
  if (time === (day || minute)) {
    report(path, `Give either ${end}time, or ${end}day with ${end}minute.`);
  } else if (day !== minute) {
    report(path, `${end}day and ${end}minute come together; add the other one.`);
  } else if (day && clock !== 'local') {
    report(['source', 'clock'], `${end}minute counts on the local clock; leave the field out.`);
  }
}

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
