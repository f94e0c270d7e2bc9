/** What a column of a publication can be; `-` is one that is not looked at. */
export const COLUMN_ROLES = ['mode', 'date', 'tap', 'time', 'datetime', 'loc', 'count', '-'] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

const isRole = (text: string): text is ColumnRole => COLUMN_ROLES.some((role) => role === text);

/**
 * Can an audit use these columns? Each comes once at most, there is a count, a day, and a time or a place to count by.
 */
function isUsable(roles: readonly ColumnRole[]): boolean {
  const names: readonly ColumnRole[] = roles.filter((role) => role !== '-');
  const has = (role: ColumnRole): boolean => names.includes(role);
  const days = Number(has('date')) + Number(has('datetime'));
  const times = Number(has('time')) + Number(has('datetime'));
  return (
    new Set(names).size === names.length && has('count') && days === 1 && times <= 1 && (times === 1 || has('loc'))
  );
}

/** The columns that a header names, in any order, columns of other names left out; null when they are no counts. */
export function columnsOfHeader(header: readonly string[]): ColumnRole[] | null {
  const names = header.map((field) => field.trim().toLowerCase());
  const roles = names.map((name) => (isRole(name) ? name : '-'));
  return isUsable(roles) ? roles : null;
}

/** The columns as a person names them in the order of the file, `loc,count,-,datetime`; null when that cannot be used. */
export function columnsOfText(text: string): ColumnRole[] | null {
  const names = text.split(',').map((name) => name.trim());
  return names.every(isRole) && isUsable(names) ? names : null;
}
