import type { Series } from '../../../contracts/series.ts';
import type { LevelNames, Rule } from '../../../core/risk/generalisation.ts';
import { withScratchFolder } from '../../scratch-folder.ts';
import { type Database, withDatabase } from '../../sql/duckdb.ts';
import { addLevels } from '../../sql/risk/recoded-table.ts';
import type { PrivateContext } from '../context.ts';
import type { NamedLevels } from './levels-file.ts';
import { columnOf, type RuleChoice } from './rules.ts';
import { PUBLISHED_NAME, stageSeries } from './series-rows.ts';
import { readingTable, type StagedTable, stageFile, type TableColumns } from './table-file.ts';

/** Raw data that is to be measured: a table of its own, or the rows of a window of a series. */
export type RiskSubject =
  | { kind: 'file'; path: string; columns: TableColumns; levels: ReadonlyMap<string, NamedLevels> }
  | { kind: 'series'; series: Series; window: string };

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
};

/** Opens raw data in a locked database, and removes every copy of it in the end. Nothing of it leaves scratch by itself. */
export const withSubject = <T>(
  context: PrivateContext,
  subject: RiskSubject,
  work: (opened: OpenedSubject) => Promise<T>,
): Promise<T> =>
  withScratchFolder(context.scratch, (folder) =>
    withDatabase({ folder, memoryMiB: context.memoryMiB }, (database) =>
      readingTable(async () => work(await open(context, subject, database, folder))),
    ),
  );

async function open(
  context: PrivateContext,
  subject: RiskSubject,
  database: Database,
  folder: string,
): Promise<OpenedSubject> {
  if (subject.kind === 'series') {
    const { staged, rules, levels, missing, usual } = await stageSeries(
      context,
      database,
      folder,
      subject.series,
      subject.window,
    );
    for (const [column, each] of levels) await addLevels(database, column, each);
    const names = new Map([...levels.keys()].map((column) => [staged.columns[column]!, [PUBLISHED_NAME]]));
    return { database, folder, staged, rules, levels: names, usual, missing };
  }
  const staged = await stageFile(database, folder, subject.path, subject.columns);
  for (const [name, { levels }] of subject.levels) await addLevels(database, columnOf(staged.columns, name), levels);
  const names = new Map([...subject.levels].map(([name, each]) => [name, each.names]));
  return {
    database,
    folder,
    staged,
    rules: null,
    levels: names,
    usual: { choices: [], cells: [staged.columns] },
    missing: [],
  };
}
