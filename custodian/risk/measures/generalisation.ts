/**
 * How the values of one column are made coarser (Oppermann (ed.) 2019, Section 3.4: aggregation or omission): kept as
 * they are, a time as the start of its bin of n minutes, a place as its name at a level of a hierarchy (level 1 is
 * the finest above the value), or the whole column dropped.
 */
export type Rule =
  | { kind: 'keep' }
  | { kind: 'minutes'; minutes: number }
  | { kind: 'level'; level: number }
  | { kind: 'drop' };

/** Names of the levels of each column that has some, the finest first. */
export type LevelNames = ReadonlyMap<string, readonly string[]>;

/** A rule of a column in words that fit a table: `15 minutes`, the name of a level, `dropped`, `as it is`. */
export function ruleInWords(column: string, rule: Rule, levels: LevelNames): string {
  if (rule.kind === 'minutes') return `${rule.minutes} minutes`;
  if (rule.kind === 'level') return levels.get(column)?.[rule.level - 1] ?? `level ${rule.level}`;
  return rule.kind === 'drop' ? 'dropped' : 'as it is';
}
