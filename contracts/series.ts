import { z } from 'zod';

/**
 * What series of every kind have: the fields of a series file that workflow, gate, ledger, publication and people need.
 * The rest of a file belongs to its kind (kinds/), which has the whole schema; stored series are read here by these
 * fields alone, and the rest is kept as it is.
 */

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** The kind of a series file that names none. */
export const USUAL_KIND = 'taps';

export const seriesName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'use lower-case letters, digits and hyphens');
const clockTime = z.string().regex(/^([01]\d|2\d|3[0-5]):[0-5]\d$/, 'write a time as HH:MM');

/** A positive rational: `8`, `1/2`, `0.5` or `1e-6`; a YAML number is read by its shortest decimal form. */
export const amount = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(
    z.string().regex(/^(\d+(\.\d+)?([eE][+-]?\d+)?|\d+\/[1-9]\d*)$/, 'write a positive number, such as 8, 1/2 or 1e-6'),
  );

/** Lengths of time bins, in minutes: each divides an hour. */
export const binMinutes = z.literal([5, 10, 15, 20, 30, 60]);

/** As long as a key can be. The time to match a key grows with the length of the pattern. */
const PATTERN_CHARACTERS = 1024;

/** Sixty days: whatever comes later is a correction. */
const WAIT_HOURS_MAX = 1440;

/** When a window has all its objects, and what to do about those that do not come. Absent: nothing is waited for. */
const completeness = z.strictObject({
  /** Object of the supplier that says that a day (or a day of a part) is complete; without it the inventory decides. */
  marker: z.string().min(1).max(PATTERN_CHARACTERS).optional(),
  /** Delivery note of the supplier for a day (or a day of a part): CSV of its objects with digests. */
  manifest: z.string().min(1).max(PATTERN_CHARACTERS).optional(),
  /** Hours from the start of the release; parts of an hour are allowed. */
  waitHours: z.number().positive().max(WAIT_HOURS_MAX),
  /** `fail`: what is missing holds back its partitions until people act. `holes`: it becomes named holes. */
  otherwise: z.enum(['fail', 'holes']).default('fail'),
});

/** How lines of CSV are cut. */
export const csvOfFile = z.strictObject({
  delimiter: z.string().length(1).default(','),
  /** Column names in order, for files without a header row. */
  header: z.array(z.string().min(1)).min(1).max(10_000).optional(),
});

/** Where the rows of a JSON document are. */
const jsonOfFile = z.strictObject({
  /** Names of the fields that lead to the list of rows, with dots between. Absent: the document is the list. */
  list: z
    .string()
    .regex(/^[^.]+(\.[^.]+)*$/)
    .max(200)
    .optional(),
  /** The field that each row begins with. */
  first: z.string().min(1).max(200),
});

/** How text is encoded. `latin-1` takes in windows-1252. */
export const ENCODINGS = ['utf-8', 'latin-1'] as const;

/** Where the objects of a series are, and what each of them is. */
export const sourceFields = {
  /** Name of a source store in the deployment configuration; series files hold no addresses and no credentials. */
  store: seriesName,
  /** Keys of the objects, with `{date}` or other parts of a day, `{mode}` (the part) and `*` (anything but a slash). */
  pattern: z.string().min(1).max(PATTERN_CHARACTERS),
  format: z.enum(['csv', 'parquet', 'jsonl', 'json']),
  compression: z.enum(['none', 'gzip', 'zip']).default('none'),
  /** Of text; absent: UTF-8, with or without a byte order mark. */
  encoding: z.enum(ENCODINGS).optional(),
  csv: csvOfFile.prefault({}),
  json: jsonOfFile.optional(),
  completeness: completeness.optional(),
};

/**
 * Caps of C12, by basic sums, of ε and δ or of ρ, as the population accounts: per block for ever, per unit over any 365
 * consecutive days of data. `loss`: the form of ε and of ρ.
 */
export function capsOfFile<Loss extends z.ZodType<string>>(loss: Loss) {
  const [pure, rho] = [z.strictObject({ epsilon: loss, delta: amount }), z.strictObject({ rho: loss })];
  return z.union([z.strictObject({ block: pure, year: pure }), z.strictObject({ block: rho, year: rho })]);
}

/** What a release costs at most, and may cost. */
export const budgetFields = { epsilon: amount, delta: amount, caps: capsOfFile(amount) };

/** A person of the trust file, which has the keys, who may decide at the gate. */
const approver = z.strictObject({ subject: z.string().min(1).max(200) });

