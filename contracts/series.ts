import { z } from 'zod';
import { MECHANISMS, NEIGHBOURS, PUBLISHED_TAPS, UNITS } from './certificate.ts';
import { TABLES } from './names.ts';

/**
 * The series file: one YAML file per series, and the form in which it is stored for workflows. Names in `columns` and
 * in the result of `select` are the canonical columns below.
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

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'use lower-case letters, digits and hyphens');
const clockTime = z.string().regex(/^([01]\d|2\d|3[0-5]):[0-5]\d$/, 'write a time as HH:MM');

/** A positive rational: `8`, `1/2`, `0.5` or `1e-6`; a YAML number is read by its shortest decimal form. */
const amount = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(
    z.string().regex(/^(\d+(\.\d+)?([eE][+-]?\d+)?|\d+\/[1-9]\d*)$/, 'write a positive number, such as 8, 1/2 or 1e-6'),
  );

/** Sixty days: whatever comes later is a correction. */
const WAIT_HOURS_MAX = 1440;

/** When a window has all its objects, and what to do about those that do not come. Absent: nothing is waited for. */
const completeness = z.strictObject({
  /** Object of the supplier that says that a day (or a day of a mode) is complete; without it the inventory decides. */
  marker: z.string().min(1).optional(),
  /** Hours from the start of the release; parts of an hour are allowed. */
  waitHours: z.number().positive().max(WAIT_HOURS_MAX),
  /** `fail`: what is missing holds back its partitions until people act. `holes`: it becomes named holes. */
  otherwise: z.enum(['fail', 'holes']).default('fail'),
});

const source = z.strictObject({
  /** Name of a source store in the deployment configuration; series files hold no locations and no credentials. */
  store: name,
  /** Keys of the objects, with `{date}` (YYYY-MM-DD), `{mode}` and `*` (anything but a slash). */
  pattern: z.string().min(1),
  format: z.enum(['csv', 'parquet', 'jsonl']),
  compression: z.enum(['none', 'gzip']).default('none'),
  rows: z.enum(['trips', 'taps']),
  /** How the source writes times: wall clock of the series' zone, UTC, or with an offset in each value. */
  clock: z.enum(['local', 'utc', 'offset']).default('local'),
  csv: z
    .strictObject({
      delimiter: z.string().length(1).default(','),
      /** Column names in order, for files without a header row. */
      header: z.array(z.string().min(1)).min(1).max(10_000).optional(),
    })
    .prefault({}),
  /** Canonical column → column of the source. */
  columns: z.record(z.string(), z.string()).optional(),
  /** DuckDB SQL over `source` that yields the canonical columns, row by row (C3). */
  select: z.string().optional(),
  completeness: completeness.optional(),
});

const bins = z.strictObject({
  /** Length of a time bin; divides an hour. */
  minutes: z
    .union([z.literal(5), z.literal(10), z.literal(15), z.literal(20), z.literal(30), z.literal(60)])
    .default(15),
  /**
   * The public location dictionary of each mode (C4): a CSV with the columns source,location (or only location, when
   * the source has the published names already). `unknown` is the member for everything else.
   */
  locations: z.record(
    name,
    z.strictObject({ dictionary: z.string().min(1), unknown: z.string().min(1).default('UNKNOWN') }),
  ),
});

const cap = z.strictObject({ epsilon: amount, delta: amount });

const split = z.strictObject({
  cells: amount.optional(),
  time: amount.optional(),
  location: amount.optional(),
});

const mechanism = z.enum(MECHANISMS);

const privacy = z.strictObject({
  /** sbh-2017 is there to check and attack the release of 2017: nothing is drawn by it. */
  mechanism: mechanism.exclude(['sbh-2017']).default('stability-histogram'),
  unit: z.enum(UNITS),
  maxTaps: z.number().int().positive().optional(),
  neighbours: z.enum(NEIGHBOURS).default('replace-one'),
  publish: z.enum(PUBLISHED_TAPS).default('on+off'),
  epsilon: amount,
  delta: amount,
  /** Shares of ε; what is not named goes to the cells. */
  split: split.prefault({}),
  /** Caps of C12, by basic sums: per block for ever, per unit over any 365 consecutive days of data. */
  caps: z.strictObject({ block: cap, year: cap }),
});

