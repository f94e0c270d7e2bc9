import { z } from 'zod';

export const SUMMARY_FORMAT = 'opaline-summary/2';

const text = z.string().max(10_000);
const name = z.string().max(300);

/**
 * summary.json: what the pages of the series say of a release, so that they can be made from the publications alone and
 * by a program that does not know its kind. Every number in it is a published one.
 */
export const summarySchema = z.strictObject({
  format: z.literal(SUMMARY_FORMAT),
  release: name,
  kind: name,
  title: text,
  description: text,
  publisher: z.strictObject({ name: text, homepage: text.nullable() }),
  contact: text.nullable(),
  homepage: text.nullable(),
  /** Address of the folder of the release; null when the series names none. */
  address: text.nullable(),
  area: text.nullable(),
  frequency: name,
  licence: text,
  attribution: text.nullable(),
  citation: text,
  days: z.strictObject({ first: z.iso.date(), last: z.iso.date(), timeZone: name }),
  /** Day by which the next window should be public; null without a schedule. */
  nextExpected: z.iso.date().nullable(),
  versions: z.array(text).max(1000),
  /** What a reader has to know before the first number. */
  opening: z.strictObject({
    /** Which parts and days have no data, in sentences. */
    missing: z.array(text).max(3000),
    /** Whether it is a trial. */
    purpose: text,
    notes: z.array(text).max(100),
    /** Which table answers which question. */
    tables: z.array(z.strictObject({ question: text, table: name })).max(100),
    /** Lines that read a table of the folder; null where there is none to begin with. */
    lines: z.strictObject({ python: text, r: text, sql: text }).nullable(),
  }),
  reading: z.strictObject({ missing: text, interval: text, others: z.array(text).max(100) }),
  figures: z
    .array(
      z.strictObject({
        heading: text,
        sentence: text,
        rowHeading: name,
        unit: name,
        columns: z.array(name).min(1).max(1000),
        rows: z.array(z.strictObject({ label: name, values: z.array(z.int().nullable()).max(1000) })).max(1000),
      }),
    )
    .max(20),
  tables: z
    .array(
      z.strictObject({
        heading: text,
        sentences: z.array(text).max(100),
        headings: z.array(name).max(100),
        rows: z.array(z.array(name).max(100)).max(1000),
      }),
    )
    .max(20),
  /**
   * What a table of the release counts at each place, for a map and a table; null for a kind without places, or without
   * such a table. A value is null where nothing is published.
   */
  places: z
    .strictObject({
      sentences: z.array(text).max(10),
      unit: name,
      partHeading: name,
      /** What the numbers of a row are of: first all days together, then each day where there are several. */
      columns: z.array(name).min(1).max(40),
      rows: z
        .array(
          z.strictObject({
            part: name,
            place: name,
            name: text,
            /** Degrees north and east (WGS 84); null where the public list has none. */
            position: z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]).nullable(),
            values: z.array(z.int().nullable()).max(40),
          }),
        )
        .max(700),
    })
    .nullable(),
  /**
   * Files for readers, in order; their sizes and digests are in the manifest. `total`: what the counts of a table add up
   * to.
   */
  files: z.array(z.strictObject({ name, title: text, description: text, total: z.int().optional() })).max(1000),
});

export type Summary = z.output<typeof summarySchema>;
