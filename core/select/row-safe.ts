import type { TreeNode } from './tree.ts';

/**
 * Makes one odd value harmless (C5, C6). Some allowed expressions fail on a value: a sum overflows, a text is compared
 * with a number. The failure would end the scan of the whole object, so that one row decides whether partitions fail.
 * So each column of the select, and its WHERE, is wrapped in TRY, which gives NULL for the row instead. A row whose
 * column is NULL is then judged by the rules for rejects; one whose WHERE is NULL is left out, as SQL has it.
 *
 * TRY alone is not enough: DuckDB's optimizer moves common subexpressions, and the elements of IN, out of it, and then
 * they fail. ROW_SAFE_SETTING turns those two passes off; a select runs only where it has been executed.
 */
export const ROW_SAFE_SETTING = "SET disabled_optimizers = 'common_subexpressions,in_clause'";

/** Positions are of no use after the change, and some do not survive JSON. */
function withoutPositions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPositions);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, child]) => [member, member === 'query_location' ? 0 : withoutPositions(child)]),
  );
}

const tryOf = (expression: TreeNode, alias: unknown): TreeNode => ({
  class: 'OPERATOR',
  type: 'OPERATOR_TRY',
  alias,
  query_location: 0,
  children: [{ ...expression, alias: '' }],
});

/** A plain column cannot fail, and DuckDB names it without help. */
const safeColumn = (item: TreeNode): TreeNode => (item.class === 'COLUMN_REF' ? item : tryOf(item, item.alias));

/** The same select, safe row by row. The tree must be one that readSelect found without problems. */
export function rowSafeTree(tree: unknown): unknown {
  const copy = withoutPositions(tree) as {
    statements: { node: { select_list: TreeNode[]; where_clause: TreeNode | null } }[];
  };
  const { node } = copy.statements[0]!;
  node.select_list = node.select_list.map(safeColumn);
  if (node.where_clause) node.where_clause = tryOf(node.where_clause, '');
  return copy;
}
