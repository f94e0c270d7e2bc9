import type { Certificate } from '../contracts/certificate.ts';
import type { IntegerNoise } from '../core/statistics/noise-law.ts';
import { ALL, type CountRow } from '../counts/derive/count-row.ts';
import { MECHANISMS } from '../counts/mechanisms/mechanisms.ts';
import { isTap, type Tap } from '../counts/tables/tap-tables.ts';
import type { ColumnRole } from './foreign-columns.ts';

/** A published count of any origin; what the file has no column for is ALL. `day` is YYYY-MM-DD. */
export type ForeignRow = Omit<CountRow, 'tap'> & { tap: Tap | typeof ALL };

/** What a table counts by. */
export const TABLE_KINDS = ['time-location', 'time', 'location'] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

export function kindOfColumns(columns: readonly ColumnRole[]): TableKind {
  if (!columns.includes('loc')) return 'time';
  return columns.includes('time') || columns.includes('datetime') ? 'time-location' : 'location';
}

/** What is publicly declared about the noise of a table; null for what nobody declares. */
export type Declaration = {
  certificate: Certificate | null;
  model: IntegerNoise | null;
  scale: number | null;
  threshold: number | null;
  delta: number | null;
};

export const NOTHING_DECLARED: Declaration = {
  certificate: null,
  model: null,
  scale: null,
  threshold: null,
  delta: null,
};

/** A published table as a stranger reads it. */
export type ForeignTable = {
  /** Name of its file. */
  name: string;
  columns: readonly ColumnRole[];
  kind: TableKind;
  rows: readonly ForeignRow[];
  /** Numbers of the lines that are no row of the table, and of all lines. */
  strays: readonly number[];
  lines: number;
  /** The publication of Opaline that it belongs to; null for a file by itself. */
  source: string | null;
  declared: Declaration;
};

/** Rows that name the end of the trip, as the attacks on releases take them. */
export const tapRows = (rows: readonly ForeignRow[]): CountRow[] =>
  rows.flatMap((row): CountRow[] => (isTap(row.tap) ? [{ ...row, tap: row.tap }] : []));

/** Sums of noisy cells have no draw and no threshold of their own: with a certificate, only cells are drawn. */
export function pickDrawnRows({ kind, rows, declared: { certificate } }: ForeignTable): readonly ForeignRow[] {
  switch (certificate && MECHANISMS[certificate.mechanism].tables) {
    case null:
    case 'drawn':
      return rows;
    case 'sums':
      return kind === 'time-location' ? rows.filter(({ time, location }) => time !== ALL && location !== ALL) : [];
  }
}