/** A person who may decide at the gate, and their Ed25519 public key (PEM). */
const approver = z.strictObject({ subject: z.string().min(1), key: z.string().includes('BEGIN PUBLIC KEY') });

const gate = z.strictObject({
  approvers: z.array(approver).min(1).max(100),
  required: z.number().int().positive().default(1),
  /** Parts of a day are allowed; at most a year. */
  expiresAfterDays: z.number().positive().max(366).default(21),
});

const publication = z.strictObject({
  title: z.string().min(1),
  licence: z.string().min(1),
  attribution: z.string().optional(),
  /** Notes for readers about the source: what is synthetic, what is assumed. */
  notes: z.array(z.string()).max(100).default([]),
  /** Embargo: days after the end of the window, and the wall-clock time in the series' zone. */
  at: z.strictObject({ daysAfterWindow: z.number().int().nonnegative(), time: clockTime }).optional(),
});

const schedule = z.strictObject({
  weekday: z.enum(WEEKDAYS),
  time: clockTime,
});

/** What everybody can know who attacks a publication; the audit uses it too. */
const audit = z.strictObject({
  /**
   * Point-to-point services: whoever taps on at `from` taps off at `to`, `minutes` later, and nobody else does. Locations
   * are published names; minutes are a multiple of the time bin.
   */
  equalTruth: z
    .array(
      z.strictObject({
        mode: name,
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
  siblings: z.array(name).max(100).optional(),
});

/** An identity that a console was to vouch for: nobody could ever sign as one. */
const consoleApprover = z.strictObject({
  subject: z.string().min(1),
  issuer: z.string().min(1),
  via: z.literal('console-key'),
});

/** The series file as people write it, after parsing. Cross-field rules are in client/series/rules.ts. */
export const seriesFileSchema = z.strictObject({
  series: name,
  /** The people that the source may hold; series over the same people name the same population (C12). */
  population: name,
  timeZone: z.string().min(1),
  custodians: z.array(z.string().min(1)).max(1000).default([]),
  source,
  /** When the day of a tap begins and ends on the clock: `04:00` to `28:30` is a traffic day. */
  day: z.strictObject({ starts: clockTime.default('00:00'), ends: clockTime.optional() }).prefault({}),
  window: z.strictObject({
    days: z.number().int().min(1).max(366),
    firstWeekday: z.enum(WEEKDAYS),
    /** Days to wait after the window for late objects. */
    lagDays: z.number().int().nonnegative().default(0),
  }),
  bins,
  modes: z.array(name).min(1).max(500),
  privacy,
  tables: z
    .array(z.enum(TABLES))
    .min(1)
    .default([...TABLES]),
  gate,
  publication,
  audit: audit.optional(),
  schedule: schedule.optional(),
});

export type SeriesFile = z.output<typeof seriesFileSchema>;

/**
 * A series as it is stored write-once and read by both workers: the parsed file, each dictionary and timetable replaced
 * by the SHA-256 of its bytes (stored at RELEASE_KEYS.dictionary), amounts as rationals in lowest terms, the split
 * complete.
 */
export const seriesSchema = seriesFileSchema.extend({
  format: z.literal('opaline-series/1'),
  day: z.strictObject({ starts: clockTime, ends: clockTime }),
  // Earlier builds took options that never worked; what they stored stays readable, and no file holds them anew.
  privacy: privacy.extend({
    mechanism: mechanism.default('stability-histogram'),
    split: split.extend({ checks: amount.optional() }).prefault({}),
  }),
  gate: gate.extend({ approvers: z.array(z.union([approver, consoleApprover])).min(1) }),
});

export type Series = z.output<typeof seriesSchema>;
