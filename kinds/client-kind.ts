import type { z } from 'zod';
import type { AuditCheck } from '../contracts/audit-report.ts';
import type { Certificate } from '../contracts/certificate.ts';
import type { SeriesKind } from '../contracts/kind.ts';
import type { Series } from '../contracts/series.ts';
import type { ReportIssue, SeriesIssue } from '../contracts/series-issue.ts';
import type { PublicKnowledge } from '../counts/audit/subject.ts';
import type { RowChanges } from '../counts/readers/changed-rows.ts';
import type { Publication } from '../services/publication/publication.ts';
import type { CommandResult } from './kind-command.ts';

/** The bytes of a public list that a series file names (C4), named by their digest. */
export type LoadedList = { digest: string; bytes: Buffer };

/** A series file that is checked by its kind. */
export type FileCheck = {
  path: string;
  report: ReportIssue;
  /** Mistakes in the lists that the file names are issues of those. */
  inLists: SeriesIssue[];
  /** Has the kind found no mistake so far? */
  isSound(): boolean;
};

/** What a series file says beyond its fields. */
export type CheckedFile = {
  /** The public lists that it names. */
  lists: LoadedList[];
  /** The stored form, of a file without mistakes whose common fields are in that form. */
  stored(file: object): object;
};

/** What people learn about the protection of a series. */
export type Protection = {
  /** What a release costs; more than what everybody needs is there for programs to read. */
  certificate: { epsilon: string; delta: string };
  /** Of one release, in sentences, and of `releases` releases of a year. */
  inWords: string[];
  yearInWords(releases: number): string[];
};

/** A table of two publications that was compared. `allowed` is in this unit; a published value may be a word. */
export type ComparedTable = Pick<RowChanges, 'compared' | 'allowed'> & {
  table: string;
  unit: string;
  changed: { key: string; earlier: number | string | null; later: number | string | null }[];
};

/**
 * What a field of a series file means, as Markdown. `[]` stands for an item of a list. `usual`: what holds when the field
 * is left out; — means that it is needed.
 */
export type FieldNote = { section: string; field: string; usual: string; meaning: string };

/** What the page of series files and editors say of the files of a kind. */
export type FileGuide = {
  /** In the order of the page. */
  notes: readonly FieldNote[];
  /** What a key that people choose is called in the names of fields. */
  key: string;
  /** JSON Schemas, by the names of fields, that describe them better than the schema of the file does. */
  schemas: Readonly<Record<string, object>>;
};

/** What everybody can know of the truth behind counts. */
export type CommonKnowledge = Pick<PublicKnowledge, 'services' | 'timetable'>;

/** How publications of counts are attacked with what everybody can have (C15). */
export type KindAttacks = {
  /** What a series declares, its noise among it. */
  declared(series: Series, lists: readonly LoadedList[]): CommonKnowledge & { certificate: Certificate };
  /** The checks of the release audit, on a publication alone. Throws when a file is missing or not of its form. */
  checks(
    publication: Publication,
    knowledge: CommonKnowledge & Pick<PublicKnowledge, 'solve'>,
  ): Promise<readonly AuditCheck[]>;
};

/** What the side of people asks of a kind: reading its series files, and comparing its publications. */
export type ClientKind = SeriesKind & {
  /** Every field of a series file of the kind. */
  fileSchema: z.ZodObject;
  /** Says what is wrong with a file beyond its fields: `parts` are those of its top-level ones that fit the schema. */
  check(parts: object, check: FileCheck): Promise<CheckedFile>;
  /** How a series with these public lists is protected. */
  protection(series: Series, lists: readonly LoadedList[]): Protection;
  /**
   * What differs between two publications by more than noise explains; absent when the kind has no rule for it.
   * P[anything of unchanged truth is named] ≤ errorRate, over all tables together.
   */
  differences?(earlier: Publication, later: Publication, errorRate: number): ComparedTable[];
  /**
   * The designs that the guarantee of a series allows, side by side. `like`: a publication that verified, by which to
   * estimate what each would show. Absent where there is one design. Throws USAGE.
   */
  designs?(series: Series, lists: readonly LoadedList[], like: Publication | null): Promise<CommandResult>;
  /**
   * What a release may show, in sentences, before anything is charged: by public figures of the file, or by an earlier
   * publication that is believed, and never by rows. `own`: the release after its audit; then the forecast is
   * beside what it shows. Absent where nothing can be said. No tables of publications are read. Throws USAGE.
   */
  expected?(
    series: Series,
    lists: readonly LoadedList[],
    like: Publication | null,
    own?: Publication,
  ): Promise<string[]>;
  /** Attacks on its publications, and on tables of anybody that hold the same; absent where none is known. */
  attacks?: KindAttacks;
  /** Absent for a kind that has its fields on a page of its own. */
  fileGuide?: FileGuide;
};
