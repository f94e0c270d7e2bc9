import type { Summary } from '../../contracts/formats/summary.ts';
import { FILES } from '../../contracts/names.ts';
import type { DescribedRelease } from './description.ts';

/** A table from which a reader can begin: what to add up, and by which columns. */
export type FirstTable = {
  table: string;
  /** The column that is added up; null: rows are counted. */
  value: string | null;
  by: readonly string[];
  /** Do its rows name places of the table of places? */
  hasPlaces?: boolean;
};

type Lines = Summary['opening']['lines'];

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Lines that read a table with the names of its places, and add it up. */
function linesOf({ table, value, by, hasPlaces = false }: FirstTable): Lines {
  const groups = hasPlaces ? [...by, 'name'] : by;
  const places = FILES.table('places', 'parquet');
  const sum = value === null ? 'count(*)' : `sum(${value})`;
  const readR = (file: string): string => `read.csv("${file}", colClasses = c(loc = "character"), encoding = "UTF-8")`;
  return {
    python: [
      'import pandas as pd',
      `rows = pd.read_parquet("${FILES.table(table, 'parquet')}")`,
      ...(hasPlaces ? [`rows = rows.merge(pd.read_parquet("${places}"), on=["mode", "loc"])`] : []),
      `sums = rows.groupby([${quoted(groups)}])${value === null ? '.size()' : `["${value}"].sum()`}`,
      'print(sums)',
    ].join('\n'),
    r: [
      hasPlaces
        ? `rows <- ${readR(FILES.table(table))}`
        : `rows <- read.csv("${FILES.table(table)}", encoding = "UTF-8")`,
      ...(hasPlaces ? [`rows <- merge(rows, ${readR(FILES.table('places'))}, by = c("mode", "loc"))`] : []),
      `sums <- aggregate(list(total = ${value === null ? 'rep(1, nrow(rows))' : `rows$${value}`}), rows[c(${quoted(groups)})], sum)`,
      'print(sums)',
    ].join('\n'),
    sql: [
      `SELECT ${groups.join(', ')}, ${sum} AS total`,
      `FROM '${FILES.table(table, 'parquet')}'`,
      ...(hasPlaces ? [`JOIN '${places}' USING (mode, loc)`] : []),
      `GROUP BY ${groups.join(', ')}`,
      `ORDER BY ${groups.join(', ')};`,
    ].join('\n'),
  };
}

const PURPOSES = {
  trial: 'This is a trial. Nothing may be concluded from its figures.',
  real: 'This is no trial: the publisher means these figures to be used.',
  unknown: 'The publisher does not say whether this is a trial.',
} as const;

/** Parts and days without data, a sentence for each part and code. */
function missingSentences({ partitions }: DescribedRelease): string[] {
  const holes = partitions.filter(({ hole }) => hole !== null);
  if (holes.length === 0) return ['No day of any part is missing.'];
  const groups = Map.groupBy(holes, ({ part, hole }) => `${part} is missing (${hole}) on`);
  return [...groups].map(([what, days]) => `${what} ${days.map(({ day }) => day).join(', ')}.`);
}

/** What a reader has to know before the first number. */
export function openingOf(described: DescribedRelease): Summary['opening'] {
  const { publication, description, files } = described;
  const isThere = (table: string): boolean =>
    [FILES.table(table), FILES.table(table, 'parquet')].every((file) => files.some(({ name }) => name === file));
  const first = description.firstTables.find(({ table }) => isThere(table));
  return {
    missing: missingSentences(described),
    purpose: PURPOSES[publication.purpose ?? 'unknown'],
    notes: publication.notes,
    tables: description.questions.flatMap(([question, table]) => (isThere(table) ? [{ question, table }] : [])),
    lines: first ? linesOf(first) : null,
  };
}
