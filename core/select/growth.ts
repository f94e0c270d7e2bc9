import { constantValue } from './expressions.ts';
import { ALLOWED_FUNCTIONS, LONGEST_PADDING, type SizeRule } from './functions.ts';
import { isNode, list, nodes, type TreeNode, text } from './tree.ts';

/**
 * How much an accepted select can make of one row (C3, C6): a bound from the tree alone, so that no row can use up
 * memory. A function keeps its results until it is called for the next rows, so the results of all functions are added
 * up, those of nested ones too. Of a CASE one branch counts, since a row takes one; of parts of one JSON document all
 * together are no longer than it. Bounds and their reasons: growth.proof.md.
 */

/** A value of the source longer than this, in bytes, makes its row a reject; a line of JSON is one value. */
export const LONGEST_VALUE = 4096;

/** Most bytes that a select may make of one row. DuckDB works on 2,048 rows at a time: 320 MiB for each thread. */
export const MOST_MADE = 40 * LONGEST_VALUE;

/** A number, a date, an interval or a truth value, written out. */
const PLAIN_BYTES = 64;
/** Most bytes of one character in UTF-8. */
const CHARACTER_BYTES = 4;
/** A number such as 1e20 comes back with all its digits. */
const JSON_GROWTH = 6;

/** How often each part of a document is taken: column → path, such as `.a[0].b` → times. */
type Parts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * `longest`: bytes of the result at most; `made`: of it and of all results on the way to it, except the `parts` of
 * documents that are taken on the way.
 */
type Size = { longest: number; made: number; parts: Parts };

const NO_PARTS: Parts = new Map();
const NOTHING: Size = { longest: 0, made: 0, parts: NO_PARTS };

/** A result that is handed on or fits a few bytes: nothing new is made. */
const handOn = (longest: number, sizes: readonly Size[]): Size => ({
  longest,
  made: sumOf(sizes, 'made'),
  parts: joinParts(sizes, (a, b) => a + b),
});
const sumOf = (sizes: readonly Size[], what: 'longest' | 'made'): number =>
  sizes.reduce((sum, size) => sum + size[what], 0);
const mostOf = (sizes: readonly Size[], what: 'longest' | 'made'): number =>
  sizes.reduce((most, size) => Math.max(most, size[what]), 0);

/** The parts of several results, where times are added up, or the most of them taken. */
function joinParts(sizes: readonly Size[], join: (a: number, b: number) => number): Parts {
  const all = new Map<string, Map<string, number>>();
  for (const [column, paths] of sizes.flatMap(({ parts }) => [...parts])) {
    const times = all.get(column) ?? new Map<string, number>();
    all.set(column, times);
    for (const [path, many] of paths) times.set(path, join(times.get(path) ?? 0, many));
  }
  return all;
}

/** Parts of one document overlap only where one path goes on from the other: then the inner part counts for both. */
const bytesOfParts = (parts: Parts): number =>
  [...parts.values()].reduce((sum, paths) => sum + JSON_GROWTH * LONGEST_VALUE * mostTaken([...paths]), 0);
const mostTaken = (paths: readonly (readonly [path: string, times: number])[]): number =>
  Math.max(...paths.map(([inner]) => paths.reduce((sum, [path, times]) => sum + (goesOn(path, inner) ? times : 0), 0)));
