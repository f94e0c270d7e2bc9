import { ALLOWED_FUNCTIONS, CAST_TYPES, LONGEST_PADDING, REFUSED_COLUMNS } from './functions.ts';
import { isEmpty, isNode, list, nodes, type TreeNode, text } from './tree.ts';

/** Where the checks put what they find. */
export type Findings = {
  refuse(problem: string): void;
  /** A regular expression in plain text, for a trial by who can run it. */
  regularExpression(pattern: string): void;
  isTimeZone(name: string): boolean;
};

const COMPARISONS: ReadonlySet<string> = new Set(
  (
    'COMPARE_EQUAL COMPARE_NOTEQUAL COMPARE_LESSTHAN COMPARE_GREATERTHAN COMPARE_LESSTHANOREQUALTO ' +
    'COMPARE_GREATERTHANOREQUALTO COMPARE_DISTINCT_FROM COMPARE_NOT_DISTINCT_FROM'
  ).split(' '),
);
const OPERATORS: ReadonlySet<string> = new Set(
  'OPERATOR_NOT OPERATOR_IS_NULL OPERATOR_IS_NOT_NULL OPERATOR_COALESCE OPERATOR_TRY COMPARE_IN COMPARE_NOT_IN'.split(
    ' ',
  ),
);

const COMMON = ['class', 'type', 'alias', 'query_location'];
const EXPRESSION_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  COLUMN_REF: ['column_names'],
  CONSTANT: ['value'],
  CAST: ['child', 'cast_type', 'try_cast'],
  COMPARISON: ['left', 'right'],
  BETWEEN: ['input', 'lower', 'upper'],
  CONJUNCTION: ['children'],
  OPERATOR: ['children'],
  CASE: ['case_checks', 'else_expr'],
  FUNCTION: 'function_name schema children filter order_bys distinct is_operator export_state catalog'.split(' '),
};

/** What people call the kinds of expressions that are refused. */
const REFUSED_KINDS: Readonly<Record<string, string>> = {
  SUBQUERY: 'a subquery',
  WINDOW: 'a window function (OVER)',
  STAR: '* or COLUMNS; name each column',
  LAMBDA: 'a lambda (write ->> to read JSON)',
  PARAMETER: 'a parameter',
  POSITIONAL_REFERENCE: 'a reference by position (#1)',
  DEFAULT: 'DEFAULT',
  COLLATE: 'COLLATE',
};

/** Reads constants, casts of constants, and functions of constants: what is the same for every row. */
function isConstant(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.class === 'CONSTANT') return true;
  if (value.class === 'CAST') return isConstant(value.child);
  return value.class === 'FUNCTION' && list(value.children).length > 0 && list(value.children).every(isConstant);
}

export const constantValue = (value: unknown): unknown =>
  isNode(value) && value.class === 'CONSTANT' && isNode(value.value) ? value.value.value : undefined;

/** Refuses a node that has a member which is not listed. */
export function onlyMembers(node: TreeNode, members: readonly string[], { refuse }: Findings): void {
  const other = Object.keys(node).find((member) => !members.includes(member));
  if (other !== undefined) refuse(`The select uses something that Opaline does not know (${other}).`);
}

/**
 * Checks an expression and all below it.
 *
 * @contract C3
 */
export function checkExpression(value: unknown, findings: Findings): void {
  const kind = isNode(value) ? text(value.class) : '';
  const check = CHECKS[kind];
  if (!isNode(value) || !check) {
    findings.refuse(`The select uses ${REFUSED_KINDS[kind] ?? `an expression that is not allowed (${kind})`}.`);
    return;
  }
  onlyMembers(value, [...COMMON, ...(EXPRESSION_MEMBERS[kind] ?? [])], findings);
  check(value, findings);
}

/** Checks a list of expressions; what is no list is refused as unknown. */
export function checkAll(values: unknown, findings: Findings): void {
  if (!Array.isArray(values)) checkExpression(values, findings);
  for (const value of list(values)) checkExpression(value, findings);
}

const isPlainPath = (path: unknown): boolean =>
  typeof path === 'number' || (typeof path === 'string' && !path.includes('*'));

