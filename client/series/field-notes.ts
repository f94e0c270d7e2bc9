/**
 * What every field of a series file of taps means: for docs/series.md and for editors (schema.ts) from this one place.
 * The texts are Markdown. `usual`: what holds when the field is left out; — means that it is needed.
 */
export type FieldNote = { section: string; field: string; usual: string; meaning: string };

const section = (
  name: string,
  notes: readonly (readonly [field: string, usual: string, meaning: string])[],
): FieldNote[] => notes.map(([field, usual, meaning]) => ({ section: name, field, usual, meaning }));

/** In the order of the page. `[]` stands for an item of a list, MODE for a key that is a mode. */
export const FIELD_NOTES: readonly FieldNote[] = [
  ...section('The series', [
    ['series', '—', 'name; lower-case letters, digits, hyphens, at most 63'],
    [
      'kind',
      '`taps`',
      'what the rows are, and with it which fields there are; this page is about `taps`; for `occupancy` see [occupancy.md](occupancy.md), for `synthetic` [synthetic.md](synthetic.md)',
    ],
    [
      'population',
      '—',
      'the people that the source may hold. Series over the same people name the same population and share its ledger. Changing it later would forget what was charged.',
    ],
    ['timeZone', '—', 'region of the time zone database, such as `Australia/Sydney`'],
    ['custodians', 'empty', 'subjects who may see raw data; none of them can decide at the gate'],
    ['modes', '—', 'public list of modes; partitions are modes × days'],
    ['tables', 'all', 'which tables are published: `time-location`, `time`, `location`'],
  ]),
  ...section('source', [
    ['source', '—', 'where the rows are and how to read them'],
    ['source.store', '—', 'name of a source store of the private deployment file; no location, no credentials'],
    [
      'source.pattern',
      '—',
      'keys of the objects: `{mode}`, `*` (anything but a slash), and the day as `{date}` (YYYY-MM-DD), `{yyyymmdd}` or `{yyyy}`, `{mm}`, `{dd}`. Files of a longer time have `{month}` (YYYY-MM), `{yyyymm}`, `{quarter}` (YYYY-Qn), `{q}` or `{yyyy}` alone. Objects of trips feed their time and the next day, so the object of the day before the window is read too. An object with another name is told and not read.',
    ],
    ['source.format', '—', '`csv`, `parquet` or `jsonl`'],
    ['source.compression', '`none`', '`none`, `gzip`, or `zip`, an archive with one file; not for Parquet'],
    [
      'source.encoding',
      'UTF-8',
      'of text: `utf-8`, with a byte order mark or without, or `latin-1`, which is read as windows-1252',
    ],
    ['source.rows', '—', '`trips` (a tap on and a tap off in one row) or `taps`'],
    [
      'source.clock',
      '`local`',
      'how times are written: `local` wall clock, `utc`, with an `offset` in each value, `unix-seconds`, `unix-milliseconds`, or a format of your own. A time stamp with a zone in Parquet is read as what it is.',
    ],
    [
      'source.clock.format',
      '—',
      'how the whole of a time is written: `%d.%m.%Y %H:%M:%S`, `%m/%d/%Y %H:%M`, `%Y-%m-%d %I:%M %p`; with `%Y` or `%y`, `%m` or `%b`, `%d`, `%H` or `%I` with `%p`, `%M`, `%S`. Days, months and hours may have one digit.',
    ],
    ['source.clock.zone', '`local`', '`local` or `utc`'],
    ['source.csv', 'defaults', 'for CSV only'],
    ['source.csv.delimiter', '`,`', 'one ASCII character'],
    ['source.csv.header', 'none', 'column names in order, for files without a header row'],
    [
      'source.csv.ragged',
      '`false`',
      'lines may have fewer fields than `header` has names, for files with records of several shapes; what they lack is missing. At most 100 columns. A `select` with CASE and WHERE makes rows of them.',
    ],
    [
      'source.columns',
      'none',
      'canonical column → column of the source, or a list of such sets for a source whose columns were called differently once: each object is read by the first set that it has whole. Either this or `select`.',
    ],
    [
      'source.select',
      'none',
      "DuckDB SQL over `source` that yields the canonical columns row by row, such as `SELECT 'bus' AS mode, a AS on_time … FROM source WHERE type = 'T'`; checked against a list of what is allowed, below, and may make at most 40 times 4,096 bytes of one row",
    ],
    ['source.completeness', 'none', 'when a window has all its objects; without it a release reads what is there'],
    [
      'source.completeness.marker',
      'none',
      'an object of the supplier, such as `drops/{date}/_SUCCESS`, that says that a day is complete. Without it every object that the pattern names is expected.',
    ],
    [
      'source.completeness.waitHours',
      '—',
      'hours to wait from the start of the release, parts of an hour too; at most 1440',
    ],
    [
      'source.completeness.otherwise',
      '`fail`',
      'what to do when the time is over. `fail`: what is missing holds back its partitions, and people decide. `holes`: its partitions become named holes.',
    ],
    [
      'source.deliveryDays',
      'none',
      'where `{date}` is the day of a delivery: its rows are of that day, or of so many days before, at most 31; `window.lagDays` is at least that',
    ],
  ]),
  ...section('day and window', [
    ['day', 'defaults', 'when the day of a tap begins and ends'],
    ['day.starts', '`00:00`', 'start of the (traffic) day on the clock'],
    ['day.ends', '24 hours later', 'end; counts on past midnight, such as `28:30`'],
    ['window', '—', 'the days that one release covers'],
    ['window.days', 'none', '1 to 366, at most 7 for a series with a schedule; with `firstWeekday`'],
    ['window.firstWeekday', 'none', 'weekday on which every window starts; with `days`'],
    [
      'window.months',
      'none',
      'in place of the two: 1, 3, 6 or 12 months of the calendar; a window starts on the first of a month. A schedule starts it in the first week in which it is over.',
    ],
    ['window.lagDays', '0', 'days to wait after the window for late objects; a release is refused before'],
  ]),
  ...section('bins', [
    ['bins', '—', 'the public rules that turn times and stops into bins'],
    ['bins.minutes', '15', 'length of a time bin: 5, 10, 15, 20, 30 or 60'],
    ['bins.locations', '—', 'the location list of each mode'],
    [
      'bins.locations.MODE.dictionary',
      '—',
      'CSV with the columns `source,location`, or `location` alone; its path starts at the series file. From public lists, never from the source.',
    ],
    ['bins.locations.MODE.unknown', '`UNKNOWN`', 'the location of everything that is not on the list'],
  ]),
  ...section('privacy', [
    ['privacy', '—', 'all of it is published'],
    [
      'privacy.mechanism',
      '`stability-histogram`',
      'or `complete-domain` (noise on every cell, δ = 0; at most 20 million cells)',
    ],
    ['privacy.unit', '—', 'what is protected: `tap`, `trip`, `card-day`, `card-window`.'],
    ['privacy.maxTaps', 'none', 'card units: how many taps of one card are counted'],
    [
      'privacy.clamp',
      '`maxTaps`',
      'with `privacy.split.bounded`: of the taps of one card that the bound leaves out at most so many are counted. A larger one counts more of those who travel most, and has more noise.',
    ],
    ['privacy.neighbours', '`replace-one`', 'or `add-remove`'],
    ['privacy.publish', '`on+off`', 'which ends of a trip: `on`, `off`, `on+off`'],
    ['privacy.epsilon', '—', 'ε of one whole release'],
    ['privacy.delta', '—', 'δ of one whole release; 0 for `complete-domain` only'],
    ['privacy.split', 'all to cells', 'shares of ε; they add up to ε exactly'],
    ['privacy.split.cells', 'what is left', 'share of the cells; decides scale and threshold'],
    ['privacy.split.time', 'none', 'share of the noisy margin by time; with it there are remainder rows'],
    ['privacy.split.location', 'none', 'share of the noisy margin by location'],
    [
      'privacy.split.bounded',
      'none',
      'card units: share of a noisy count of the taps that `maxTaps` leaves out, published by mode, day and end in left-out.csv; the statement names their number with an interval',
    ],
    [
      'privacy.floor',
      'by the rule',
      'complete-domain: cells are published from this noisy count on; `none`: every cell is. Left out, it is the smallest that shows a lone unit with a chance of at most 1 in 10,000.',
    ],
    [
      'privacy.hours',
      'none',
      'complete-domain: rows for whole hours, sums of what no cell shows; `{}` is enough. Time bins are at most 30 minutes.',
    ],
    ['privacy.hours.floor', 'by the rule', 'hour rows are published from this sum on; at least `floor`'],
    [
      'privacy.chosenOn',
      'none',
      'confidential data that parameters were chosen on without a charge, in a few words, such as `the week before the first release`; the certificate then says "Parameters were chosen with uncharged access to data of …"',
    ],
    ['privacy.caps', '—', 'caps of the ledger, by plain sums'],
    ['privacy.caps.block', '—', 'per block (population, part, day); a part is a mode, for ever'],
    ['privacy.caps.block.epsilon', '—', 'at least ε of one release; twice ε leaves room for one correction'],
    ['privacy.caps.block.delta', '—', 'the same for δ'],
    ['privacy.caps.year', '—', 'per unit, over any 365 consecutive days of data'],
    ['privacy.caps.year.epsilon', '—', '53 weekly releases touch 365 days'],
    ['privacy.caps.year.delta', '—', 'the same for δ'],
  ]),
  ...section('gate', [
    ['gate', '—', 'who decides'],
    [
      'gate.approvers',
      'all',
      "who of the trust file's approvers may decide on this series; keys stand in the trust file ([trust.md](trust.md))",
    ],
    ['gate.approvers[].subject', '—', 'name of the person, in the signature and in the publication'],
    ['gate.approvers[].key', '—', 'files of earlier builds have a key here; nothing looks at it any more'],
    ['gate.required', '1', 'distinct approvers that are needed; the trust file may ask for more'],
    ['gate.expiresAfterDays', '21', 'days until the gate expires, parts of a day too; it can be reopened'],
  ]),
  ...section('publication and schedule', [
    ['publication', '—', 'what the statement says besides the parameters'],
    ['publication.title', '—', 'title of the data set'],
    ['publication.licence', '—', 'licence of the publication'],
    ['publication.attribution', 'none', 'who is to be named'],
    ['publication.publisher', 'attribution, or *Publisher of* the series', 'who publishes, in metadata and on pages'],
    ['publication.publisher.name', '—', 'name of the organisation'],
    ['publication.publisher.homepage', 'none', 'its address'],
    ['publication.contact', 'none', 'address of mail, or of a page, for questions'],
    ['publication.description', 'what the kind says of its data', 'what the data set is, for portals'],
    ['publication.keywords', 'those of the kind', 'words that portals search by, besides those of the kind'],
    ['publication.area', 'none', 'where the data is from: a name, or the address of a place in a gazetteer'],
    [
      'publication.frequency',
      'by the length of the window',
      'how often the series grows: `daily`, `weekly`, `fortnightly`, `monthly`, `quarterly`, `yearly`, `irregular`',
    ],
    ['publication.homepage', 'none', 'page of the data set elsewhere, such as in a portal'],
    [
      'publication.baseUrl',
      'none',
      'address under which the world reads the publication store; without it addresses in metadata are relative',
    ],
    [
      'publication.citation',
      'publisher, title, days, version, release, address',
      'how to cite a release; `{release}` stands for its name',
    ],
    ['publication.notes', 'empty', 'notes for readers: what is synthetic, what is assumed'],
    ['publication.at', 'none', 'embargo: an approved release waits for it'],
    ['publication.at.daysAfterWindow', '—', 'days after the last day of the window'],
    ['publication.at.time', '—', 'wall-clock time in the zone of the series'],
    ['schedule', 'none', 'start a release every week'],
    ['schedule.weekday', '—', 'weekday of the start'],
    ['schedule.time', '—', 'wall-clock time in the zone of the series'],
  ]),
  ...section('audit', [
    ['audit', 'none', 'public knowledge for the attacks'],
    [
      'audit.equalTruth',
      'empty',
      'point-to-point services: whoever taps on at one place taps off at another, so two counts are equal',
    ],
    ['audit.equalTruth[].mode', '—', 'mode of the service'],
    ['audit.equalTruth[].from', '—', 'published location of the tap on'],
    ['audit.equalTruth[].to', '—', 'published location of the tap off'],
    ['audit.equalTruth[].minutes', '—', 'time between the two, a multiple of the time bin'],
    [
      'audit.timetable',
      'none',
      'CSV with the columns `mode,location,tap,time,services,stops`: how many services and stops can feed a cell on a usual day',
    ],
    [
      'audit.siblings',
      'none',
      'names of other series on the same source: what they published of the same window counts as further views of its counts, is subtracted from what is suppressed here, and needs a charge in the ledger of the population ([0029](adr/0029-what-a-sibling-shows-is-subtracted.md))',
    ],
  ]),
];
