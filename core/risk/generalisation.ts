/**
 * How the values of one column are made coarser (Oppermann (ed.) 2019, Section 3.4: aggregation or omission): kept as
 * they are, a time as the start of its bin of so many minutes, a place as its name at a level of a hierarchy (level 1 is
 * the finest above the value), or the whole column dropped.
 */
export type Rule =
  | { kind: 'keep' }
  | { kind: 'minutes'; minutes: number }
  | { kind: 'level'; level: number }
  | { kind: 'drop' };

/** A rule in words that fit a table: `15 minutes`, `level 2`, `dropped`, `as it is`. */
export function ruleInWords(rule: Rule): string {
  if (rule.kind === 'minutes') return `${rule.minutes} minutes`;
  if (rule.kind === 'level') return `level ${rule.level}`;
  return rule.kind === 'drop' ? 'dropped' : 'as it is';
}
