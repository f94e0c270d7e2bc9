import { z } from 'zod';
import { unusualDays } from '../../contracts/audit-report.ts';
import { parameterFields, SOURCE_ROWS } from '../../contracts/certificate.ts';
import {
  amount,
  binMinutes,
  budgetFields,
  csvOfFile,
  dayOfFile,
  seriesFields,
  seriesName,
  sourceFields,
  storedFields,
} from '../../contracts/series.ts';
import { TABLES } from '../../counts/tables/tap-tables.ts';
import { seriesReader } from '../../services/stores/series-objects.ts';

/**
 * The series file of taps: one YAML file per series, and the form in which it is stored for workflows. Names in `columns`
 * and in the result of `select` are the canonical columns below.
 */

/** Canonical columns of a source row. A time is `…_time` (timestamp), or `…_day` with `…_minute` after midnight. */
export const CANONICAL_COLUMNS = {
  trips: [
    'mode',
    'card',
    'on_time',
    'on_day',
    'on_minute',
    'on_location',
    'off_time',
    'off_day',
    'off_minute',
    'off_location',
  ],
  taps: ['mode', 'card', 'tap', 'time', 'day', 'minute', 'location'],
} as const;

/** Forms of CSV files besides the usual one. */
export const PROFILES = ['opal-2017'] as const;

/** Canonical column → column of the source. */
const columnSet = z.record(z.string(), z.string());

/** What a card id is. */
export const CARD_FORMS = ['text', 'number'] as const;

/** Ways to write a time. */
export const CLOCKS = ['local', 'utc', 'offset', 'unix-seconds', 'unix-milliseconds'] as const;

const source = z.strictObject({
  store: sourceFields.store,
  pattern: sourceFields.pattern,
  format: sourceFields.format,
  compression: sourceFields.compression,
  encoding: sourceFields.encoding,
  rows: z.enum(SOURCE_ROWS),
  /**
   * How the source writes times: wall clock of the series' zone, UTC, with an offset in each value, as a count since
   * 1970-01-01T00:00Z, or in a format of its own.
   */
  clock: z
    .union(
      [
        z.enum(CLOCKS),
        z.strictObject({ format: z.string().min(1).max(100), zone: z.enum(['local', 'utc']).default('local') }),
      ],
      {
        error:
          "Say how times are written: local (clock of the series' zone), utc, offset (each value has its own), unix-seconds or unix-milliseconds; or with a format: clock: { format: '%d.%m.%Y %H:%M', zone: local }.",
      },
    )
    .default('local'),
  /** What a card id is, so that one card is one in all objects, whatever type their columns have (C2). */
  card: z.enum(CARD_FORMS).optional(),
  csv: csvOfFile
    .extend({
      /** Lines may have fewer fields than `header`: records of several shapes. What they lack is missing. */
      ragged: z.boolean().optional(),
    })
    .prefault({}),
  json: sourceFields.json,
  /**
   * Canonical column → column of the source. Of several such sets an object is read by the first whose columns it has:
   * its names decide, and no row.
   */
  columns: z.union([columnSet, z.array(columnSet).min(1).max(20)]).optional(),
  /** DuckDB SQL over `source` that yields the canonical columns, row by row (C3). */
  select: z.string().optional(),
  completeness: sourceFields.completeness,
  /** Where `{date}` is the day of a delivery: its rows are of that day, or of up to this many days before. */
  deliveryDays: z.number().int().min(1).max(31).optional(),
});

/** Facts about a public list that are published with it. */
export const listFacts = z.strictObject({
  source: z.string().min(1).max(500).optional(),
  licence: z.string().min(1).max(200).optional(),
  version: z.string().min(1).max(100).optional(),
});

const bins = z.strictObject({
  /** Length of a time bin; divides an hour. */
  minutes: binMinutes.default(15),
  /**
   * The public location dictionary of each mode (C4): a CSV with the columns source,location (or only location, when
   * the source has the published names already); name, latitude, longitude and parent may follow. `unknown` is the
   * member for everything else.
   */
  locations: z.record(
    seriesName,
    z.strictObject({
      dictionary: z.string().min(1),
      unknown: z.string().min(1).default('UNKNOWN'),
      /** Where the list is from, for readers: it is published. */
      list: listFacts.optional(),
    }),
  ),
});

const { rows: _, ...parameters } = parameterFields(amount);
const { mechanism, neighbours, publish, split, floor, hours } = parameters;

