import type { Manifest } from '../../contracts/formats/manifest.ts';
import type { Summary } from '../../contracts/formats/summary.ts';
import { FILES, type ReleaseReference } from '../../contracts/names.ts';
import type { Series, SeriesFrequency } from '../../contracts/series.ts';
import {
  COLUMN_TYPES,
  type ColumnMeaning,
  type ColumnType,
  type TableDefinition,
} from '../../core/table/published-table.ts';

/** What a column of a table holds, by the types of Data Package v2. */
export type ColumnDescription = ColumnMeaning & {
  name: string;
  type: (typeof COLUMN_TYPES)[ColumnType]['described'];
};

/** A file that a publication can have. */
export type FileDescription = {
  name: string;
  title: string;
  description: string;
  /**
   * Of a table: its columns in their order, those that distinguish rows, whether it is data or a public list, and what
   * its counts add up to, where that means anything.
   */
  table?: { columns: readonly ColumnDescription[]; key: readonly string[]; rows: 'data' | 'list'; total?: number };
};

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
  pb: 'application/x-protobuf',
};

/** Names of formats by the end of a file's name. */
export const formatOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** IANA media type of a file that a kind writes. */
export const mediaTypeOf = (name: string): string => MEDIA_TYPES[formatOf(name)] ?? 'application/octet-stream';

/** What metadata says of the columns of a table of data, whose description depends on some facts. */
export function describeColumns<Facts>(
  { columns, key }: Pick<TableDefinition<string, Facts>, 'columns' | 'key'>,
  facts: Facts,
) {
  const descriptions = columns.map(({ name, type, meaning }): ColumnDescription => {
    const words = typeof meaning === 'string' ? { description: meaning } : meaning(facts);
    return { name, type: COLUMN_TYPES[type].described, ...words };
  });
  return {
    columns: descriptions,
    key: key.map((field) => columns.find((one) => one.field === field)!.name),
    rows: 'data' as const,
  };
}

/** A table as CSV, and the same as Parquet. */
export function describeTable<Facts>(
  table: TableDefinition<string, Facts>,
  facts: Facts,
  rows: 'data' | 'list' = 'data',
): FileDescription[] {
  const { name, title, description } = table;
  const columns = { ...describeColumns(table, facts), rows };
  return [
    { name: FILES.table(name), title, description, table: columns },
    {
      name: FILES.table(name, 'parquet'),
      title: `${title}, Parquet`,
      description: 'The same for programs.',
      table: columns,
    },
  ];
}

/** What every kind says of its parameters and of its proof. */
export const PROOF_FILES: readonly FileDescription[] = [
  {
    name: FILES.privacy,
    title: 'Privacy parameters',
    description: 'Parameters of the privacy of the release, its domain, and how to read it, for programs.',
  },
  {
    name: FILES.certificate,
    title: 'Certificate',
    description: 'The proof object of epsilon and delta, which anyone can check again.',
  },
];

/** Numbers that a reader's page shows: bars, and the same as a table. Values are published ones. */
export type SummaryFigure = Summary['figures'][number];

/** The answers that depend on the kind of the data; the questions are in privacy-questions.ts. */
export type KindAnswers = Readonly<
  Record<
    | 'unit'
    | 'neighbours'
    | 'parameters'
    | 'mechanism'
    | 'sensitivity'
    | 'domain'
    | 'composition'
    | 'accuracy'
    | 'bias'
    | 'notCovered',
    string
  >
>;

/** A table from which a reader can begin: what to add up, and by which columns. */
export type FirstTable = {
  table: string;
  /** The column that is added up; null: rows are counted. */
  value: string | null;
  by: readonly string[];
  /** A table with names for some of its columns, which it shares with it. */
  names?: { table: string; keys: readonly string[]; column: string };
};

/**
 * What a kind says of one of its releases: public parameters and published rows alone. `reading`: how to read what is
 * there and what is missing.
 */
export type DataDescription = Pick<Summary, 'reading' | 'figures' | 'tables' | 'places'> & {
  /** What the data is, in a sentence or two; the description of a series that has none of its own. */
  summary: string;
  keywords: readonly string[];
  timeZone: string;
  /** First and last day, YYYY-MM-DD. */
  firstDay: string;
  lastDay: string;
  /** What was measured: names of quantities. */
  measured: readonly string[];
  /** Files that this kind can write, in the order for readers; metadata leaves out those that a release lacks. */
  files: readonly FileDescription[];
  /** Which table answers which question of readers; those of tables that a release lacks are left out. */
  questions: readonly (readonly [question: string, table: string])[];
  /** Tables from which a reader can begin, best first. */
  firstTables: readonly FirstTable[];
  answers: KindAnswers;
};

/** A file of a release as the manifest will have it. */
export type WrittenFile = { name: string; sha256: string; bytes: number };

/**
 * All that metadata is made from. None of it is a clock. `versions`: those of this window that were charged before, and
 * what all together cost, in sentences; `nextExpected`: day by which the next window should be public, YYYY-MM-DD, null
 * without a schedule.
 */
export type DescribedRelease = Pick<Manifest['texts'], 'publication' | 'versions' | 'nextExpected'> & {
  release: ReleaseReference;
  kind: string;
  description: DataDescription;
  /** Parts and days, and of each hole its code. */
  partitions: readonly Pick<Manifest['partitions'][number], 'part' | 'day' | 'hole'>[];
  /** The data files and pages that are there already. */
  files: readonly WrittenFile[];
};

/** The files of a release that its kind describes, in the order for readers. */
export const filesOf = ({ description, files }: DescribedRelease): (FileDescription & WrittenFile)[] =>
  description.files.flatMap((entry) => {
    const file = files.find(({ name }) => name === entry.name);
    return file ? [{ ...entry, ...file }] : [];
  });

/** Who publishes: by name, or else as the publisher of the series. */
export const publisherName = ({ publication, release }: Pick<DescribedRelease, 'publication' | 'release'>): string =>
  publication.publisher?.name ?? publication.attribution ?? `Publisher of ${release.series}`;

/** Days of a window whose length is one that portals have a word for. */
const FREQUENCY_OF_DAYS: Readonly<Record<number, SeriesFrequency>> = { 1: 'daily', 7: 'weekly', 14: 'fortnightly' };

const FREQUENCY_OF_MONTHS: Readonly<Record<number, SeriesFrequency>> = { 1: 'monthly', 3: 'quarterly', 12: 'yearly' };

/** How often the series grows: as it says, else by the length of its window. */
export const frequencyOf = ({ publication, window }: Pick<Series, 'publication' | 'window'>): SeriesFrequency =>
  publication.frequency ??
  (window.months === undefined ? FREQUENCY_OF_DAYS[window.days ?? 0] : FREQUENCY_OF_MONTHS[window.months]) ??
  'irregular';

export const descriptionOf = ({ publication, description }: DescribedRelease): string =>
  publication.description ?? description.summary;

export const keywordsOf = ({ publication, description }: DescribedRelease): readonly string[] => [
  ...new Set([...(publication.keywords ?? []), ...description.keywords]),
];
