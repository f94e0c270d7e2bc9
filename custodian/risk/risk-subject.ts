import { withScratchFolder } from '../../services/files/scratch-folder.ts';
import { type Database, withDatabase } from '../../services/sql/duckdb.ts';
import type { PrivateContext } from '../private-context.ts';
import { columnOf } from './column-rules.ts';
import type { NamedLevels } from './levels-file.ts';
import type { MeasuredRows, StagedRows } from './measured-rows.ts';
import type { LevelNames, Rule } from './measures/generalisation.ts';
import type { Workspace } from './sql/coded-table.ts';
import { addLevels } from './sql/recoded-table.ts';
import { readingTable, type StagedTable, stageFile, type TableColumns } from './table-file.ts';

/** Raw data that is to be measured: a table of its own, or the rows of a window of a series, which its kind stages. */
export type RiskSubject =
  | { kind: 'file'; path: string; columns: TableColumns; levels: ReadonlyMap<string, NamedLevels> }
  | (Pick<MeasuredRows, 'stage'> & { kind: 'series'; series: string; window: string });

/** Rows in scratch, ready to be measured. */
export type OpenedSubject = Workspace &
  Omit<StagedRows, 'rules' | 'levels'> & {
    /** The bins of the series, one rule a column; null for a table of its own. */
    rules: Rule[] | null;
    levels: LevelNames;
    /** What bins that are chosen on these rows were chosen on, as a series file says it; null for a table of its own. */
    chosenOn: string | null;
  };

/**
 * Opens raw data in a locked database, and removes every copy of it in the end. Nothing of it leaves scratch by itself.
 */
export const withSubject = <T>(
  { scratch, memoryMiB }: Pick<PrivateContext, 'scratch' | 'memoryMiB'>,
  subject: RiskSubject,
  work: (subject: OpenedSubject) => Promise<T>,
): Promise<T> =>
  withScratchFolder(scratch, (folder) =>
    withDatabase({ folder, memoryMiB }, (database) =>
      readingTable(async () => work(await open(subject, database, folder))),
    ),
  );

async function open(subject: RiskSubject, database: Database, folder: string): Promise<OpenedSubject> {
  const rows =
    subject.kind === 'series'
      ? await subject.stage(database, folder)
      : fileRows(subject, await stageFile({ database, folder }, subject.path, subject.columns));
  for (const [name, each] of rows.levels) await addLevels(database, columnOf(rows.staged.columns, name), each.levels);
  const levels = new Map([...rows.levels].map(([name, each]) => [name, each.names]));
  const chosenOn = subject.kind === 'series' ? `${subject.series} in the window of ${subject.window}` : null;
  return { database, folder, ...rows, levels, chosenOn };
}

const fileRows = ({ levels }: Pick<StagedRows, 'levels'>, table: StagedTable) => ({
  staged: table,
  rules: null,
  levels,
  missing: [],
  usual: { choices: [], cells: [table.columns] },
});
