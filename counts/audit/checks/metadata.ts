import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { type ColumnValues, rowsIn } from '../../../core/table/published-table.ts';
import { reportNone } from '../../../core/verdict/finding.ts';
import type { AuditSubject, ParquetFile } from '../subject.ts';

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
  const traces = [...unreadableFiles(subject), ...textTraces(subject), ...subject.parquet.flatMap(parquetTraces)];
  return reportNone('metadata', 'Read the files for what they say besides their rows.', traces.length, {
    right: 'The files hold the published rows and public parameters, and nothing else.',
    wrong: `The files hold more than they should: ${traces.join('; ')}.`,
  });
}

const unreadableFiles = ({ unreadable }: AuditSubject): string[] =>
  unreadable.map(({ file, reason }) => `${file} is not what was declared (${reason})`);

function textTraces({ texts, publicTexts }: AuditSubject): string[] {
  const choices = publicTexts.filter((text) => text !== '').sort((a, b) => b.length - a.length);
  const withoutChosen = (text: string) =>
    choices.reduce((rest, part) => rest.replaceAll(part, TAKEN_OUT), text).replace(DIGEST, ' ');
  return texts.flatMap(({ file, texts: parts }) => {
    const rest = parts.map(withoutChosen);
    return TRACES.filter(([, pattern]) => rest.some((text) => pattern.test(text))).map(
      ([what]) => `${file} holds ${what}`,
    );
  });
}

function parquetTraces({ file, read, ...facts }: ParquetFile): string[] {
  const findings: [boolean, string][] = [
    [facts.keyValues > 0, `the footer of ${file} has entries of its own`],
    [!WRITER.test(facts.createdBy), `the footer of ${file} names an unknown writer`],
    [facts.rows !== rowsIn(read), `the footer of ${file} counts other rows than there are`],
    [!statisticsArePublished(facts, read), `the statistics of ${file} name values that no row has`],
    [facts.rewritten === false, `the bytes of ${file} are not those that its rows give`],
  ];
  return findings.flatMap(([isTrace, what]) => (isTrace ? [what] : []));
}

const statisticsArePublished = ({ columns }: Pick<ParquetFile, 'columns'>, table: ParquetFile['read']): boolean =>
  columns.every(({ name, values, extremes }) => {
    const column = table[name];
    return column !== undefined && values === rowsIn(table) && extremes.every((value) => isIn(column, value));
  });

/** Does a row have a value, as statistics write it? */
function isIn(column: ColumnValues, value: string): boolean {
  if (column instanceof Float64Array) return String(Number(value)) === value && column.includes(Number(value));
  return column.texts.some((text, code) => text === value && column.codes.includes(code));
}
