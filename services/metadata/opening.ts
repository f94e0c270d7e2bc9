import type { Summary } from '../../contracts/formats/summary.ts';
import { FILES } from '../../contracts/names.ts';
import type { DescribedRelease, FirstTable } from './data-description.ts';

type Lines = Summary['opening']['lines'];

const quote = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Lines that read a table, join the names of its keys where it has them in a table of their own, and add it up. */
function linesOf({ table, value, by, names }: FirstTable): Lines {
  const groups = names ? [...by, names.column] : by;
  const [first, second] = [table, names?.table ?? ''].map((one) => FILES.table(one, 'parquet'));
  const keys = quote(names?.keys ?? []);
  const types = names ? `, colClasses = c(${names.keys.map((key) => `${key} = "character"`).join(', ')})` : '';
  const readR = (one: string): string => `read.csv("${FILES.table(one)}"${types}, encoding = "UTF-8")`;
  return {
    python: [
      'import pandas as pd',
      `rows = pd.read_parquet("${first}")`,
      ...(names ? [`rows = rows.merge(pd.read_parquet("${second}"), on=[${keys}])`] : []),
      `sums = rows.groupby([${quote(groups)}])${value === null ? '.size()' : `["${value}"].sum()`}`,
      'print(sums)',
    ].join('\n'),
    r: [
      `rows <- ${readR(table)}`,
      ...(names ? [`rows <- merge(rows, ${readR(names.table)}, by = c(${keys}))`] : []),
      `sums <- aggregate(list(total = ${value === null ? 'rep(1, nrow(rows))' : `rows$${value}`}), rows[c(${quote(groups)})], sum)`,
      'print(sums)',
    ].join('\n'),
    sql: [
      `SELECT ${groups.join(', ')}, ${value === null ? 'count(*)' : `sum(${value})`} AS total`,
      `FROM '${first}'${names ? ` JOIN '${second}' USING (${names.keys.join(', ')})` : ''}`,
      `GROUP BY ALL ORDER BY ALL;`,
    ].join('\n'),
  };
}

const PURPOSES = {
  trial: 'This is a trial. Nothing may be concluded from its figures.',
  real: 'This is no trial: the publisher means these figures to be used.',
  unknown: 'The publisher does not say whether this is a trial.',
} as const;

/** Parts and days without data, a sentence for each part and code. */
function holesInWords({ partitions }: DescribedRelease): string[] {
  const holes = partitions.filter(({ hole }) => hole !== null);
  if (holes.length === 0) return ['There are figures of every part on every day.'];
  const groups = Map.groupBy(holes, ({ part, hole }) => `${part} is missing (${hole}) on`);
  return [...groups].map(([what, days]) => `${what} ${days.map(({ day }) => day).join(', ')}.`);
}

/** What a reader has to know before the first number. */
export function openingOf(subject: DescribedRelease): Summary['opening'] {
  const { publication, description, files } = subject;
  const isThere = (table: string): boolean =>
    [FILES.table(table), FILES.table(table, 'parquet')].every((file) => files.some(({ name }) => name === file));
  const first = description.firstTables.find(({ table }) => isThere(table));
  return {
    missing: holesInWords(subject),
    purpose: PURPOSES[publication.purpose ?? 'unknown'],
    notes: publication.notes,
    tables: description.questions.flatMap(([question, table]) => (isThere(table) ? [{ question, table }] : [])),
    lines: first ? linesOf(first) : null,
  };
}
