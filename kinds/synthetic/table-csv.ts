import { csvFields, csvRecords, formatCsvRecord, LINE_END } from '../../core/text/csv.ts';
import type { Column } from '../../services/publication/csv-parquet.ts';
import type { Transcript } from './mechanism/transcript.ts';
import { fitOfTranscript } from './mechanism/transcript.ts';
import { type Query, queriesOf, valuesOfCell } from './mechanism/workload.ts';
import { publishedPlan, type SyntheticPrivacyFile } from './privacy-file.ts';

/** What was drawn for one partition. */
export type DrawnPartition = { part: string; day: string; transcript: Transcript };

/** Millionths of a row: `rows` has six decimals. */
const MILLION = 1_000_000n;

/** Columns of the table, in order. */
export const tableColumns = ({ domain }: Pick<SyntheticPrivacyFile, 'domain'>): Column[] => [
  { name: 'date', type: 'DATE' },
  { name: 'part', type: 'VARCHAR' },
  ...domain.attributes.map(({ name }): Column => ({ name, type: 'VARCHAR' })),
  { name: 'weight', type: 'BIGINT' },
  { name: 'rows', type: 'DECIMAL(18, 6)' },
];

/** Columns of the measurements, in order. Round 0 is the number of rows, and has no query. */
export const MEASUREMENT_COLUMNS: readonly Column[] = [
  { name: 'date', type: 'DATE' },
  { name: 'part', type: 'VARCHAR' },
  { name: 'round', type: 'BIGINT' },
  { name: 'query', type: 'VARCHAR' },
  { name: 'cells', type: 'VARCHAR' },
  { name: 'value', type: 'BIGINT' },
];

const namesOf = (columns: readonly Column[]): string[] => columns.map(({ name }) => name);

/**
 * The lines of synthetic.csv without their ends: for each partition, in the order given, one record for each cell of
 * the domain. A function of what was drawn and of public parameters. Throws RangeError for a query that nobody can
 * ask.
 */
export function* tableLines(privacy: SyntheticPrivacyFile, drawn: readonly DrawnPartition[]): Generator<string> {
  yield formatCsvRecord(namesOf(tableColumns(privacy)));
  const values = privacy.domain.attributes.map((attribute) =>
    attribute.values.map((value) => formatCsvRecord([value])),
  );
  for (const { part, day, transcript } of drawn) {
    const plan = publishedPlan(privacy, part);
    const fit = fitOfTranscript(plan, transcript);
    const [over, under] = [2n * MILLION * BigInt(transcript.rows), 2n * BigInt(fit.total())];
    for (let cell = 0; cell < fit.weights.length; cell += 1) {
      const weight = fit.weights[cell]!;
      const labels = valuesOfCell(plan.shape, cell).map((value, attribute) => values[attribute]![value]);
      yield `${day},${part},${labels.join()},${weight},${decimal((over * BigInt(weight) + under / 2n) / under)}`;
    }
  }
}

const decimal = (millionths: bigint): string =>
  `${millionths / MILLION}.${String(millionths % MILLION).padStart(6, '0')}`;

/** synthetic.csv. */
export const formatTable = (privacy: SyntheticPrivacyFile, drawn: readonly DrawnPartition[]): Buffer =>
  Buffer.from([...tableLines(privacy, drawn)].map((line) => line + LINE_END).join(''), 'utf8');

/** measurements.csv: the number of rows of each partition as its round 0, then each round. */
export function formatMeasurements(privacy: SyntheticPrivacyFile, drawn: readonly DrawnPartition[]): Buffer {
  const plan = publishedPlan(privacy, '');
  const queries = queriesOf(plan.shape, plan.marginals);
  const records = drawn.flatMap(({ part, day, transcript: { rows, measurements } }) => [
    [day, part, '0', '', 'all', String(rows)],
    ...measurements.map(({ query, value }, round) => {
      const cells = queryInWords(privacy, queries[query]!);
      return [day, part, String(round + 1), String(query), cells, String(value)];
    }),
  ]);
  const lines = [namesOf(MEASUREMENT_COLUMNS), ...records].map((fields) => formatCsvRecord(fields) + LINE_END);
  return Buffer.from(lines.join(''), 'utf8');
}

/** `mode=bus; time=08:00..09:45`: which cells a query counts. */
function queryInWords({ domain, workload }: SyntheticPrivacyFile, { marginal, from, to }: Query): string {
  const names = workload[marginal]!.attributes;
  const attributes = names.map((name) => domain.attributes.find((one) => one.name === name)!);
  const shape = attributes.map(({ values }) => values.length);
  const [first, last] = [from, to - 1].map((cell) => valuesOfCell(shape, cell)) as [number[], number[]];
  return attributes
    .map(({ name, values }, place) => {
      const [a, b] = [values[first[place]!], values[last[place]!]];
      return a === b ? `${name}=${a}` : `${name}=${a}..${b}`;
    })
    .join('; ');
}

const WHOLE = /^-?\d{1,15}$/;

/** Reads what formatMeasurements has written. Throws SyntaxError for other texts. */
export function parseMeasurements(text: string): DrawnPartition[] {
  const [header, ...records] = [...csvRecords(text)];
  if (header !== namesOf(MEASUREMENT_COLUMNS).join()) throw new SyntaxError('the measurements have other columns');
  const drawn: DrawnPartition[] = [];
  for (const record of records) {
    const [day = '', part = '', round, query = '', , value = '', ...others] = csvFields(record);
    if (others.length > 0 || !WHOLE.test(value)) throw new SyntaxError('a record is not a measurement');
    const open = drawn.at(-1);
    if (round === '0' && query === '') drawn.push({ part, day, transcript: { rows: Number(value), measurements: [] } });
    else if (
      open?.part === part &&
      open.day === day &&
      /^\d{1,9}$/.test(query) &&
      round === String(open.transcript.measurements.length + 1)
    )
      open.transcript.measurements.push({ query: Number(query), value: Number(value) });
    else throw new SyntaxError('the rounds of a partition are not in order');
  }
  return drawn;
}

/** By day, then part: the order of every publication (C18). */
export function byDayAndPart(a: DrawnPartition, b: DrawnPartition): number {
  if (a.day !== b.day) return a.day < b.day ? -1 : 1;
  return a.part < b.part ? -1 : 1;
}
