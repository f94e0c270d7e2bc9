import { wrongUse } from '../../../contracts/errors.ts';
import { FILES } from '../../../contracts/names.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { rowsOfColumns } from '../../../core/table/published-table.ts';
import { findChanges, type RowCounts } from '../../../counts/readers/changed-rows.ts';
import type { Publication } from '../../../services/publication/publication.ts';
import { fileOf } from '../../../services/publication/staged-files.ts';
import { parseTable } from '../../../services/publication/table-csv.ts';
import type { ComparedTable } from '../../client-kind.ts';
import { readPublishedSynthesis } from '../published-synthesis.ts';
import { MEASUREMENTS } from '../tables.ts';

/**
 * What differs between two publications of synthetic data by more than noise explains: answers that both measured, and
 * numbers of rows that were. The table follows from these and is not compared. Throws USAGE when the two were not drawn
 * with the same noise, rounds and domain.
 */
export function syntheticDifferences(earlier: Publication, later: Publication, errorRate: number): ComparedTable[] {
  const [before, after] = [readPublishedSynthesis(earlier.files), readPublishedSynthesis(later.files)];
  const { certificate } = before;
  const designOf = ({ certificate, privacy: { domain, workload } }: typeof before): string =>
    canonicalJson([certificate, domain, workload]);
  if (designOf(before) !== designOf(after))
    throw wrongUse('The two were drawn with other noise, rounds or values: their answers say nothing of each other.');
  const { rounds, partitions, rows, measurement } = certificate;
  const tables = [
    ...(rows ? [{ table: 'numbers of rows', scale: rows.scale, most: partitions, first: 0 }] : []),
    { table: 'answers', scale: measurement.scale, most: partitions * rounds, first: 1 },
  ];
  return tables.map(({ table, scale, most, first }): ComparedTable => {
    const noise = { model: 'discrete-laplace', scale: toNumber(parseRational(scale)) } as const;
    const answers = { earlier: firstAnswers(earlier, first), later: firstAnswers(later, first) };
    const draws = { ...answers, noise, threshold: null, most };
    return { table, unit: 'rows', ...findChanges(draws, errorRate / tables.length) };
  });
}

/** The first answer to each query of a part and day; with `first` 0 the numbers of rows instead, which are round 0. */
function firstAnswers({ files }: Publication, first: number): RowCounts {
  const text = fileOf(files, FILES.table(MEASUREMENTS.name)).toString('utf8');
  const answers = new Map<string, number>();
  for (const { day, part, round, cells, value } of rowsOfColumns(parseTable(MEASUREMENTS, text))) {
    const key = `${part} ${day} ${cells}`;
    if ((round === 0) === (first === 0) && !answers.has(key)) answers.set(key, Number(value));
  }
  return answers;
}
