import { z } from 'zod';
import type { FieldNote } from '../../client-kind.ts';
import { tapsFileSchema } from '../series.ts';

/**
 * What every field of a series file of taps means, by the sections of its page; MODE stands for a key that is a mode. The
 * first sentence on a privacy parameter is the help of its option of `opaline certify`.
 */
const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'The series': {
    series: 'name; lower-case letters, digits, hyphens, at most 63',
    kind: 'what the rows are, and with it which fields there are; this page is about `taps`; for `occupancy` see [occupancy.md](occupancy.md), for `synthetic` [synthetic.md](synthetic.md)',
    population:
      'the people that the source may hold. Series over the same people name the same population and share its ledger. Changing it later would forget what was charged.',
    timeZone: 'region of the time zone database, such as `Australia/Sydney`',
    custodians: 'subjects who may see raw data; none of them can decide at the gate',
    modes: 'public list of modes; partitions are modes × days',
    tables: 'which tables are published: `time-location`, `time`, `location`; cells are there as Parquet in any case',
  },
  source: {
    source: 'where the rows are and how to read them',
    'source.store': 'name of a source store of the private deployment file; no location, no credentials',
    'source.pattern':
      'keys of the objects: `{mode}`, `*` (anything but a slash), and the day as `{date}` (YYYY-MM-DD), `{yyyymmdd}` or `{yyyy}`, `{mm}`, `{dd}`. `{stamp}` is as `*`, and tells that there is one object for each day, mode and piece: of two both are refused by their names (OBJECT_TWICE). Files of a longer time have `{month}` (YYYY-MM), `{yyyymm}`, `{quarter}` (YYYY-Qn), `{q}` or `{yyyy}` alone, and those of a week from Monday to Sunday `{week}` (2026-W48, as ISO 8601 counts), or `{gggg}` and `{ww}`. A day in several objects has `{piece}`, a number from 0 or 1 on of at most five digits: one that is missing before the last is OBJECT_MISSING. Objects of trips feed their time and, unless `publish` is `on`, the next day, so the object of the day before the window is read too. An object with another name is told and not read.',
    'source.format': '`csv`, `parquet`, `jsonl` (an object of JSON on each line) or `json` (one document)',
    'source.compression': '`none`, `gzip`, or `zip`, an archive with one file; not for Parquet',
    'source.encoding':
      'of text: `utf-8`, with a byte order mark or without, or `latin-1`, which is read as windows-1252',
    'source.rows': '`trips` (a tap on and a tap off in one row) or `taps`',
    'source.clock':
      'how times are written: `local` wall clock, `utc`, with an `offset` in each value, `unix-seconds`, `unix-milliseconds`, or a format of your own. A time stamp with a zone in Parquet is read as what it is.',
    'source.clock.format':
      'how the whole of a time is written: `%d.%m.%Y %H:%M:%S`, `%m/%d/%Y %H:%M`, `%Y-%m-%d %I:%M %p`; with `%Y` or `%y`, `%m` or `%b`, `%d`, `%H` or `%I` with `%p`, `%M`, `%S`. Days, months and hours may have one digit.',
    'source.clock.zone': '`local` or `utc`',
    'source.card':
      'what a card id is, for card units: `text`, or a whole `number`. In Parquet its column is text, or of integers or decimals of scale 0; an object with another type is OBJECT_SCHEMA.',
    'source.csv': 'for CSV only',
    'source.csv.delimiter': 'one ASCII character',
    'source.csv.header': 'column names in order, for files without a header row',
    'source.csv.ragged':
      'lines may have fewer fields than `header` has names, for files with records of several shapes; what they lack is missing. At most 100 columns. A `select` with CASE and WHERE makes rows of them.',
    'source.json': 'for the format `json`: where the rows of a document are',
    'source.json.list':
      'names of the fields that lead to the list of rows, with dots between: `data.trips`. Without it the document is the list. It is the first list of the document, within its first 64 KiB.',
    'source.json.first':
      'the field that every row begins with. A row that begins with another one is a reject; no list inside a row, or after the list, has objects that begin with it.',
    'source.columns':
      'canonical column → column of the source, or a list of such sets for a source whose columns were called differently once: each object is read by the first set that it has whole. Either this or `select`.',
    'source.select':
      "DuckDB SQL over `source` that yields the canonical columns row by row, such as `SELECT 'bus' AS mode, a AS on_time … FROM source WHERE type = 'T'`; checked against a list of what is allowed, below, and may make at most 40 times 4,096 bytes of one row",
    'source.completeness': 'when a window has all its objects; without it a release reads what is there',
    'source.completeness.marker':
      'an object of the supplier, such as `drops/{date}/_SUCCESS`, that says that a day is complete. Without it every object that the pattern names is expected.',
    'source.completeness.manifest':
      'delivery note of the supplier, such as `drops/{date}/note.csv`: CSV with the columns `name`, from its own folder on, `sha256`, and perhaps `size` and `rows`. An object with other bytes, that is named and missing, or that is there and not named, is at fault; other numbers of rows are told to custodians alone.',
    'source.completeness.waitHours': 'hours to wait from the start of the release, parts of an hour too; at most 1440',
    'source.completeness.otherwise':
      'what to do when the time is over. `fail`: what is missing holds back its partitions, and people decide. `holes`: its partitions become named holes.',
    'source.deliveryDays':
      'where `{date}` is the day of a delivery: its rows are of that day, or of that many days before, at most 31; `window.lagDays` is at least that',
  },
  'day and window': {
    day: 'when the day of a tap begins and ends',
    'day.starts': 'start of the (traffic) day on the clock',
    'day.ends': 'end; counts on past midnight, such as `28:30`',
    window: 'the days that one release covers',
    'window.days': '1 to 366, at most 7 for a series with a schedule; with `firstWeekday`',
    'window.firstWeekday': 'weekday on which every window starts; with `days`',
    'window.months':
      'in place of the two: 1, 3, 6 or 12 months of the calendar; a window starts on the first of a month. A schedule starts it in the first week in which it is over.',
    'window.lagDays': 'days to wait after the window for late objects; a release is refused before',
  },
  bins: {
    bins: 'the public rules that turn times and stops into bins',
    'bins.minutes': 'length of a time bin: 5, 10, 15, 20, 30 or 60',
    'bins.locations': 'the location list of each mode',
    'bins.locations.MODE.dictionary':
      'CSV with the columns `source,location`, or `location` alone; `name,latitude,longitude,parent` may follow and are published; its path starts at the series file. From public lists, never from the source.',
    'bins.locations.MODE.unknown': 'the location of everything that is not on the list',
    'bins.locations.MODE.list': 'what readers learn of the list; it is published',
    'bins.locations.MODE.list.source': 'where the list is from: a name, or an address',
    'bins.locations.MODE.list.licence': 'the licence of the list',
    'bins.locations.MODE.list.version': 'its version, or the day on which it was taken',
  },
  privacy: {
    privacy: 'all of it is published',
    'privacy.mechanism':
      'how counts are made private: `stability-histogram`; `complete-domain` (noise on every cell, δ = 0; at most 20 million cells); or `discrete-gaussian` (for card units: noise on every cell, δ above 0)',
    'privacy.place':
      'the most taps of one card at one location of a mode, day and end, for the mechanism `discrete-gaussian`, under which one tap of a card counts in each time bin of a mode, day and end',
    'privacy.unit': 'what is protected: `tap`, `trip`, `card-day`, `card-window`',
    'privacy.maxTaps': 'card units: how many taps of one card are counted',
    'privacy.clamp':
      'with the share `bounded`: the most taps of one card that are counted of those that the bound leaves out. A larger one counts more of those who travel most, and has more noise.',
    'privacy.rejects':
      'units `tap` and `trip`, with the share `checks`: by mode the most taps that may be rejected on a day. In a file: `{ bus: 5000 }`. They are compared with noisy numbers, which left-out.csv publishes. A release over a limit fails its audit: nobody can approve it, and its ε is spent. Choose limits by what the supplier promises, never from the data; `opaline check` says how often noise alone passes them.',
    'privacy.neighbours': 'replace one unit, or add or remove it: `replace-one`, `add-remove`',
    'privacy.publish': 'which ends of a trip are published: `on`, `off`, `on+off`',
    'privacy.epsilon': 'ε of one whole release: 8, 36/5 or 0.5',
    'privacy.delta': 'δ of one whole release: 1e-6, or 0 for `complete-domain` only',
    'privacy.split': 'shares of ε; they add up to ε exactly. With `discrete-gaussian` shares of ρ, which add up to 1',
    'privacy.split.cells': 'share of ε for the cells. It decides scale and threshold.',
    'privacy.split.time': 'share of ε for the noisy margin by time. With it there are remainder rows.',
    'privacy.split.location': 'share of ε for the noisy margin by location',
    'privacy.split.bounded':
      'card units: share of ε for a noisy count of the taps that `maxTaps` leaves out. It is published by mode, day and end in left-out.csv; the statement names their number with an interval.',
    'privacy.split.checks':
      'share of ε for the noisy numbers of rejected taps, with `rejects`. A tenth of ε is plenty for large series.',
    'privacy.floor':
      'complete-domain: cells are published from this noisy count on; `none`: every cell is. Left out, it is the smallest that shows a lone unit with a chance of at most 1 in 10,000, and with `discrete-gaussian` at most ten cells where nobody was are expected, too.',
    'privacy.hours':
      'complete-domain: rows for whole hours, sums of what no cell shows. In a file `{}` is enough. Time bins are at most 30 minutes.',
    'privacy.hours.floor': 'hour rows are published from this sum on; at least `floor`',
    'privacy.chosenOn':
      'confidential data that parameters were chosen on without a charge, in a few words, such as `the week before the first release`. The certificate then says "Parameters were chosen with uncharged access to data of …"',
    expected:
      'what everybody may know of how much there is to count; by it `opaline check` and `opaline run` say what may be shown',
    'expected.tapsPerWeek':
      'about how many taps a week there are, a public figure of one significant digit, such as `300000`; from an annual report or an earlier publication, never counted in the source',
    'privacy.caps': 'caps of the ledger, by plain sums',
    'privacy.caps.block': 'per block (population, part, day); a part is a mode, for ever',
    'privacy.caps.block.epsilon': 'at least ε of one release; twice ε leaves room for one correction',
    'privacy.caps.block.delta': 'the same for δ',
    'privacy.caps.block.rho': 'instead of both in a population that counts ρ',
    'privacy.caps.year': 'per unit, over any 365 consecutive days of data',
    'privacy.caps.year.epsilon': '53 weekly releases touch 365 days',
    'privacy.caps.year.delta': 'the same for δ',
    'privacy.caps.year.rho': 'instead of both in a population that counts ρ',
  },
  gate: {
    gate: 'who decides',
    'gate.approvers':
      "who of the trust file's approvers may decide on this series; keys are in the trust file ([trust.md](trust.md))",
    'gate.approvers[].subject': 'name of the person, in the signature and in the publication',
    'gate.required': 'distinct approvers that are needed; the trust file may ask for more',
    'gate.expiresAfterDays': 'days until the gate expires, parts of a day too; it can be reopened',
  },
  'publication and schedule': {
    publication: 'what the statement says besides the parameters',
    'publication.title': 'title of the data set',
    'publication.licence': 'licence of the publication',
    'publication.attribution': 'who is to be named',
    'publication.publisher': 'who publishes, in metadata and on pages',
    'publication.publisher.name': 'name of the organisation',
    'publication.publisher.homepage': 'its address',
    'publication.contact': 'address of mail, or of a page, for questions',
    'publication.description': 'what the data set is, for portals',
    'publication.keywords': 'words that portals search by, besides those of the kind',
    'publication.area': 'where the data is from: a name, or the address of a place in a gazetteer',
    'publication.frequency':
      'how often the series grows: `daily`, `weekly`, `fortnightly`, `monthly`, `quarterly`, `yearly`, `irregular`',
    'publication.homepage': 'page of the data set elsewhere, such as in a portal',
    'publication.baseUrl':
      'address under which the world reads the publication store; without it addresses in metadata are relative',
    'publication.citation': 'how to cite a release; `{release}` stands for its name',
    'publication.profile':
      'form of the CSV files: without it days are as ISO 8601 (`2026-07-06`); `opal-2017`: as in the release of that year (`20260706`)',
    'publication.purpose': '`trial`, or `real`: the pages of a release say first whether its figures are for use',
    'publication.notes': 'notes for readers: what is synthetic, what is assumed',
    'publication.at': 'embargo: an approved release waits for it',
    'publication.at.daysAfterWindow': 'days after the last day of the window',
    'publication.at.time': 'wall-clock time in the zone of the series',
    schedule: 'start a release every week',
    'schedule.weekday': 'weekday of the start',
    'schedule.time': 'wall-clock time in the zone of the series',
  },
  audit: {
    audit: 'public knowledge for the attacks',
    'audit.equalTruth':
      'point-to-point services: whoever taps on at one place taps off at another, so two counts are equal',
    'audit.equalTruth[].mode': 'mode of the service',
    'audit.equalTruth[].from': 'published location of the tap on',
    'audit.equalTruth[].to': 'published location of the tap off',
    'audit.equalTruth[].minutes': 'time between the two, a multiple of the time bin',
    'audit.timetable':
      'CSV with the columns `mode,location,tap,time,services,stops`: how many services and stops can feed a cell on a usual day',
    'audit.siblings':
      'names of other series on the same source: what they published of the same window counts as further views of its counts, is subtracted from what is suppressed here, and needs a charge in the ledger of the population ([0029](adr/0029-what-the-audit-knows.md))',
    'audit.unusual':
      'days that are not like others of their weekday: holidays, planned closures, and weeks that you found odd. They are compared with nothing, and nothing is compared with them; public ([0077](adr/0077-what-is-usual.md))',
    'audit.unusual[].from': 'first of these days',
    'audit.unusual[].to': 'last of these days',
    'audit.unusual[].parts': 'modes for which the days are unusual',
    'audit.unusual[].reason': 'why, in a few words for readers',
  },
};