const storedGate = z.strictObject({
  /** Those of the trust file's approvers who decide on this series; absent: all of them. */
  approvers: z.array(approver).min(1).max(100).optional(),
  /** Approvals that a release needs; the trust file may ask for more. */
  required: z.number().int().positive().default(1),
  /** Parts of a day are allowed; at most a year. */
  expiresAfterDays: z.number().positive().max(366).default(21),
});

/** How often a data set grows, by the codes that portals know. */
export const FREQUENCIES = ['daily', 'weekly', 'fortnightly', 'monthly', 'quarterly', 'yearly', 'irregular'] as const;
export type SeriesFrequency = (typeof FREQUENCIES)[number];

const webAddress = z.url({ protocol: /^https?$/ }).max(1000);

/** Text that is printed as it is by terminals, pages and statements: no line break, control or direction mark. */
export const publicLine = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text), {
      error: 'write one line, without control characters or marks of writing direction',
    });
const line = publicLine(500);

/** What portals, search engines and readers see besides the title. Absent: what can be said without. */
const metadataFields = {
  publisher: z.strictObject({ name: line, homepage: webAddress.optional() }).optional(),
  /** Address of mail or of a page. */
  contact: z.union([z.email().max(300), webAddress]).optional(),
  description: publicLine(5000).optional(),
  keywords: z.array(publicLine(100)).max(50).optional(),
  /** Where the data is from: a name, or the address of a place in a gazetteer. */
  area: line.optional(),
  frequency: z.enum(FREQUENCIES).optional(),
  homepage: webAddress.optional(),
  /** Under which address the world reads the publication store. */
  baseUrl: webAddress.optional(),
  /** How a release is to be cited; `{release}` stands for its name. */
  citation: publicLine(1000).optional(),
};

const publication = z.strictObject({
  title: line,
  licence: line,
  attribution: publicLine(1000).optional(),
  ...metadataFields,
  /** Whether its figures are for use; absent: nobody says. */
  purpose: z.enum(['trial', 'real']).optional(),
  /** Notes for readers about the source: what is synthetic, what is assumed. */
  notes: z.array(publicLine(2000)).max(100).default([]),
  /** Embargo: days after the end of the window, and the wall-clock time in the series' zone. */
  at: z.strictObject({ daysAfterWindow: z.number().int().nonnegative(), time: clockTime }).optional(),
});

/** What the texts of a release say in the words of its series, which are published with it. */
export const publishedWords = publication.omit({ at: true }).extend({ frequency: z.enum(FREQUENCIES) });
export type PublishedWords = z.output<typeof publishedWords>;

const schedule = z.strictObject({ weekday: z.enum(WEEKDAYS), time: clockTime });

/** When the day of a row begins and ends on the clock: `04:00` to `28:30` is a traffic day. */
export const dayOfFile = z
  .strictObject({ starts: clockTime.default('00:00'), ends: clockTime.optional() })
  .prefault({});
const storedDay = z.strictObject({ starts: clockTime, ends: clockTime });

/** What is stored of every series in another form than in its file. */
export const storedFields = { format: z.literal('opaline-series/3'), day: storedDay, gate: storedGate };

/** Windows of `days` days, each from the same weekday on. */
export const windowOfDays = z.strictObject({
  days: z.number().int().min(1).max(366),
  firstWeekday: z.enum(WEEKDAYS),
  /** Days to wait after the window for late objects. */
  lagDays: z.number().int().nonnegative().default(0),
});

/** The fields of a series file that are the same for every kind, in the order of the file. */
export const seriesFields = {
  series: seriesName,
  /** The people that the source may hold; series over the same people name the same population (C12). */
  population: seriesName,
  timeZone: z.string().min(1),
  custodians: z.array(z.string().min(1)).max(1000).default([]),
  /** Days from a weekday on, or else months of the calendar from their first day on. */
  window: windowOfDays.partial({ days: true, firstWeekday: true }).extend({
    /** A month, a quarter, half a year or a year. */
    months: z.union([z.literal(1), z.literal(3), z.literal(6), z.literal(12)]).optional(),
  }),
  gate: storedGate.prefault({}),
  publication,
  schedule: schedule.optional(),
};

/** A stored series of any kind; what its kind adds is kept, and is unknown here. */
export const seriesSchema = z.looseObject({
  ...seriesFields,
  kind: seriesName.default(USUAL_KIND),
  source: z.looseObject({ ...sourceFields, csv: csvOfFile.loose().prefault({}) }),
  day: storedDay,
  privacy: z.looseObject({ ...budgetFields, unit: z.string() }),
  gate: storedGate,
  publication: publication.loose(),
});

export type Series = z.output<typeof seriesSchema>;
