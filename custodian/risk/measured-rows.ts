import type { Database } from '../../services/sql/duckdb.ts';
import type { RuleChoice } from './column-rules.ts';
import type { NamedLevels } from './levels-file.ts';
import type { Rule } from './measures/generalisation.ts';
import type { CellNoise } from './measures/published-share.ts';
import type { StagedTable } from './table-file.ts';

/** The rows of a window of a series in scratch, and what the series says of them. */
export type StagedRows = {
  staged: StagedTable;
  /** The bins of the series, one rule a column. */
  rules: Rule[];
  levels: ReadonlyMap<string, NamedLevels>;
  /** Keys of the objects that the window expects and that are not there, or under a wrong name. */
  missing: string[];
  /** What of the series can be changed, and the cells of its tables. */
  usual: { choices: RuleChoice[]; cells: string[][] };
};

/** How the rows of a window are staged, and the noise of the cells that the series would publish of them. */
export type MeasuredRows = { stage(database: Database, folder: string): Promise<StagedRows>; noise: CellNoise };
