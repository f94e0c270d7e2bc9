import { wrongUse } from '../../contracts/errors.ts';
import type { LevelNames, Rule } from './measures/generalisation.ts';

/** What a person wrote: these columns, each by one of these rules (all of them by the same one). */
export type RuleChoice = { columns: readonly string[]; words: readonly string[] };

/** The index of a measured column. Throws USAGE. */
export function columnOf(columns: readonly string[], name: string): number {
  const column = columns.indexOf(name);
  if (column >= 0) return column;
  throw wrongUse(`The table has no measured column ${name}; it has ${columns.join(', ')}.`);
}

const MINUTES_OF_DAY = 1440;

/**
 * A rule by its word for a column: `keep`, `drop`, whole minutes that divide a day, or the name of a level. Throws USAGE.
 */
export function ruleOf(column: string, word: string, levels: LevelNames): Rule {
  if (word === 'keep' || word === 'drop') return { kind: word };
  const minutes = /^\d{1,4}$/.test(word) ? Number(word) : 0;
  if (minutes > 0 && MINUTES_OF_DAY % minutes === 0) return { kind: 'minutes', minutes };
  const names = levels.get(column) ?? [];
  const level = names.indexOf(word) + 1;
  if (level > 0) return { kind: 'level', level };
  const hint = names.length > 0 ? `, or a level (${names.join(', ')})` : '; levels need --levels';
  throw wrongUse(`${column}=${word}: write keep, drop, or minutes that divide a day${hint}.`);
}

/**
 * One rule a column, in the order of the columns, when of each choice the word with this number is taken. Throws USAGE.
 */
export function chooseRules(
  columns: readonly string[],
  choices: readonly RuleChoice[],
  point: readonly number[],
  levels: LevelNames,
): Rule[] {
  const rules: Rule[] = columns.map(() => ({ kind: 'keep' }));
  for (const [index, { columns: named, words }] of choices.entries())
    for (const name of named) {
      rules[columnOf(columns, name)] = ruleOf(name, words[point[index]!]!, levels);
    }
  return rules;
}
