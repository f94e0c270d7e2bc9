import type { Bands } from '../measures/quantiles.ts';
import { gainBands } from './bands.ts';
import { type CodedTable, code, codeTable, columnText, dropCodes, range, textCodes, writeRows } from './coded-table.ts';
import { cellGains, gain } from './gains.ts';

/**
 * How step 5 of Section 4.2 of Oppermann (ed.) 2019 is read, which updates the "relevant rows" with the greatest CIG: a
 * cell takes that of every sequence that it is part of, or that of the one which ends with its own row alone.
 */
export const TRAJECTORY_READINGS = ['every-sequence', 'own-step'] as const;
export type TrajectoryReading = (typeof TRAJECTORY_READINGS)[number];

/**
 * Depth information gain (Oppermann (ed.) 2019, Section 4.2), in bits. Step t has one row for each id with t rows or
 * more; each cell is the sequence of the first t values of its column, and its gain is computed as in any table. The
 * depth gain of a cell of the original table is the greatest of its own gain and those of its sequences, by either
 * reading. Steps go to `depth`: the paper's own example stops at 5. `ranked` is what rankRows wrote, `table` the coded
 * table of the rows, `gains` its gains.
 */
export async function depthGains({ depth, ...measured }: Omit<Depth, 'files' | 'reading'> & { depth: number }) {
  const steps = [];
  const files: string[] = [];
  for (let step = 1; step <= depth; step += 1) {
    const outcome = await stepGains(measured, step);
    if (outcome === null) break;
    steps.push(outcome.risk);
    files.push(`SELECT ${step} AS at, * FROM ${outcome.gains}`);
  }
  const columns = {} as Record<TrajectoryReading, Bands[]>;
  for (const reading of TRAJECTORY_READINGS) columns[reading] = await depthBands({ ...measured, files, reading });
  return { steps, columns };
}

/**
 * Writes id, step and codes of every row with an id. The relation has the texts id and place, and x0 …. Place orders the
 * rows of an id, numbers by their value; rows of one id at one place are in the order of their values.
 */
export function rankRows(table: CodedTable, relation: string): Promise<string> {
  const { codes, from } = textCodes(table, relation);
  const texts = range(table.width).map((column) => `texts.${columnText(column)}`);
  const order = `TRY_CAST(texts.place AS DOUBLE), texts.place, ${texts.join(', ')}`;
  const query = `SELECT texts.id, row_number() OVER (PARTITION BY texts.id ORDER BY ${order}) AS step, ${codes}
    FROM ${from} WHERE texts.id IS NOT NULL`;
  return writeRows(table, 'ranked', query);
}

/** What the first `step` rows of ids with that many reveal, and their gains by id; null when nobody has that many. */
async function stepGains(
  { table: { database, folder, width }, ranked }: Pick<Depth, 'table' | 'ranked'>,
  step: number,
) {
  const columns = range(width);
  const sequences = columns.map((column) => `string_agg(${code(column)}, '_' ORDER BY step) AS ${columnText(column)}`);
  const query = `SELECT id, ${sequences.join(', ')} FROM ${ranked} WHERE step <= ${step} GROUP BY id HAVING max(step) = ${step}`;
  const relation = await writeRows({ database, folder }, `sequences-${step}`, query);
  const table = await codeTable({ database, folder }, { name: `step_${step}`, width, relation });
  if (table.rows === 0) return null;
  const cells = await cellGains(table, columns);
  const [row] = await database.rows(`SELECT count(*) FROM ${cells} WHERE n = 1`);
  const texts = textCodes(table, relation);
  const ofIds = `SELECT id, ${columns.map(gain).join(', ')} FROM (SELECT texts.id, ${texts.codes} FROM ${texts.from})
    JOIN ${cells} USING (${columns.map(code).join(', ')})`;
  const gains = await writeRows(table, `step-${step}`, ofIds);
  const risk = {
    step,
    /** Ids with that many rows. */
    ids: table.rows,
    /** Of them, those whose sequence, over all columns, nobody else has. */
    unique: Number(row?.[0]),
    /** CIG of the sequences of each column, in bits. */
    columns: await gainBands(database, cells, width),
  };
  await dropCodes(table);
  return { risk, gains };
}

/** Rows of ids with their steps, the table that they are of with its gains, and the gains of each step. */
type Depth = { ranked: string; table: CodedTable; gains: string; files: readonly string[]; reading: TrajectoryReading };

/** One row for each row of the source, with the depth gains of its cells in g0 …, by one reading. */
export function depthRows({ ranked, gains, table, files, reading }: Depth): string {
  const codes = range(table.width).map(code).join(', ');
  const when = reading === 'own-step' ? 'steps.at = rows.step' : 'steps.at >= rows.step';
  const most = range(table.width).map(
    (column) => `greatest(any_value(own.${gain(column)}), coalesce(max(steps.${gain(column)}), 0)) AS ${gain(column)}`,
  );
  return `SELECT rows.id, rows.step, ${most.join(', ')}
    FROM ${ranked} AS rows
    JOIN ${gains} AS own USING (${codes})
    LEFT JOIN (${files.join(' UNION ALL ')}) AS steps ON steps.id = rows.id AND ${when}
    GROUP BY rows.id, rows.step`;
}

async function depthBands(input: Depth): Promise<Bands[]> {
  const { database, width } = input.table;
  // Made once: each band would join again.
  await database.run(`CREATE TABLE depth AS ${depthRows(input)}`);
  const columns = await gainBands(database, 'depth', width, '1');
  await database.run('DROP TABLE depth');
  return columns;
}
