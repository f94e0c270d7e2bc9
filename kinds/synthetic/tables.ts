import {
  byFields,
  type ColumnsOfTable,
  columnsFor,
  columnsOfRows,
  rowsOfColumns,
  type TableDefinition,
} from '../../core/table/published-table.ts';
import { parseTable } from '../../services/publication/table-csv.ts';
import { fitOfTranscript, type Transcript } from './mechanism/transcript.ts';
import { type Query, queriesOf, valuesOfCell } from './mechanism/workload.ts';
import { planOfFile, type SyntheticPrivacyFile } from './privacy-file.ts';

/** What was drawn for one partition. */
export type DrawnPartition = Transcript & { part: string; day: string };

/** What a release of synthetic data is made of, each in one file or several: its audit has a comparison for each. */
export type SynthesisTable = 'table' | 'measurements' | 'privacy' | 'certificate';

type Domain = SyntheticPrivacyFile['domain'];

const column = columnsFor<Domain>();

/** Of which partition a row is. */
const PARTITION = [
  column('date', 'day', 'day', 'Day of the window.'),
  column('part', 'part', 'text', ({ parts }) => ({
    description: 'What is delivered together, such as a mode.',
    values: parts,
  })),
];

/** The table: for each partition one row for each cell of the domain. */
export const weightsTable = ({ attributes }: Domain): TableDefinition<string, Domain> => ({
  name: 'synthetic',
  title: 'Synthetic data',
  description: 'A weight for every cell of the public domain.',
  columns: [
    ...PARTITION,
    ...attributes.map(({ name }) =>
      column(name, name, 'text', `A value of the public list of ${name}; privacy.json has all of them.`),
    ),
    column('weight', 'weight', 'integer', 'Weight of the cell, a whole number without a unit.'),
    column('rows', 'rows', 'decimal', 'Share of the rows of the partition, to six decimals.'),
  ],
  key: ['day', 'part', ...attributes.map(({ name }) => name)],
});

/** What was measured; round 0 is the number of rows, and has no query. */
export const MEASUREMENTS: TableDefinition<'day' | 'part' | 'round' | 'query' | 'cells' | 'value', Domain> = {
  name: 'measurements',
  title: 'Measurements',
  description: 'Everything that was measured with noise; the weights follow from it.',
  columns: [
    ...PARTITION,
    column('round', 'round', 'integer', 'Round of the draw; 0 is the number of rows of the partition.'),
    column('query', 'query', 'text', 'Number of the query in the public workload; empty in round 0.'),
    column('cells', 'cells', 'text', 'The cells that the query counts, in words.'),
    column('value', 'value', 'integer', 'Rows in these cells, with noise; can be negative.'),
  ],
  key: ['day', 'part', 'round'],
};

/** Millionths of a row: `rows` has six decimals. */
const MILLION = 1_000_000n;

/**
 * The rows of synthetic.csv: for each partition, in the order given, one for each cell of the domain. A function of what
 * was drawn and of public parameters. Throws RangeError for a query that nobody can ask.
 */
export function weightColumns(privacy: SyntheticPrivacyFile, draws: readonly DrawnPartition[]): ColumnsOfTable {
  const { attributes } = privacy.domain;
  const shape = attributes.map(({ values }) => values.length);
  const cells = shape.reduce((product, values) => product * values, 1);
  const length = cells * draws.length;
  const [partitions, weight, rows] = [new Uint32Array(length), new Float64Array(length), new Float64Array(length)];
  const codes = shape.map(() => new Uint32Array(length));
  for (const [place, one] of draws.entries()) {
    const fit = fitOfTranscript(planOfFile(privacy, one.part), one);
    const [over, under] = [2n * MILLION * BigInt(one.rows), 2n * BigInt(fit.total())];
    for (let cell = 0; cell < cells; cell += 1) {
      const row = place * cells + cell;
      partitions[row] = place;
      for (const [attribute, value] of valuesOfCell(shape, cell).entries()) codes[attribute]![row] = value;
      weight[row] = fit.weights[cell]!;
      rows[row] = Number((over * BigInt(fit.weights[cell]!) + under / 2n) / under);
    }
  }
  return {
    day: { texts: draws.map(({ day }) => day), codes: partitions },
    part: { texts: draws.map(({ part }) => part), codes: partitions },
    ...Object.fromEntries(attributes.map(({ name, values }, place) => [name, { texts: values, codes: codes[place]! }])),
    weight,
    rows,
  };
}

/** The rows of measurements.csv: the number of rows of each partition as its round 0, then each round. */
export function measurementColumns(privacy: SyntheticPrivacyFile, draws: readonly DrawnPartition[]) {
  const plan = planOfFile(privacy, '');
  const queries = queriesOf(plan.shape, plan.marginals);
  const columns = draws.flatMap(({ part, day, rows, measurements }) => [
    { day, part, round: 0, query: '', cells: 'all', value: rows },
    ...measurements.map(({ query, value }, round) => {
      const cells = queryInWords(privacy, queries[query]!);
      return { day, part, round: round + 1, query: String(query), cells, value };
    }),
  ]);
  return columnsOfRows(MEASUREMENTS, columns);
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

/** Reads measurements.csv. Throws SyntaxError for other texts. */
export function parseMeasurements(text: string): DrawnPartition[] {
  const draws: DrawnPartition[] = [];
  for (const row of rowsOfColumns(parseTable(MEASUREMENTS, text))) {
    const [day, part, query, value] = [String(row.day), String(row.part), String(row.query), Number(row.value)];
    const open = draws.at(-1);
    if (row.round === 0 && query === '') draws.push({ part, day, rows: value, measurements: [] });
    else if (
      open?.part === part &&
      open.day === day &&
      /^\d{1,9}$/.test(query) &&
      row.round === open.measurements.length + 1
    )
      open.measurements.push({ query: Number(query), value });
    else throw new SyntaxError('the rounds of a partition are not in order');
  }
  return draws;
}

/** By day, then part: the order of every publication (C18). */
export const byDayAndPart = byFields(['day', 'part']);