const privacy = z.strictObject({
  ...parameters,
  /** Those that nothing is drawn by: sbh-2017 is there to check and attack the release of 2017. */
  mechanism: mechanism.exclude(['sbh-2017']).default('stability-histogram'),
  neighbours: neighbours.default('replace-one'),
  publish: publish.default('on+off'),
  /** What is not named goes to the cells. */
  split: split.partial().prefault({}),
  /**
   * Left out: by the rule of C8; `none`: every cell is published. In a stored series it is a number, and absent where
   * every cell is. The clamp is there whenever left-out taps are counted.
   */
  floor: z.union([floor.unwrap(), z.literal('none')]).optional(),
  /** Their floor follows from the rule when it is left out. */
  hours: hours.unwrap().pick({ floor: true }).partial().optional(),
  caps: budgetFields.caps,
});

/** The parameters of a series file, of any mechanism that a certificate can be of. */
export const askedParameters = privacy.omit({ caps: true }).extend({ mechanism });

/** The sets of columns that objects of a source may have, in the order in which they are tried; none with a select. */
export const columnSets = ({ columns }: Pick<TapsFile['source'], 'columns'>): Record<string, string>[] =>
  columns === undefined ? [] : Array.isArray(columns) ? columns : [columns];

/** Are the rows of a source objects of JSON, whose keys are known of each row alone? */
export const isJson = ({ format }: Pick<TapsFile['source'], 'format'>): boolean =>
  format === 'jsonl' || format === 'json';

/** What everybody can know who attacks a publication; the audit uses it too. */
const audit = z.strictObject({
  /**
   * Point-to-point services: whoever taps on at `from` taps off at `to`, `minutes` later, and nobody else does. Locations
   * are published names; minutes are a multiple of the time bin.
   */
  equalTruth: z
    .array(
      z.strictObject({
        mode: seriesName,
        from: z.string().min(1),
        to: z.string().min(1),
        minutes: z.number().int().nonnegative(),
      }),
    )
    .default([]),
  /**
   * Public timetable: a CSV with the columns mode,location,tap,time,services,stops, which says how many services and how
   * many stops can feed a cell on a usual day.
   */
  timetable: z.string().min(1).optional(),
  /** Other series that are published from the same source: what they show of a window are further views of its counts. */
  siblings: z.array(seriesName).max(100).optional(),
  /** Holidays, planned closures, and weeks that people found odd: their totals are compared with nothing. */
  unusual: z.array(unusualDays).max(1000).optional(),
});

/** What the publisher says in public of how much there is to count. */
const volume = z.strictObject({
  /** One significant digit: more of them would be a count. */
  tapsPerWeek: z
    .number()
    .int()
    .positive()
    .max(9e12)
    .refine((taps) => Number(taps.toPrecision(1)) === taps, 'write one significant digit, such as 5000 or 300000'),
});

/** The series file as people write it, after parsing. Cross-field rules are in file/rules.ts. */
export const tapsFileSchema = z.strictObject({
  series: seriesFields.series,
  kind: z.literal('taps').optional(),
  population: seriesFields.population,
  timeZone: seriesFields.timeZone,
  custodians: seriesFields.custodians,
  source,
  day: dayOfFile,
  window: seriesFields.window,
  bins,
  modes: z.array(seriesName).min(1).max(500),
  privacy,
  expected: volume.optional(),
  tables: z
    .array(z.enum(TABLES))
    .min(1)
    .default([...TABLES]),
  gate: seriesFields.gate,
  publication: seriesFields.publication.extend({
    /** The form of the CSV files; left out: days as ISO 8601. `opal-2017`: days as YYYYMMDD, as the release of 2017. */
    profile: z.enum(PROFILES).optional(),
  }),
  audit: audit.optional(),
  schedule: seriesFields.schedule,
});

export type TapsFile = z.output<typeof tapsFileSchema>;

/**
 * A series as it is stored write-once and read by both workers: the parsed file, each dictionary and timetable replaced
 * by the SHA-256 of its bytes (stored at RELEASE_KEYS.dictionary), amounts as rationals in lowest terms, the split
 * complete.
 */
export const tapsSeriesSchema = tapsFileSchema.extend({
  ...storedFields,
  kind: z.literal('taps').default('taps'),
  privacy: privacy.extend({ mechanism: mechanism.default('stability-histogram'), floor, hours }),
});

export type TapsSeries = z.output<typeof tapsSeriesSchema>;

/** A stored series as one of taps. Throws when it is of another kind. */
export const tapsSeries = seriesReader(tapsSeriesSchema);