/** What holds of a field that is left out, where its schema does not say it. */
const USUAL: Readonly<Record<string, string>> = {
  kind: '`taps`',
  tables: 'all',
  'source.encoding': 'UTF-8',
  'source.csv.ragged': '`false`',
  'day.ends': '24 hours later',
  'privacy.place': '2 with `discrete-gaussian`, else none',
  'privacy.clamp': '`maxTaps`',
  'privacy.split': 'all to cells',
  'privacy.split.cells': 'what is left',
  'privacy.floor': 'by the rule',
  'privacy.hours.floor': 'by the rule',
  gate: '—',
  'gate.approvers': 'all',
  'publication.publisher': 'attribution, or *Publisher of* the series',
  'publication.description': 'what the kind says of its data',
  'publication.keywords': 'those of the kind',
  'publication.frequency': 'by the length of the window',
  'publication.citation': 'publisher, title, days, version, release, address',
  'publication.purpose': 'not said',
  'audit.unusual[].parts': 'all',
};

/** The schema of a member of a schema; `[]` is an item of a list. */
function memberOf(schema: unknown, name: string): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return memberOf(schema.unwrap(), name);
  if (schema instanceof z.ZodUnion) return schema.options.map((one) => memberOf(one, name)).find(Boolean);
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodObject ? schema.shape[name] : undefined;
}

/** What holds of a field that is left out; — where it is needed. */
function usualOf(field: string): string {
  const own = USUAL[field];
  if (own !== undefined) return own;
  const schema = field.replaceAll('[]', '.[]').split('.').reduce<unknown>(memberOf, tapsFileSchema);
  if (schema instanceof z.ZodOptional) return 'none';
  if (schema instanceof z.ZodPrefault) return 'defaults';
  if (!(schema instanceof z.ZodDefault)) return '—';
  const value = schema.def.defaultValue;
  if (Array.isArray(value)) return 'empty';
  return typeof value === 'string' ? `\`${value}\`` : String(value);
}

/** The same in the order of the page, with what holds of a field that is left out. */
export const TAPS_FIELD_NOTES: readonly FieldNote[] = Object.entries(MEANINGS).flatMap(([section, meanings]) =>
  Object.entries(meanings).map(([field, meaning]) => ({ section, field, usual: usualOf(field), meaning })),
);
