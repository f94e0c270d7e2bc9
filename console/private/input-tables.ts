import { inThousands } from '../../core/text/wording.ts';
import type { InputReport } from '../../custodian/preview/input-report.ts';
import type { ObjectReport } from '../../custodian/preview/tallies.ts';
import type { PartitionTotal, RowsShown, SampleColumn } from '../../custodian/private-context.ts';

/** A table of exact numbers, for a page or a terminal. */
export type InputTable = [caption: string, headings: string[], rows: string[][]];

const inWords = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([reason, count]) => `${reason} ${inThousands(count)}`)
    .join(', ');

/** What a preview read. */
export const previewTable = (objects: RowsShown['objects']): InputTable => [
  'What was read',
  ['Object', 'Rows', 'Rejected'],
  objects.map((one) => [one.object, inThousands(one.rows), one.fault ?? inWords(one.rejected)]),
];

export const nameTable = ({ unmatched, unmatchedNames }: RowsShown): InputTable => [
  `Names that no list knows: ${inThousands(unmatchedNames)}${unmatchedNames > unmatched.length ? ', the most frequent' : ''}`,
  ['Part', 'Name', 'Counted'],
  unmatched.map((one) => [one.part, one.name, inThousands(one.counted)]),
];

/** Values of rows are for the eyes of whoever asked: not for a file or another program. */
export const sampleTable = (sample: readonly SampleColumn[]): InputTable => [
  'Values of the first rows',
  ['Column', 'Values'],
  sample.map(({ column, values }) => [column, values.map((value) => JSON.stringify(value)).join('  ')]),
];

export const deliveryTable = ({ deliveries }: RowsShown): InputTable => [
  'Deliveries',
  ['Object', 'Bytes', 'SHA-256'],
  deliveries.map(({ object, size, sha256 }) => [object, inThousands(size), sha256]),
];

/** What a release read of each object, and what it left out. */
export const objectTable = (objects: readonly ObjectReport[]): InputTable => [
  'Objects',
  ['Object', 'Rows', 'Lines that are no rows', 'Counted', 'Rejected', 'At unknown places'],
  objects.map(({ objects: [name, ...copies], ...one }) => [
    `${name}${copies.length > 0 ? ` (and ${copies.length} with the same bytes)` : ''}`,
    ...[one.rows, one.lines, one.counted].map(inThousands),
    inWords(one.rejected) || '0',
    inThousands(one.unknown),
  ]),
];

/** Over all objects, the most frequent reason first. */
export function reasonTable(objects: readonly ObjectReport[]): InputTable {
  const sums = new Map<string, number>();
  for (const { rejected } of objects)
    for (const [reason, count] of Object.entries(rejected)) sums.set(reason, (sums.get(reason) ?? 0) + count);
  const rows = [...sums].sort(([, a], [, b]) => b - a).map(([reason, count]) => [reason, inThousands(count)]);
  return ['Rejected, by reason', ['Reason', 'Rejected'], rows];
}

export const partTable = (totals: readonly PartitionTotal[]): InputTable => [
  'Counted exactly, of each part and day',
  ['Part and day', 'Counted', 'At unknown places'],
  totals.map(({ part, day, counted, unknown }) => [`${part} ${day}`, inThousands(counted), inThousands(unknown)]),
];

export const rowTable = (samples: InputReport['samples']): InputTable => [
  'Raw data, as it was delivered',
  ['Object', 'Reason', 'Of', 'Row'],
  samples.map(({ object, reason, of, row }) => [object, reason, of, row]),
];
