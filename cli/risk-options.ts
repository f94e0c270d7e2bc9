import { requireApplied } from '../client/series/applied-series.ts';
import { wrongUse } from '../contracts/errors.ts';
import { kindOf } from '../contracts/kind.ts';
import type { Series } from '../contracts/series.ts';
import type { PrivateContext } from '../custodian/private-context.ts';
import type { RuleChoice } from '../custodian/risk/column-rules.ts';
import { type NamedLevels, readLevels } from '../custodian/risk/levels-file.ts';
import type { CellNoise } from '../custodian/risk/measures/published-share.ts';
import type { RiskSubject } from '../custodian/risk/risk-subject.ts';

/** What names raw data on the command line. */
export type RiskOptions = { columns?: string; id?: string; order?: string; levels?: string; window?: string };

/** Raw data, its series as it was applied, and the noise of its cells; null for a table of its own. */
export type NamedSubject = {
  subject: RiskSubject;
  applied: { series: Series; digest: string } | null;
  noise: CellNoise | null;
};

const isTable = (name: string): boolean => /\.(csv|csv\.gz|parquet)$/i.test(name);

export const readNames = (text: string | undefined): string[] | null =>
  text?.split(',').map((name) => name.trim()) ?? null;

/** Pairs as `a=b,c=d`. Throws USAGE that names the option. */
function pairs(option: string, text: string | undefined): [name: string, value: string][] {
  return (text?.split(',') ?? []).map((pair) => {
    const [, name, value] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      throw wrongUse(`${option} takes NAME=VALUE, with commas between, not ${pair}.`);
    return [name.trim(), value.trim()];
  });
}

/** `on_time+off_time=15|30,stop=zone`: columns that go together, and the rules to take or to try. Throws USAGE. */
export const readChoices = (option: string, text: string | undefined): RuleChoice[] =>
  pairs(option, text).map(([columns, words]) => ({ columns: columns.split('+'), words: words.split('|') }));

/** A table by its file, or the rows of a window of a series that was applied. Throws USAGE. */
export async function readSubject(
  context: PrivateContext,
  name: string,
  { columns, id, order, levels, window }: RiskOptions,
): Promise<NamedSubject> {
  if (!isTable(name)) {
    if (window === undefined)
      throw wrongUse(`${name} is no .csv, .csv.gz or .parquet file; for a series name its --window too.`);
    if ([columns, id, order, levels].some((option) => option !== undefined))
      throw wrongUse('A series says itself what its columns, cards and places are; leave these options out.');
    const file = await requireApplied(context.releaseStore, name);
    const { kind } = file.series;
    const rows = kindOf(context.kinds, file.series).looks?.measured(context, file.series, window);
    if (!rows) throw wrongUse(`Rows of ${kind} are not measured as a series; name a file of them.`);
    return { subject: { kind: 'series', series: name, window, stage: rows.stage }, applied: file, noise: rows.noise };
  }
  if (window !== undefined) throw wrongUse('--window goes with a series.');
  if (order !== undefined && id === undefined) throw wrongUse('--order goes with --id.');
  const byColumn = new Map<string, NamedLevels>();
  for (const [column, path] of pairs('--levels', levels)) byColumn.set(column, await readLevels(path));
  const names = readNames(columns);
  const table = { measured: names, id: id ?? null, order: order ?? null };
  return { subject: { kind: 'file', path: name, columns: table, levels: byColumn }, applied: null, noise: null };
}
