import type { Certificate } from '../../contracts/certificate.ts';
import type { Partition } from '../../contracts/names.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { type CountRow, compareText } from '../../counts/derive/count-row.ts';
import { type CountTable, rowsOf, tableOf } from '../../counts/derive/count-table.ts';
import * as derived from '../../counts/derive/tables.ts';
import { type CellCount, columnsOf, placeCounts } from '../../counts/mechanisms/cell-counts.ts';
import * as privatize from '../../counts/mechanisms/draw-table.ts';
import type { LeftOutCount } from '../../counts/mechanisms/left-out.ts';
import { marginVariances } from '../../counts/mechanisms/mechanisms.ts';
import * as noises from '../../counts/mechanisms/noise.ts';
import { orderDomain, type PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import { fitRemainder as fitColumns } from '../../counts/mechanisms/remainder.ts';
import { PRIVATIZED_TABLE_FORMAT, type PrivatizedTable, type Totals } from '../../counts/tables/columns.ts';
import {
  type HourRow,
  type Margins,
  type PrivatizedCell,
  rowsOfTable,
  type TableRows,
  tableOfRows,
} from './table-of-rows.ts';

/**
 * What production does in columns, from rows to rows: tests are about few of them. Nothing is computed here but the way
 * between the two forms.
 */

export type Noise = noises.NamedNoise;

/** Production's noise, by name. */
export const certifiedNoise = (certificate: Certificate, random: RandomSource): Noise =>
  noises.noiseByName(noises.makeNoise(certificate, random));

/** The draw of production. */
export function drawTable(
  partition: Partition,
  counts: readonly CellCount[],
  given: PublicDomain,
  certificate: Certificate,
  random: RandomSource,
  leftOut: readonly LeftOutCount[] = [],
): TableRows {
  const domain = orderDomain(given);
  const placed = placeCounts(columnsOf(counts), domain);
  return rowsOfTable(
    privatize.drawTableWith(noises.makeNoise(certificate, random), partition, placed, domain, certificate, leftOut),
  );
}

/** The draw of production with noise that is given. */
export function drawTableWith(
  noise: Noise,
  partition: Partition,
  counts: readonly CellCount[],
  given: PublicDomain,
  certificate: Certificate,
  leftOut: readonly LeftOutCount[] = [],
): TableRows {
  const domain = orderDomain(given);
  const placed = placeCounts(columnsOf(counts), domain);
  const inPlace = noises.noiseInPlace(noise, domain);
  return rowsOfTable(privatize.drawTableWith(inPlace, partition, placed, domain, certificate, leftOut));
}

/** The rows of one list in order (C18). */
export const compareRows = (a: CountRow, b: CountRow): number =>
  compareText(a.mode, b.mode) ||
  compareText(a.day, b.day) ||
  compareText(a.tap, b.tap) ||
  compareText(a.time, b.time) ||
  compareText(a.location, b.location);

export const rowsIn = (table: CountTable): CountRow[] => [...rowsOf(table)];

/** The tables of a release as rows. */
export function deriveRows(tables: readonly TableRows[]) {
  const { hours, remainder, margins, leftOut, ...others } = derived.deriveTables(tables.map(tableOfRows));
  return {
    cells: rowsIn(others.cells),
    hours: hours && rowsIn(hours),
    time: rowsIn(others.time),
    location: rowsIn(others.location),
    remainder: remainder && rowsIn(remainder),
    margins: margins && rowsIn(margins),
    leftOut: leftOut && rowsIn(leftOut),
  };
}

export const sumOverLocations = (cells: readonly CountRow[], remainder: readonly CountRow[]): CountRow[] =>
  rowsIn(derived.sumOverLocations(tableOf(cells), tableOf(remainder)));

export const sumOverTimes = (
  cells: readonly CountRow[],
  remainder: readonly CountRow[],
  hours: readonly CountRow[] = [],
): CountRow[] => rowsIn(derived.sumOverTimes(tableOf(cells), tableOf(remainder), tableOf(hours)));

/** Rows of a partition that have been drawn. */
export type DrawnRows = { cells: PrivatizedCell[]; hours: HourRow[]; margins: Margins };

/** The fit of production, from rows to rows. */
export function fitRemainder(
  drawn: DrawnRows,
  marginScales: Certificate['marginScales'],
  mechanism: Certificate['mechanism'] = 'stability-histogram',
): Margins {
  const table = tableOfRows({ ...NO_TABLE, ...drawn });
  return sidesOf(
    table,
    fitColumns({ ...table, margins: table.margins! }, marginVariances({ mechanism, marginScales })),
  );
}

const NO_TABLE = { format: PRIVATIZED_TABLE_FORMAT, part: '', day: '', remainder: null } as const;

function sidesOf(table: PrivatizedTable, fitted: Totals): Margins {
  const { time, location } = rowsOfTable({ ...table, remainder: { fit: 'level', ...fitted } }).remainder!;
  return { time, location };
}
