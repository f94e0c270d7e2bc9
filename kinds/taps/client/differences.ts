import { certificateShape } from '../../../contracts/certificate.ts';
import { wrongUse } from '../../../contracts/errors.ts';
import { FILES } from '../../../contracts/names.ts';
import { rowsOfColumns } from '../../../core/table/published-table.ts';
import { isSameNoise } from '../../../counts/audit/checks/reuse.ts';
import { type NoiseOfCount, noiseOfCount } from '../../../counts/mechanisms/mechanisms.ts';
import { differenceLimit, findChanges, type RowCounts } from '../../../counts/readers/changed-rows.ts';
import type { PublishedTable } from '../../../counts/tables/tap-tables.ts';
import type { Publication } from '../../../services/publication/publication.ts';
import { parseTable } from '../../../services/publication/table-csv.ts';
import type { ComparedTable } from '../../client-kind.ts';
import { csvDates, privacyFileSchema } from '../public/privacy-file.ts';
import { TAPS_TABLES } from '../public/tables.ts';

/** What all tables count. */
const UNIT = 'taps';

/**
 * The counts of a published table, by the columns that distinguish them, of which a place alone may hold blanks, and is
 * the last; null when the publication has no such file.
 */
function countsOf(publication: Publication, name: PublishedTable): Map<string, number> | null {
  const bytes = publication.files.get(FILES.table(name));
  if (!bytes) return null;
  const table = TAPS_TABLES[name];
  const dates = csvDates(privacyFileSchema.parse(publication.json(FILES.privacy)));
  const rows = rowsOfColumns(parseTable(table, bytes.toString('utf8'), dates));
  return new Map(rows.map((row) => [table.key.map((field) => row[field]).join(' '), Number(row.count)]));
}

const certificateOfFile = (publication: Publication) => certificateShape.parse(publication.json(FILES.certificate));

/** A total of a mode and the number of noisy rows in it. */
function totalsOf(counts: RowCounts): Map<string, { total: number; rows: number }> {
  const totals = new Map<string, { total: number; rows: number }>();
  for (const [key, count] of counts) {
    const mode = key.split(' ')[0]!;
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
  if (!isSameNoise(a, b))
    throw wrongUse('The two were drawn with other noise or another threshold: their rows say nothing of each other.');
  const scales = Object.entries(a.marginScales).filter(([margin, scale]) => b.marginScales[margin as 'time'] === scale);
  const share = errorRate / (1 + 2 * scales.length);
  const draws = [
    { margin: null, scale: a.scale, threshold: a.threshold },
    ...scales.map(([margin, scale]) => ({ margin: margin as 'time' | 'location', scale, threshold: null })),
  ];
  return draws.flatMap(({ margin, scale, threshold }): ComparedTable[] => {
    const file = margin ? (`margins-${margin}` as const) : 'time-location';
    const [before, after] = [earlier, later].map((one) => countsOf(one, file));
    if (!before || !after) return [];
    const noise = noiseOfCount(a.mechanism, scale);
    const changes = findChanges({ earlier: before, later: after, noise, threshold }, share);
    if (!margin) return [{ table: 'cells', unit: UNIT, ...changes }];
    const totals = compareTotals(before, after, noise, share);
    return [
      { table: `${margin} margins`, unit: UNIT, ...changes },
      { table: `totals of modes, by ${margin} margins`, unit: UNIT, ...totals },
    ];
  });
}

/** Totals of whole modes, where both draws have the same rows. */
function compareTotals(before: RowCounts, after: RowCounts, noise: NoiseOfCount, errorRate: number) {
  const [earlier, later] = [totalsOf(before), totalsOf(after)];
  const modes = [...earlier].filter(([mode, { rows }]) => later.get(mode)?.rows === rows);
  const limits = new Map(
    modes.map(([mode, { rows }]) => [mode, differenceLimit(noise, rows, errorRate / modes.length)]),
  );
  const moves = modes
    .map(([mode, { total }]) => ({ key: mode, earlier: total, later: later.get(mode)!.total }))
    .filter((row) => Math.abs(row.later - row.earlier) > limits.get(row.key)!);
  return { compared: modes.length, allowed: limits.size === 0 ? null : Math.max(...limits.values()), changed: moves };
}
