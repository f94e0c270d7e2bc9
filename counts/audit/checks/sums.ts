import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { parsePartitionPath } from '../../../contracts/names.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { reportNone } from '../../../core/verdict/finding.ts';
import { bySlice, type CountTable, NO_ROWS, sameTables, totalOf } from '../../derive/count-table.ts';
import { type LineKind, sideOf } from '../../derive/table-lines.ts';
import { sumsOfTable, type TableSums } from '../../derive/table-totals.ts';
import { sumOverLocations, sumOverTimes } from '../../derive/tables.ts';
import { type DayTotal, dayTotals } from '../../readers/shown-taps.ts';
import type { PublishedTable } from '../../tables/tap-tables.ts';
import type { AuditSubject } from '../subject.ts';
import { isFitted } from './fitted-remainder.ts';

/**
 * All tables say the same (C9): the time and location tables are the exact sums of the rows that privatize stored, the
 * remainder rows those that cells and margins give, and every other table is what was stored, unchanged. A table with
 * noise or counts of its own would be a second view of the same taps that nobody was charged for. Statistic: tables that
 * differ.
 */
export function checkSums(subject: AuditSubject): AuditCheck {
  const differences = comparisons(subject)
    .filter(({ same }) => !same)
    .map(({ what }) => what);
  return reportNone('sums', 'Subtract one table from another, to learn what was left out.', differences.length, {
    right: 'All tables agree to the last tap, so that their differences tell nothing new.',
    wrong: `These do not agree with the published rows: ${differences.join(', ')}.`,
  });
}

type Compared = { what: string; same: boolean };

/** Compares a table with the rows that it has to follow from, and with those that privatize stored. */
type Comparison = (subject: AuditSubject) => Compared[];

/** One for each published table: a table that nobody compares does not compile. */
const COMPARISONS: Readonly<Record<PublishedTable | 'totals', Comparison>> = {
  'time-location': ({ tables, cells, drawn }) => [
    ...ifThere('time-location table', tables.cells, cells),
    ...(drawn ? ifThere('cells of the privatized tables', drawn.cells, cells) : []),
  ],
  time: ({ tables, cells, remainder }) => ifThere('time table', tables.time, sumOverLocations(cells, remainder)),
  location: ({ tables, cells, remainder, hours }) =>
    ifThere('location table', tables.location, sumOverTimes(cells, remainder, hours)),
  hours: ({ tables, hours, drawn }) => [
    { what: 'hour rows', same: sameTables(tables.hours ?? NO_ROWS, hours) },
    ...(drawn ? ifThere('hour rows of the privatized tables', drawn.hours ?? NO_ROWS, hours) : []),
  ],
  'remainder-time': (subject) => remainderRows(subject, 'time'),
  'remainder-location': (subject) => [
    ...remainderRows(subject, 'location'),
    { what: 'totals of the remainder rows', same: remainderTotalsAgree(subject.remainder, subject.hours) },
  ],
  'margins-time': (subject) => marginRows(subject, 'time'),
  'margins-location': (subject) => {
    const { tables, ...rows } = subject;
    const fit = 'fit of the remainder rows to the margins';
    return [
      ...(tables.margins ? [{ what: fit, same: isFitted({ ...rows, margins: tables.margins }) }] : []),
      ...marginRows(subject, 'location'),
    ];
  },
  'left-out': ({ tables, drawn }) =>
    drawn ? ifThere('left-out taps', tables.leftOut ?? NO_ROWS, drawn.leftOut ?? NO_ROWS) : [],
  totals: (subject) =>
    subject.totals
      ? [{ what: 'totals', same: canonicalJson(subject.totals) === canonicalJson(totalsOf(subject)) }]
      : [],
};

/** The totals that the other tables give. */
function totalsOf({ cells, tables, domains, certificate }: AuditSubject): DayTotal[] {
  const margins = tables.margins ?? NO_ROWS;
  const sums: TableSums = new Map([
    ['time-location', sumsOfTable(cells)],
    ['margins-time', sumsOfTable(sideOf(margins, 'time'))],
    ['margins-location', sumsOfTable(sideOf(margins, 'location'))],
  ]);
  return dayTotals(
    sums,
    [...domains.keys()].map((path) => parsePartitionPath(path)!),
    certificate,
  );
}

const ifThere = (what: string, rows: CountTable | null, reference: CountTable): Compared[] =>
  rows ? [{ what, same: sameTables(rows, reference) }] : [];

const sameSide = (what: string, kind: LineKind, a: CountTable | null, b: CountTable | null): Compared => ({
  what: `${what} (${kind})`,
  same: sameTables(sideOf(a ?? NO_ROWS, kind), sideOf(b ?? NO_ROWS, kind)),
});

const remainderRows = ({ tables, remainder, drawn }: AuditSubject, kind: LineKind): Compared[] => [
  sameSide('remainder rows', kind, tables.remainder, remainder),
  ...(drawn ? [sameSide('remainder rows of the privatized tables', kind, drawn.remainder, remainder)] : []),
];

const marginRows = ({ tables, drawn }: AuditSubject, kind: LineKind): Compared[] =>
  drawn ? [sameSide('margins', kind, tables.margins, drawn.margins)] : [];

const comparisons = (subject: AuditSubject): Compared[] => [
  ...subject.differing.map((what) => ({ what: `CSV and Parquet of ${what}`, same: false })),
  ...Object.values(COMPARISONS).flatMap((compare) => compare(subject)),
];

/**
 * For each mode, day and tap the remainder rows over times count what those over locations and the hour rows do, where
 * there are both kinds.
 */
function remainderTotalsAgree(remainder: CountTable, hours: CountTable): boolean {
  const [ofTimes, ofPlaces, ofHours] = [sideOf(remainder, 'time'), sideOf(remainder, 'location'), hours].map(bySlice);
  return [...ofTimes!].every(([slice, times]) => {
    const places = ofPlaces!.get(slice);
    return !places || totalOf(times) === totalOf(places) + totalOf(ofHours!.get(slice) ?? NO_ROWS);
  });
}
