import type { AuditCheck } from '../../../contracts/audit.ts';
import { hourOf } from '../../calendar/time-bins.ts';
import { ALL, type CountRow } from '../../derive/count-row.ts';
import { report } from '../check.ts';
import type { AuditSubject, ParquetFacts } from '../subject.ts';

/** Texts that have no business in a publication (C18), by what they would give away. */
const TRACES: readonly [what: string, pattern: RegExp][] = [
  ['a clock time', /\d{4}-?\d{2}-?\d{2}[T ]\d{2}:?\d{2}|^1[5-9]\d{8}(\d{3})?$/],
  ['an address', /\b[a-z][a-z0-9+.-]*:\/\/|\b\d{1,3}(\.\d{1,3}){3}\b|\blocalhost\b|\S@\S+\.\S/i],
  ['a file path', /(^|[\s"'(:=])(\/[\w.-]+){2}|\b[A-Z]:\\/],
  ['an identifier', /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<![\d./])\d{14,20}(?![\d./e])/i],
];

/** Digests of public files may hold fourteen decimal digits in a row, as one in forty does. */
const DIGEST = /\b(?=\d*[a-f])[0-9a-f]{16,64}\b/g;

/** In place of a public text. No blank: what followed a part of a name would look as if it began there. */
const TAKEN_OUT = '·';

const WRITER = /^DuckDB version v[\d.]+ \(build [0-9a-f]+\)$/;

/**
 * Files hold nothing but rows and public parameters: no identifiers, clocks or hosts, and no statistic of a writer that
 * is not one of the published rows. Statistic: traces found. Cost: O(rows), and O(texts) for each text of the publisher.
 */
export function checkMetadata(subject: AuditSubject): AuditCheck {
  const traces = [...unreadableFiles(subject), ...textTraces(subject), ...parquetTraces(subject)];
  return report('metadata', 'Read the files for what they say besides their rows.', {
    verdict: traces.length === 0 ? 'pass' : 'fail',
    statistic: traces.length,
    bound: 0,
    sentence:
      traces.length === 0
        ? 'The files hold the published rows and public parameters, and nothing else.'
        : `The files hold more than they should: ${traces.join('; ')}.`,
  });
}

const unreadableFiles = ({ unreadable }: AuditSubject): string[] =>
  unreadable.map(({ file, reason }) => `${file} is not what was declared (${reason})`);

function textTraces({ texts, publicTexts }: AuditSubject): string[] {
  const chosen = publicTexts.filter((text) => text !== '').sort((a, b) => b.length - a.length);
  const withoutChosen = (text: string) =>
    chosen.reduce((rest, part) => rest.replaceAll(part, TAKEN_OUT), text).replace(DIGEST, ' ');
  return texts.flatMap(({ file, texts: parts }) => {
    const read = parts.map(withoutChosen);
    return TRACES.filter(([, pattern]) => read.some((text) => pattern.test(text))).map(
      ([what]) => `${file} holds ${what}`,
    );
  });
}

function parquetTraces({ parquet, cells, hours, remainder }: AuditSubject): string[] {
  const findings: [boolean, string][] = [
    [parquet.keyValues > 0, 'the Parquet footer has entries of its own'],
    [!WRITER.test(parquet.createdBy), 'the Parquet footer names an unknown writer'],
    [
      parquet.rows !== cells.length + hours.length + remainder.length,
      'the Parquet footer counts other rows than there are',
    ],
    [!statisticsArePublished(parquet, [cells, hours, remainder]), 'the Parquet statistics name values that no row has'],
    [parquet.rewritten === false, 'the Parquet bytes are not those that the rows give'],
  ];
  return findings.flatMap(([found, what]) => (found ? [what] : []));
}

/** A label of an hour is shorter than one of a time bin. */
function kindOf({ time, location }: CountRow): string {
  if (time === ALL || location === ALL) return 'remainder';
  return time === hourOf(time) ? 'hour' : 'cell';
}

/** Values of each Parquet column as the statistics write them. */
const PARQUET_COLUMNS: Readonly<Record<string, (row: CountRow) => string>> = {
  kind: kindOf,
  mode: ({ mode }) => mode,
  date: ({ day }) => day,
  tap: ({ tap }) => tap,
  time: ({ time }) => time,
  loc: ({ location }) => location,
  count: ({ count }) => String(count),
};

function statisticsArePublished({ columns }: ParquetFacts, parts: readonly (readonly CountRow[])[]): boolean {
  const rows = parts.reduce((sum, part) => sum + part.length, 0);
  return columns.every(({ name, values, extremes }) => {
    const column = PARQUET_COLUMNS[name];
    return column !== undefined && values === rows && isEachOf(extremes, parts, column);
  });
}

/** Is each of these the value of some row? Most are found early on. */
function isEachOf(
  wanted: readonly string[],
  parts: readonly (readonly CountRow[])[],
  column: (row: CountRow) => string,
): boolean {
  const missing = new Set(wanted);
  for (const part of parts)
    for (const row of part) {
      if (missing.size === 0) return true;
      missing.delete(column(row));
    }
  return missing.size === 0;
}
