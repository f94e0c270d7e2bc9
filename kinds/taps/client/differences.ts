import { certificateShape } from '../../../contracts/certificate.ts';
import { wrongUse } from '../../../contracts/errors.ts';
import { FILES } from '../../../contracts/names.ts';
import { csvFields, csvRecords } from '../../../core/text/csv.ts';
import { type NoiseOfCount, noiseOfCount } from '../../../counts/mechanisms/mechanisms.ts';
import { changedRows, differenceLimit, type RowCounts } from '../../../counts/readers/changed-rows.ts';
import type { Publication } from '../../../services/publication/publication.ts';
import type { ComparedTable } from '../../client-kind.ts';

/** What all tables count. */
const UNIT = 'taps';

/** Separates the columns of a key; no label has it. */
const BETWEEN = '\n';

type Fields = readonly string[];

/** A key with its day as ISO 8601, however a build or a profile writes it. */
const withDay = ([mode = '', day = '', ...others]: Fields): Fields => [
  mode,
  day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'),
  ...others,
];

/** Columns that follow from the day and the label of a row. */
const MOMENTS: readonly string[] = ['start', 'end'];

/** The rows of a CSV table of counts, by the columns that tell them apart; null when the publication has no such file. */
function countsOf({ files }: Publication, name: string): Map<string, number> | null {
  const bytes = files.get(name);
  if (!bytes) return null;
  const [names = [], ...rows] = Array.from(csvRecords(bytes.toString('utf8')), (record) => csvFields(record));
  const keyOf = (fields: Fields): Fields =>
    fields.slice(0, -1).filter((_, place) => !MOMENTS.includes(names[place] ?? ''));
  return new Map(rows.map((fields) => [withDay(keyOf(fields)).join(BETWEEN), Number(fields.at(-1))]));
}

const certificateOfFile = (publication: Publication) => certificateShape.parse(publication.json(FILES.certificate));

/** A total of a mode and the number of noisy rows in it. */
function totalsOf(counts: RowCounts): Map<string, { total: number; rows: number }> {
  const totals = new Map<string, { total: number; rows: number }>();
  for (const [key, count] of counts) {
    const mode = key.split(BETWEEN)[0]!;
    const { total, rows } = totals.get(mode) ?? { total: 0, rows: 0 };
    totals.set(mode, { total: total + count, rows: rows + 1 });
  }
  return totals;
}

/**
 * What differs between two publications of taps by more than noise explains: cells, noisy margins, and the totals of
 * modes that margins give. Throws USAGE when they were not drawn with the same noise and threshold.
 */
export function tapsDifferences(earlier: Publication, later: Publication, errorRate: number): ComparedTable[] {
  const [a, b] = [certificateOfFile(earlier), certificateOfFile(later)];
  if (a.scale !== b.scale || a.threshold !== b.threshold || a.mechanism !== b.mechanism)
    throw wrongUse('The two were drawn with other noise or another threshold: their rows say nothing of each other.');
  const [cellsBefore, cellsAfter] = [earlier, later].map((one) => countsOf(one, FILES.table('time-location')));
  const scales = Object.entries(a.marginScales).filter(([margin, scale]) => b.marginScales[margin as 'time'] === scale);
  const tables: ComparedTable[] = [];
  const share = errorRate / (1 + 2 * scales.length);
  if (cellsBefore && cellsAfter) {
    const noise = noiseOfCount(a.mechanism, a.scale);
    const draws = { earlier: cellsBefore, later: cellsAfter, noise, threshold: a.threshold };
    tables.push({ table: 'cells', unit: UNIT, ...changedRows(draws, share) });
  }
  for (const [margin, text] of scales) {
    const [before, after] = [earlier, later].map((one) =>
      countsOf(one, FILES.table(`margins-${margin as 'time' | 'location'}`)),
    );
    if (!before || !after) continue;
    const noise = noiseOfCount(a.mechanism, text);
    const draws = { earlier: before, later: after, noise, threshold: null };
    tables.push({ table: `${margin} margins`, unit: UNIT, ...changedRows(draws, share) });
    tables.push({
      table: `totals of modes, by ${margin} margins`,
      unit: UNIT,
      ...changedTotals(before, after, noise, share),
    });
  }
  return tables.map(readable);
}

/** Totals of whole modes, where both draws have the same rows. */
function changedTotals(before: RowCounts, after: RowCounts, noise: NoiseOfCount, errorRate: number) {
  const [earlier, later] = [totalsOf(before), totalsOf(after)];
  const modes = [...earlier].filter(([mode, { rows }]) => later.get(mode)?.rows === rows);
  const limits = new Map(
    modes.map(([mode, { rows }]) => [mode, differenceLimit(noise, rows, errorRate / modes.length)]),
  );
  const changed = modes
    .map(([mode, { total }]) => ({ key: mode, earlier: total, later: later.get(mode)!.total }))
    .filter((row) => Math.abs(row.later - row.earlier) > limits.get(row.key)!);
  return { compared: modes.length, allowed: limits.size === 0 ? null : Math.max(...limits.values()), changed };
}

/** The same with keys that people read. */
const readable = ({ changed, ...table }: ComparedTable): ComparedTable => ({
  ...table,
  changed: changed.map((row) => ({ ...row, key: row.key.replaceAll(BETWEEN, ' ') })),
});
