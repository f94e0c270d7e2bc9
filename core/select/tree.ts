/** Reading of the JSON that DuckDB's json_serialize_sql gives, of which nothing is taken for granted. */
export type TreeNode = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const nodes = (value: unknown): TreeNode[] => list(value).filter(isNode);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
