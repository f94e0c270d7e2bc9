import { join } from 'node:path';
import { type Database, literal } from '../../../services/sql/duckdb.ts';
import type { Bands } from '../measures/quantiles.ts';
import { bands } from './bands.ts';
import {
  type CodedTable,
  code,
  codeTable,
  columnText,
  dropCodes,
  joinedCodes,
  range,
  selectedCodes,
} from './coded-table.ts';
import { cellGains, gain } from './gains.ts';

/** A relation with the texts id and place (what orders the rows of an id; numbers by their value), and x0 …. */
export type OrderedRows = { relation: string; width: number };

/** What the first rows of every id tell, taken together. */
export type StepRisk = {
  step: number;
  /** Ids with so many rows. */
  ids: number;
  /** Of them, those whose sequence, over all columns, nobody else has. */
  unique: number;
  /** CIG of the sequences of each column, in bits. */
  columns: Bands[];
};

/**
 * How step 5 of Section 4.2 of Oppermann (ed.) 2019 is read, which updates the "relevant rows" with the greatest CIG: a
 * cell takes that of every sequence that it is part of, or that of the one which ends with its own row alone.
 */
export const TRAJECTORY_READINGS = ['every-sequence', 'own-step'] as const;
export type TrajectoryReading = (typeof TRAJECTORY_READINGS)[number];

export type DepthRisk = { steps: StepRisk[]; columns: Record<TrajectoryReading, Bands[]> };

/**
 * Depth information gain (Oppermann (ed.) 2019, Section 4.2), in bits. Step t has one row for each id with t rows or
 * more; each cell is the sequence of the first t values of its column, and its gain is computed as in any table. The
 * depth gain of a cell of the original table is the greatest of its own gain and those of its sequences, by either
 * reading. Steps go to `depth`: the paper's own example stops at 5. `ranked` is the file of rankRows, `table` the coded
 * table of the rows, `gains` its file of gains.
 */
export async function depthGains(
  database: Database,
  folder: string,
  { ranked, table, gains, depth }: { ranked: string; table: CodedTable; gains: string; depth: number },
): Promise<DepthRisk> {
  const steps: StepRisk[] = [];
  const files: string[] = [];
  for (let step = 1; step <= depth; step += 1) {
    const { risk, file } = await stepGains(database, folder, ranked, table.width, step);
    if (risk.ids === 0) break;
    steps.push(risk);
    files.push(`SELECT ${step} AS at, * FROM read_parquet(${literal(file)})`);
  }
  const columns = {} as Record<TrajectoryReading, Bands[]>;
  for (const reading of TRAJECTORY_READINGS)
    columns[reading] = await depthBands(database, { ranked, gains, table, files, reading });
  return { steps, columns };
}

/** Writes id, step and codes of every row with an id; rows of one id at one place are in the order of their values. */
export async function rankRows(
  database: Database,
  folder: string,
  { relation, width }: OrderedRows,
  table: CodedTable,
): Promise<string> {
  const file = join(folder, 'ranked.parquet');
  await database.run(`COPY (SELECT texts.id, row_number() OVER (PARTITION BY texts.id
      ORDER BY TRY_CAST(texts.place AS DOUBLE), texts.place, ${range(width)
        .map((column) => `texts.${columnText(column)}`)
        .join(', ')}) AS step,
      ${selectedCodes(table)} FROM ${joinedCodes(table, relation)} WHERE texts.id IS NOT NULL)
    TO ${literal(file)} (FORMAT parquet)`);
  return file;
}

async function stepGains(
  database: Database,
  folder: string,
  ranked: string,
  width: number,
  step: number,
): Promise<{ risk: StepRisk; file: string }> {
  const sequences = range(width).map(
    (column) => `string_agg(${code(column)}, '_' ORDER BY step) AS ${columnText(column)}`,
  );
  const sequencesFile = join(folder, `sequences-${step}.parquet`);
  await database.run(`COPY (SELECT id, ${sequences.join(', ')} FROM read_parquet(${literal(ranked)})
    WHERE step <= ${step} GROUP BY id HAVING max(step) = ${step}) TO ${literal(sequencesFile)} (FORMAT parquet)`);
  const relation = `SELECT * FROM read_parquet(${literal(sequencesFile)})`;
  const table = await codeTable(database, folder, { name: `step_${step}`, width, relation });
  const file = join(folder, `step-${step}.parquet`);
  if (table.rows === 0) return { risk: { step, ids: 0, unique: 0, columns: [] }, file };
  const gains = await cellGains(database, folder, table, range(width));
  const counted = `SELECT * FROM read_parquet(${literal(gains)})`;
  const [row] = await database.rows(`SELECT count(*) FROM (${counted}) WHERE n = 1`);
  const columns: Bands[] = [];
  for (const column of range(width))
    columns.push(await bands(database, { relation: counted, value: gain(column), rows: 'n' }));
  const codes = range(width).map(code).join(', ');
  await database.run(`COPY (SELECT id, ${range(width).map(gain).join(', ')}
    FROM (SELECT texts.id, ${selectedCodes(table)} FROM ${joinedCodes(table, relation)})
    JOIN (${counted}) USING (${codes})) TO ${literal(file)} (FORMAT parquet)`);
  await dropCodes(database, table);
  return { risk: { step, ids: table.rows, unique: Number(row?.[0]), columns }, file };
}

/** One row for each row of the source, with the depth gains of its cells in g0 …, by one reading. */
export function depthRows({
  ranked,
  gains,
  table,
  files,
  reading,
}: {
  ranked: string;
  gains: string;
  table: CodedTable;
  files: readonly string[];
  reading: TrajectoryReading;
}): string {
  const codes = range(table.width).map(code).join(', ');
  const when = reading === 'own-step' ? 'steps.at = rows.step' : 'steps.at >= rows.step';
  const most = range(table.width).map(
    (column) => `greatest(any_value(own.${gain(column)}), coalesce(max(steps.${gain(column)}), 0)) AS ${gain(column)}`,
  );
  return `SELECT rows.id, rows.step, ${most.join(', ')}
    FROM read_parquet(${literal(ranked)}) AS rows
    JOIN read_parquet(${literal(gains)}) AS own USING (${codes})
    LEFT JOIN (${files.join(' UNION ALL ')}) AS steps ON steps.id = rows.id AND ${when}
    GROUP BY rows.id, rows.step`;
}

async function depthBands(database: Database, input: Parameters<typeof depthRows>[0]): Promise<Bands[]> {
  const columns: Bands[] = [];
  // Made once: each band would join anew.
  await database.run(`CREATE TABLE depth AS ${depthRows(input)}`);
  for (const column of range(input.table.width))
    columns.push(await bands(database, { relation: 'FROM depth', value: gain(column), rows: '1' }));
  await database.run('DROP TABLE depth');
  return columns;
}
