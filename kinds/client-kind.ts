import type { z } from 'zod';
import type { Publication } from '../activities/publication/publication.ts';
import type { SeriesKind } from '../contracts/kind.ts';
import type { Series } from '../contracts/series.ts';
import type { ReportIssue, SeriesIssue } from '../contracts/series-issue.ts';
import type { RowChanges } from '../core/readers/changed-rows.ts';

/** The bytes of a public list that a series file names (C4), named by their digest. */
export type LoadedList = { digest: string; bytes: Buffer };

/** What a series file says beyond its fields. */
export type CheckedFile = {
  /** The public lists that it names. */
  lists: LoadedList[];
  /** The stored form, of a file without mistakes whose common fields are in that form. */
  stored(file: object): object;
};

/** What people are told of the protection of one release. */
export type Protection = { epsilon: string; delta: string };

/** A table of two publications that was compared. `allowed` is in this unit; a published value may be a word. */
export type ComparedTable = Pick<RowChanges, 'compared' | 'allowed'> & {
  table: string;
  unit: string;
  changed: { key: string; earlier: number | string | null; later: number | string | null }[];
};

/** What two publications differ in by more than noise explains, table by table. */
export type TableDifferences = {
  /** P[anything of unchanged truth is named], over all tables together. */
  errorRate: number;
  tables: ComparedTable[];
};

/** What the side of people asks of a kind: reading its series files, and comparing its publications. */
export type ClientKind = SeriesKind & {
  /** Every field of a series file of the kind. */
  fileSchema: z.ZodObject;
  /**
   * Says what is wrong with a file beyond its fields: `parts` are those of its top-level fields that fit the schema,
   * `path` is where it lies. Mistakes in the lists that it names are issues of those files.
   */
  check(parts: object, path: string, report: ReportIssue, issues: SeriesIssue[]): Promise<CheckedFile>;
  /** What a release costs and what it is protected by; more than what everybody needs is there for programs to read. */
  certificate(series: Series): Protection;
  /** The protection of one release in sentences, given its public lists, and that of so many releases of a year. */
  inWords(series: Series, lists: readonly LoadedList[]): string[];
  yearInWords(series: Series, releases: number): string[];
  /** What differs between two publications by more than noise explains; null when the kind has no rule for it. */
  differences: ((earlier: Publication, later: Publication) => TableDifferences) | null;
};