function checkArguments(name: string, children: readonly unknown[], findings: Findings): void {
  const rule = ALLOWED_FUNCTIONS.get(name);
  if (!rule) return;
  for (const place of rule.constants ?? []) {
    if (place < children.length && !isConstant(children[place]))
      findings.refuse(`Argument ${place + 1} of ${name} must be a constant.`);
  }
  if (rule.regularExpression !== undefined) {
    const pattern = constantValue(children[rule.regularExpression]);
    if (typeof pattern === 'string') findings.regularExpression(pattern);
    else findings.refuse(`Argument ${rule.regularExpression + 1} of ${name} must be a plain text.`);
  }
  if (rule.length !== undefined) {
    const length = constantValue(children[rule.length]);
    const short = typeof length === 'number' && length <= LONGEST_PADDING;
    if (!short) findings.refuse(`The length in ${name} must be a number of at most ${LONGEST_PADDING}.`);
  }
  if (rule.jsonPath !== undefined && !isPlainPath(constantValue(children[rule.jsonPath])))
    findings.refuse(`The path in ${name} must be a plain text without *, or a number.`);
  if (rule.timeZone !== undefined) {
    const zone = constantValue(children[rule.timeZone]);
    if (typeof zone !== 'string' || !findings.isTimeZone(zone))
      findings.refuse('AT TIME ZONE needs a known time zone as plain text.');
  }
}

function checkFunction(node: TreeNode, findings: Findings): void {
  const name = text(node.function_name).toLowerCase();
  const isOnList = ALLOWED_FUNCTIONS.has(name) && ['', 'main'].includes(text(node.schema)) && node.catalog === '';
  if (!isOnList) {
    const instead = name === 'strptime' ? ' Use try_strptime.' : '';
    findings.refuse(
      `The function ${name} is not on the list of row-wise functions, which is in docs/series.md.${instead}`,
    );
    return;
  }
  const orders = isNode(node.order_bys) ? node.order_bys.orders : node.order_bys;
  if (node.filter !== null || node.distinct !== false || node.export_state !== false || !isEmpty(orders))
    findings.refuse(`The function ${name} is called like an aggregate (DISTINCT, FILTER or ORDER BY inside).`);
  checkArguments(name, list(node.children), findings);
  checkAll(node.children, findings);
}

function checkCast(node: TreeNode, findings: Findings): void {
  const type = isNode(node.cast_type) ? text(node.cast_type.id) : '';
  if (!CAST_TYPES.has(type)) findings.refuse('A cast names a type that is not on the list of plain types.');
  if (node.try_cast !== true && !isConstant(node.child))
    findings.refuse('Casts of columns are written TRY_CAST (INTERVAL over a column as to_minutes and its like).');
  checkExpression(node.child, findings);
}

function checkConstant(node: TreeNode, findings: Findings): void {
  const value = isNode(node.value) ? node.value.value : undefined;
  const plain = typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined;
  // Beyond this the number has been rounded on its way here, and would come back as another one.
  const exact = typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value));
  if (!plain && !exact)
    findings.refuse('Whole numbers are at most 9007199254740991; write a larger one as text in TRY_CAST.');
}

function checkColumn(node: TreeNode, findings: Findings): void {
  const column = list(node.column_names).find((name) => REFUSED_COLUMNS.has(text(name).toLowerCase()));
  if (column !== undefined) findings.refuse(`${text(column)} is not a column of a row.`);
}

function checkCase(node: TreeNode, findings: Findings): void {
  if (!Array.isArray(node.case_checks)) findings.refuse('The select holds a CASE that Opaline does not know.');
  for (const check of nodes(node.case_checks)) {
    onlyMembers(check, ['when_expr', 'then_expr'], findings);
    checkAll([check.when_expr, check.then_expr], findings);
  }
  checkExpression(node.else_expr, findings);
}

const CHECKS: Readonly<Record<string, (node: TreeNode, findings: Findings) => void>> = {
  COLUMN_REF: checkColumn,
  CONSTANT: checkConstant,
  CAST: checkCast,
  FUNCTION: checkFunction,
  CASE: checkCase,
  CONJUNCTION: (node, findings) => checkAll(node.children, findings),
  BETWEEN: (node, findings) => checkAll([node.input, node.lower, node.upper], findings),
  COMPARISON: (node, findings) => {
    if (!COMPARISONS.has(text(node.type))) findings.refuse(`The comparison ${text(node.type)} is not allowed.`);
    checkAll([node.left, node.right], findings);
  },
  OPERATOR: (node, findings) => {
    if (!OPERATORS.has(text(node.type))) findings.refuse(`The operator ${text(node.type)} is not allowed.`);
    checkAll(node.children, findings);
  },
};
