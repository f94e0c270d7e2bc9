import { checkAll, checkExpression, type Findings, onlyMembers } from './expressions.ts';
import { growthProblem } from './growth.ts';
import { isEmpty, isNode, list, nodes, type TreeNode, text } from './tree.ts';

/**
 * C3 for a series' own `select`, decided on the parse tree that DuckDB's json_serialize_sql gives. Everything is
 * refused that is not listed here: kinds of nodes, kinds of expressions, functions, even members of a node, so that a
 * clause which a later DuckDB adds is refused until somebody has read about it.
 *
 * @contract C3
 */

/** The column that says whose row it is. */
export const CARD_COLUMN = 'card';

/** Members that a select node must leave empty, and what people call them. */
const EMPTY_CLAUSES: Readonly<Record<string, string>> = {
  modifiers: 'DISTINCT, ORDER BY, LIMIT or OFFSET',
  group_expressions: 'GROUP BY',
  group_sets: 'GROUP BY',
  having: 'HAVING',
  sample: 'SAMPLE',
  qualify: 'QUALIFY',
};

const SELECT_MEMBERS = [
  'type',
  'cte_map',
  'select_list',
  'from_table',
  'where_clause',
  'aggregate_handling',
  ...Object.keys(EMPTY_CLAUSES),
];
const TABLE_MEMBERS =
  'type alias sample query_location schema_name table_name column_name_alias catalog_name at_clause'.split(' ');

/** Reads the parse tree of a select. `isTimeZone` says which names of time zones are known. */
export function readSelect(tree: unknown, isTimeZone: (name: string) => boolean) {
  const problems: string[] = [];
  const regularExpressions: string[] = [];
  const refuse = (problem: string): void => {
    if (!problems.includes(problem)) problems.push(problem);
  };
  const findings: Findings = {
    refuse,
    regularExpression: (pattern) => regularExpressions.push(pattern),
    isTimeZone,
  };
  const select = selectNode(tree);
  if (typeof select === 'string')
    return { problems: [select], columns: [], sourceColumns: [], cardColumns: [], regularExpressions };
  onlyMembers(select, SELECT_MEMBERS, findings);
  for (const [member, clause] of Object.entries(EMPTY_CLAUSES)) {
    if (!isEmpty(select[member])) refuse(`The select uses ${clause}.`);
  }
  if (select.aggregate_handling !== 'STANDARD_HANDLING') refuse('The select uses GROUP BY.');
  if (!isNode(select.cte_map) || !isEmpty(select.cte_map.map)) refuse('The select uses WITH.');
  checkTable(select.from_table, findings);
  checkAll(select.select_list, findings);
  if (select.where_clause !== null) checkExpression(select.where_clause, findings);
  const columns = columnNames(nodes(select.select_list), findings);
  // Nothing can be said about a tree that is not fully known.
  if (problems.length === 0) {
    const growth = growthProblem(nodes(select.select_list), select.where_clause);
    if (growth !== null) refuse(growth);
  }
  const cardItems = nodes(select.select_list).filter((_, place) => columns[place]?.toLowerCase() === CARD_COLUMN);
  return {
    /** One sentence for each thing that is refused; empty when the select may be used. */
    problems,
    /** Names of the columns that it yields, in order. */
    columns,
    /** Names of the columns of the source that it reads, each once, and of those that make its column `card`. */
    sourceColumns: columnsRead(select),
    cardColumns: columnsRead(cardItems),
    /** For a trial by who can run them. */
    regularExpressions,
  };
}

/** The one SELECT of the tree, or a sentence that says why there is none. */
function selectNode(tree: unknown): TreeNode | string {
  if (!isNode(tree) || tree.error !== false) return 'The select is not one SELECT statement that DuckDB can read.';
  const [statement, ...others] = list(tree.statements);
  if (!isNode(statement) || others.length > 0) return 'The select must be one statement.';
  if (Object.keys(statement).some((member) => !['node', 'named_param_map'].includes(member)))
    return 'The select uses something that Opaline does not know.';
  if (!isEmpty(statement.named_param_map)) return 'The select uses a parameter.';
  const { node } = statement;
  if (!isNode(node) || node.type !== 'SELECT_NODE')
    return 'The select is a set operation (UNION, EXCEPT, INTERSECT) or no SELECT.';
  return node;
}

function checkTable(value: unknown, findings: Findings): void {
  const { refuse } = findings;
  const plain =
    isNode(value) &&
    value.type === 'BASE_TABLE' &&
    value.table_name === 'source' &&
    [value.schema_name, value.catalog_name, value.alias].every((name) => name === '') &&
    isEmpty(value.column_name_alias);
  if (!plain) {
    refuse('FROM must be source, alone and without an alias: no join, table function, list or file.');
    return;
  }
  if (value.sample !== null) refuse('The select uses SAMPLE.');
  if (value.at_clause !== null) refuse('The select uses AT.');
  onlyMembers(value, TABLE_MEMBERS, findings);
}

/** Names of the columns that the select yields. */
function columnNames(items: readonly TreeNode[], { refuse }: Findings): string[] {
  const labels = items.map((item) => {
    const column = item.class === 'COLUMN_REF' ? text(list(item.column_names).at(-1)) : '';
    return text(item.alias) || column;
  });
  if (labels.includes('')) refuse('Every column that the select yields needs a name (AS).');
  const names = labels.filter((name) => name !== '');
  // To DuckDB, names that differ in case are the same.
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    refuse('The select yields two columns of the same name.');
  return names;
}

/** Names of the columns of the source in any expression of the tree, each once. A name may begin with `source`. */
function columnsRead(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(columnsRead))];
  if (!isNode(value)) return [];
  if (value.class !== 'COLUMN_REF') return columnsRead(Object.values(value));
  const [first, ...others] = list(value.column_names).map(text);
  const hasPrefix = others.length > 0 && first?.toLowerCase() === 'source';
  return [(hasPrefix ? others[0] : first) ?? ''];
}