const goesOn = (path: string, inner: string): boolean =>
  inner.startsWith(path) && /^([.[]|$)/.test(inner.slice(path.length));

type Call = { sizes: readonly Size[]; children: readonly unknown[] };
const longestOf = ({ sizes }: Call, place: number): number => sizes[place]?.longest ?? 0;
const bytesOf = (value: unknown): number => new TextEncoder().encode(String(value)).length;

const constantBytes = (value: unknown): number => (typeof value === 'string' ? bytesOf(value) : PLAIN_BYTES);

function replaceSize(call: Call): number {
  const from = constantValue(call.children[1]);
  const fromBytes = typeof from === 'string' ? Math.max(1, bytesOf(from)) : 1;
  return Math.ceil(longestOf(call, 0) * Math.max(1, longestOf(call, 2) / fromBytes));
}

/** Matches do not overlap: their texts together are no longer than the input, and one more of them may be empty. */
function patternReplaced(call: Call): number {
  const [input, replacement] = [longestOf(call, 0), longestOf(call, 2)];
  const template = constantValue(call.children[2]);
  const references = typeof template === 'string' ? (template.match(/\\[0-9]/g) ?? []).length : replacement / 2;
  const matches = call.children.length > 3 ? input + 1 : 1;
  return Math.ceil(input * (1 + references) + matches * replacement);
}

/** Bytes of the result at most. */
const SIZES: Readonly<Record<SizeRule, (call: Call) => number>> = {
  fixed: () => PLAIN_BYTES,
  first: (call) => longestOf(call, 0),
  letters: (call) => 2 * longestOf(call, 0),
  sum: ({ sizes }) => sumOf(sizes, 'longest'),
  separated: (call) => sumOf(call.sizes, 'longest') + call.sizes.length * longestOf(call, 0),
  largest: ({ sizes }) => mostOf(sizes, 'longest'),
  replace: replaceSize,
  translate: (call) => CHARACTER_BYTES * longestOf(call, 0),
  padding: () => CHARACTER_BYTES * LONGEST_PADDING,
  pattern: patternReplaced,
  // Two bytes name the longest part, a time zone or a date with its year.
  format: (call) => 32 * longestOf(call, 1),
  json: (call) => JSON_GROWTH * longestOf(call, 0),
  end: (call) => charactersOf(call, 1),
  substring: (call) => charactersOf(call, 2),
};

/** As many characters as the argument says where it is a plain number; left(a, −2) is all but two. */
function charactersOf(call: Call, place: number): number {
  const many = constantValue(call.children[place]);
  const most = typeof many === 'number' && many >= 0 ? CHARACTER_BYTES * many : Number.POSITIVE_INFINITY;
  return Math.min(longestOf(call, 0), most);
}

/** A function, with what it makes itself. */
type Maker = { name: string; bytes: number };

/** What is known of the select so far: who made what, and the items that later ones may name by their alias. */
type Known = { makers: Maker[]; aliases: Map<string, Size> };

/**
 * A column of the source, or where it has none of that name, an item of the select that was named before: it is then
 * computed again.
 */
function columnSize(node: TreeNode, { aliases }: Known): Size {
  const [name, ...others] = list(node.column_names).map(text);
  const item = others.length === 0 ? aliases.get((name ?? '').toLowerCase()) : undefined;
  return { ...(item ?? NOTHING), longest: Math.max(LONGEST_VALUE, item?.longest ?? 0) };
}

function sizeOf(value: unknown, state: Known): Size {
  if (!isNode(value)) return NOTHING;
  const sizes = (values: unknown): Size[] => list(values).map((each) => sizeOf(each, state));
  switch (value.class) {
    case 'COLUMN_REF':
      return columnSize(value, state);
    case 'CONSTANT':
      return { ...NOTHING, longest: constantBytes(constantValue(value)) };
    case 'CAST':
      return castSize(value, sizeOf(value.child, state));
    case 'FUNCTION':
      return functionSize(value, sizes(value.children), state);
    case 'CASE':
      return caseSize(value, state);
    case 'OPERATOR': {
      const parts = sizes(value.children);
      return handOn(mostOf(parts, 'longest'), parts);
    }
    default:
      return handOn(
        PLAIN_BYTES,
        sizes([value.left, value.right, value.input, value.lower, value.upper].concat(value.children)),
      );
  }
}

function castSize(node: TreeNode, child: Size): Size {
  const isText = isNode(node.cast_type) && node.cast_type.id === 'VARCHAR';
  if (!isText) return handOn(PLAIN_BYTES, [child]);
  return { ...child, made: child.made + child.longest };
}

function functionSize(node: TreeNode, sizes: readonly Size[], state: Known): Size {
  const name = text(node.function_name).toLowerCase();
  const rule = ALLOWED_FUNCTIONS.get(name)?.size ?? 'fixed';
  const children = list(node.children);
  const longest = SIZES[rule]({ sizes, children });
  const before = handOn(longest, sizes);
  if (rule === 'fixed') return before;
  state.makers.push({ name, bytes: longest });
  const part = rule === 'json' ? partTaken(children, state) : null;
  if (part) return { ...before, parts: joinParts([before, { ...NOTHING, parts: part }], (a, b) => a + b) };
  return { ...before, made: before.made + longest };
}

/** A name, or names and places one after another; what has other characters may name a part in more ways than one. */
const PLAIN_PATH = /^(?:\$((?:\.[A-Za-z_]\w*|\[(?:0|[1-9]\d*)\])*)|([A-Za-z_]\w*))$/;

/** The part of a document of the source that is taken, where a plain path says which; else null. */
function partTaken([document, where]: readonly unknown[], { aliases }: Known): Parts | null {
  const names = isNode(document) && document.class === 'COLUMN_REF' ? list(document.column_names) : [];
  const column = text(names[0]).toLowerCase();
  const value = constantValue(where);
  const path = PLAIN_PATH.exec(typeof value === 'number' ? `$[${value}]` : text(value));
  if (names.length !== 1 || aliases.has(column) || !path) return null;
  return new Map([[column, new Map([[path[1] ?? `.${path[2]}`, 1]])]]);
}

function caseSize(node: TreeNode, state: Known): Size {
  const checks = nodes(node.case_checks);
  const conditions = checks.map((check) => sizeOf(check.when_expr, state));
  const branches = [...checks.map((check) => check.then_expr), node.else_expr].map((each) => sizeOf(each, state));
  const longest = mostOf(branches, 'longest');
  const branch = { longest, made: mostOf(branches, 'made'), parts: joinParts(branches, Math.max) };
  return handOn(longest, [...conditions, branch]);
}

/**
 * Why a select with these items and this WHERE can make too much of a row, as one sentence that names the function which
 * makes most; null when it cannot. All else in the tree must be allowed.
 *
 * @contract C3
 */
export function growthProblem(items: readonly TreeNode[], where: unknown): string | null {
  const state: Known = { makers: [], aliases: new Map() };
  const sizes = items.map((item) => {
    const size = sizeOf(item, state);
    if (text(item.alias) !== '') state.aliases.set(text(item.alias).toLowerCase(), size);
    return size;
  });
  const all = handOn(0, [...sizes, sizeOf(where, state)]);
  const total = all.made + bytesOfParts(all.parts);
  if (total <= MOST_MADE) return null;
  const most = state.makers.reduce((a, b) => (b.bytes > a.bytes ? b : a), { name: 'a cast', bytes: 0 });
  return (
    `The select can make ${Math.ceil(total / LONGEST_VALUE)} times the longest value of one row, mostly by ${most.name}; ` +
    `at most ${MOST_MADE / LONGEST_VALUE} times is allowed: use fewer or shorter texts there, or prepare the column beforehand.`
  );
}
