import type { Database } from '../../../services/sql/duckdb.ts';
import { code } from './coded-table.ts';

/** What somebody learns who knows n values of one column of a person in their order, whatever is between them. */
export type SubSequences = {
  length: number;
  /** Different sub-sequences, and those that one id alone has. */
  distinct: number;
  unique: number;
  /** Ids that at least one sub-sequence of this length distinguishes from all others. */
  exposed: number;
};

/**
 * Sub-sequences of the first `depth` values of one column of each id, of lengths 1 to `longest` (Oppermann (ed.) 2019,
 * Section 2.2, Figures 6 and 7): continuous or not, each counted once an id. They are made step by step from where each
 * ends earliest, and there are up to depth-choose-length of them an id. `ranks` has the columns id, step, c0 ….
 */
export async function subSequences(
  database: Database,
  ranks: string,
  { column, depth, longest }: { column: number; depth: number; longest: number },
): Promise<SubSequences[]> {
  const lengths: SubSequences[] = [];
  await database.run(`CREATE TABLE points AS SELECT id, step, ${code(column)} AS value
      FROM ${ranks} WHERE step <= ${depth};
    CREATE TABLE sub_sequences AS
      SELECT id, CAST(value AS VARCHAR) AS sequence, min(step) AS ends FROM points GROUP BY id, value`);
  for (let length = 1; length <= longest; length += 1) {
    const [row] = await database.rows(`SELECT count(*), count(*) FILTER (ids = 1), count(DISTINCT id) FILTER (ids = 1)
      FROM (SELECT count(*) AS ids, any_value(id) AS id FROM sub_sequences GROUP BY sequence)`);
    const [distinct, unique, ids] = (row ?? []).map(Number) as [number, number, number];
    if (distinct === 0) break;
    lengths.push({ length, distinct, unique, exposed: ids });
    await database.run(`CREATE OR REPLACE TABLE sub_sequences AS
      SELECT points.id, sequence || '_' || value AS sequence, min(step) AS ends
      FROM sub_sequences JOIN points ON points.id = sub_sequences.id AND points.step > sub_sequences.ends
      GROUP BY points.id, sequence, value`);
  }
  await database.run('DROP TABLE points; DROP TABLE sub_sequences');
  return lengths;
}
