import type { AuditReport } from '../../contracts/audit-report.ts';
import type { Certificate, PrivacyParameters } from '../../contracts/certificate.ts';
import type { LinearProgramSolver } from '../../core/linear-program/solver.ts';
import type { ColumnValues } from '../../core/table/published-table.ts';
import type { CountRow } from '../derive/count-row.ts';
import type { CountTable } from '../derive/count-table.ts';
import type { ReleaseTables } from '../derive/tables.ts';
import type { DayTotal } from '../readers/shown-taps.ts';
import type { LedgerFacts } from './ledger-facts.ts';
import type { NoisyMargins } from './warnings/noisy-totals.ts';

/** What a Parquet file says, and the values that were read of it, by the names of its columns. */
export type ParquetFile = ParquetFacts & { file: string; read: Readonly<Record<string, ColumnValues>> };

/** What a Parquet file says besides its rows. */
export type ParquetFacts = {
  rows: number;
  createdBy: string;
  /** Number of free key-value entries in the footer. */
  keyValues: number;
  /** Per column: its values over all row groups, and the distinct smallest and greatest values that the writer noted. */
  columns: { name: string; values: number; extremes: string[] }[];
  /** Does our writer make the same bytes of the rows? Null when that was not tried (another version of the writer). */
  rewritten: boolean | null;
};

/** A file that may hold only public parameters, as the texts that it holds (of JSON: its keys and leaves). */
export type FileTexts = { file: string; texts: string[] };

/** The public domain (C4) of one partition; `locations` is null when the dictionaries are not at hand. */
export type AuditedDomain = {
  taps: ReadonlySet<string>;
  times: ReadonlySet<string>;
  locations: ReadonlySet<string> | null;
};

/** The public domains that rows have to be in, by `mode/day` of every partition that was drawn. */
export type PublicDomains = ReadonlyMap<string, AuditedDomain>;

/** An earlier version of the same window, under the same certificate. */
export type EarlierVersion = {
  version: number;
  cells: CountTable;
  /** `mode/day` of the partitions that are declared to be the same draw in both versions. */
  sameDraw: ReadonlySet<string>;
  /** `mode/day` of the partitions whose privatized table has another digest in this version, or none. */
  otherTables: ReadonlySet<string>;
};

/** What another series over the same source published of the same window, and so further views of the same counts. */
export type SiblingPublication = {
  /** `series/window/vN` */
  release: string;
  /** Its own, which may declare another noise. */
  certificate: Certificate;
  cells: CountTable;
  /** Length of its time bins. */
  minutes: number;
  /** Modes in which each of its cells covers whole cells of this release: by the same places, in time bins that fit. */
  covering: ReadonlySet<string>;
  /** `mode/day` of the partitions for which the ledger of the population holds its charge. */
  charged: { has(partition: string): boolean };
};

/**
 * Public knowledge: on a point-to-point service whoever taps on at `from` taps off at `to`, `minutes` later, and nobody
 * else does. Minutes are a multiple of the length of a time bin.
 */
export type PointToPoint = { mode: string; from: string; to: string; minutes: number };

/** What a timetable says of a cell on any day: how many services and how many active stops can feed it. */
export type TimetableCell = Pick<CountRow, 'mode' | 'tap' | 'time' | 'location'> & { services: number; stops: number };

/** As the report has it, with the rows of each totals.csv; the days follow. */
export type History = Omit<NonNullable<AuditReport['history']>, 'days' | 'places' | 'read'> & {
  read: readonly (NonNullable<AuditReport['history']>['read'][number] & { rows: readonly DayTotal[] })[];
};

/** What an attacker knows besides the publication; each part is empty or null when it is not at hand. */
export type PublicKnowledge = {
  services: readonly PointToPoint[];
  timetable: readonly TimetableCell[];
  earlier: readonly EarlierVersion[];
  siblings: readonly SiblingPublication[];
  ledger: LedgerFacts | null;
  /** Publications of the series of earlier windows that count the same taps: what the warnings compare with. */
  past: readonly NoisyMargins[];
  /** Totals of earlier publications; null where nobody looked for any. */
  history: History | null;
  solve: LinearProgramSolver | null;
};

export const NO_KNOWLEDGE: PublicKnowledge = {
  services: [],
  timetable: [],
  earlier: [],
  siblings: [],
  ledger: null,
  past: [],
  history: null,
  solve: null,
};

/**
 * All that the checks may see: released rows and public parameters, never counts (C15). The rows of the Parquet files
 * are the reference; every other table is compared with them.
 */
export type AuditSubject = {
  release: string;
  parameters: PrivacyParameters;
  certificate: Certificate;
  domains: PublicDomains;
  /** By mode: the member of its places that stands for all that no list names. */
  unknownPlaces: ReadonlyMap<string, string>;
  /** Rows of the Parquet files, in their order. */
  cells: CountTable;
  /** Hour rows: `time` is the hour HH:00. */
  hours: CountTable;
  remainder: CountTable;
  /** The rows that privatize stored; null outside the release store. */
  drawn: Omit<ReleaseTables, 'time' | 'location'> | null;
  /**
   * Rows of the CSV files, in their order; null where the publication has no such file. Remainder and margins hold the
   * rows of times and those of places, whose files are joined.
   */
  tables: ReleaseTables;
  /** The rows of the table `totals`; absent where there is none. */
  totals?: readonly DayTotal[];
  parquet: readonly ParquetFile[];
  /** Tables whose CSV and Parquet files have different rows. */
  differing: readonly string[];
  texts: FileTexts[];
  /** Texts of the series that the publisher chose to publish (title, licence, notes): they may hold addresses. */
  publicTexts: string[];
  knowledge: PublicKnowledge;
  /** `mode/day` of partitions without data. */
  holes: string[];
  /** Files that are not what Opaline writes, each with the reason in a few words. */
  unreadable: { file: string; reason: string }[];
};
