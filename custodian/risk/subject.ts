import { withScratchFolder } from '../../services/files/scratch-folder.ts';
import { type Database, withDatabase } from '../../services/sql/duckdb.ts';
import type { PrivateContext } from '../context.ts';
import type { NamedLevels } from './levels-file.ts';
import type { MeasuredRows, StagedRows } from './measured-rows.ts';
import type { LevelNames, Rule } from './measures/generalisation.ts';
import { columnOf, type RuleChoice } from './rules.ts';
import { addLevels } from './sql/recoded-table.ts';
import { readingTable, type StagedTable, stageFile, type TableColumns } from './table-file.ts';

/** Raw data that is to be measured: a table of its own, or the rows of a window of a series, which its kind stages. */
export type RiskSubject =
  | { kind: 'file'; path: string; columns: TableColumns; levels: ReadonlyMap<string, NamedLevels> }
  | (Pick<MeasuredRows, 'stage'> & { kind: 'series'; series: string; window: string });

/** Rows in scratch, ready to be measured. */
export type OpenedSubject = {
  database: Database;
  folder: string;
  staged: StagedTable;
  /** The bins of the series, one rule a column; null for a table of its own. */
  rules: Rule[] | null;
  levels: LevelNames;
  /** What advice tries and what a cell of a release is made of, unless a person says otherwise. */
  usual: { choices: RuleChoice[]; cells: string[][] };
  /** Objects that the window expects and that are not there. */
  missing: string[];
  /** What bins that are chosen on these rows were chosen on, as a series file says it; null for a table of its own. */
  chosenOn: string | null;
};

/**
 * Opens raw data in a locked database, and removes every copy of it in the end. Nothing of it leaves scratch by itself.
 */
export const withSubject = <T>(
  { scratch, memoryMiB }: Pick<PrivateContext, 'scratch' | 'memoryMiB'>,
  subject: RiskSubject,
  work: (opened: OpenedSubject) => Promise<T>,
): Promise<T> =>
  withScratchFolder(scratch, (folder) =>
    withDatabase({ folder, memoryMiB }, (database) =>
      readingTable(async () => work(await open(subject, database, folder))),
    ),
  );

async function open(subject: RiskSubject, database: Database, folder: string): Promise<OpenedSubject> {
  const { staged, levels, ...rest } =
    subject.kind === 'series' ? await subject.stage(database, folder) : await fileRows(subject, database, folder);
  for (const [name, each] of levels) await addLevels(database, columnOf(staged.columns, name), each.levels);
  const names = new Map([...levels].map(([name, each]) => [name, each.names]));
  const chosenOn = subject.kind === 'series' ? `${subject.series} in the window of ${subject.window}` : null;
  return { database, folder, staged, levels: names, ...rest, chosenOn };
}

async function fileRows(
  { path, columns, levels }: Extract<RiskSubject, { kind: 'file' }>,
  database: Database,
  folder: string,
): Promise<Omit<StagedRows, 'rules'> & { rules: null }> {
  const staged = await stageFile(database, folder, path, columns);
  return { staged, rules: null, levels, missing: [], usual: { choices: [], cells: [staged.columns] } };
}
