import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Where a bug is planted: a declaration by its name, and in it an expression, a statement or a few, or a member. */
export type Edit = {
  /**
   * `name`, `Class.member`, or `folder/name` where the tree has the name twice and the pattern matches in both: the
   * folder is any on the way to the file, or the file without its ending.
   */
  in: string;
  /**
   * Matched on the syntax tree: layout, comments, parentheses and trailing commas do not count. A name that is no
   * longer anywhere in the declaration stands for another name, always the same one. `$name` stands for any one
   * expression, and as a statement, `$name;`, for one, or for all that follow in a block.
   */
  from: string;
  /** What replaces it, with the names of the pattern; names of other files are imported. Nothing: it goes. */
  to: string;
};

/** Sources by their paths in the tree. */
export type Tree = ReadonlyMap<string, string>;

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Declaration = { name: string; file: string; text: string; node: Node };
type Match = { file: string; start: number; end: number; bound: Map<string, string>; own: Set<string> };

const isPlantable = (file: string): boolean =>
  file.endsWith('.ts') && !file.endsWith('.test.ts') && (!file.startsWith('test/') || file.startsWith('test/oracles/'));

/** The sources of a tree as git sees them, the new ones included. */
export function sourcesIn(root: string): string[] {
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.ts'];
  const files = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return files.filter((file) => existsSync(join(root, file)));
}

/** What bugs are planted in: production, fixtures beside it, and oracles. */
export const readTree = (root: string): Tree =>
  new Map(
    sourcesIn(root)
      .filter(isPlantable)
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );

/** The files that a bug changes, as they are with it. Throws when a place is not there, or not there once. */
export function planted(tree: Tree, { id, edits }: { id: string; edits: readonly Edit[] }): Map<string, string> {
  const changed = new Map<string, string>();
  // What an edit has taken out, a later one in the same declaration may name.
  const carried = new Map<string, Map<string, string>>();
  for (const edit of edits) {
    try {
      const now = new Map([...tree, ...changed]);
      const match = placeOf(now, edit);
      const bound = new Map([...(carried.get(edit.in) ?? []), ...match.bound]);
      changed.set(...replaced(now, edit, { ...match, bound }));
      carried.set(edit.in, bound);
    } catch (error) {
      throw new Error(`${id}: in ${edit.in}, ${error instanceof Error ? error.message : error}: ${edit.from}`);
    }
  }
  return changed;
}

/** The one match in the declarations of the name; with its own names in the whole tree when none has that name. */
function placeOf(tree: Tree, edit: Edit): Match {
  const pattern = parsePattern(edit.from);
  const [name, hint] = edit.in.split('/').reverse() as [string, string?];
  const named = declarationsIn(tree, [name.split('.')[0]!]).filter((one) => one.name === name);
  const isItself = (given: string): boolean => given === name;
  const anywhere = (): Match[] =>
    declarationsIn(
      tree,
      [...namesIn(pattern)].filter((given) => !isItself(given)),
    )
      .filter((one) => !one.name.includes('.'))
      .flatMap((one) => matchesIn(one, pattern, isItself));
  const isRenamed =
    ({ text }: Declaration) =>
    (given: string, actual: string): boolean =>
      !outerNames(text).has(actual) || filesWith(tree, given, '(export )?').length === 0;
  const found = named.length > 0 ? named.flatMap((one) => matchesIn(one, pattern, isRenamed(one))) : anywhere();
  const all = [...new Map(found.map((one) => [`${one.file} ${one.start} ${one.end}`, one])).values()];
  const hinted = all.filter(({ file }) => hint !== undefined && file.split(/\/|\.ts$/).includes(hint));
  const [match, ...others] = all.length > 1 && hinted.length > 0 ? hinted : all;
  if (match && others.length === 0) return match;
  const places = named.length > 0 ? '' : ' (there is no declaration of that name)';
  throw new Error(match ? `it is there ${others.length + 1} times${places}` : `it is not there${places}`);
}

/** The files that declare a name at their top. */
function filesWith(tree: Tree, name: string, exported = ''): string[] {
  const declaration = new RegExp(`^${exported}(async )?(function\\*?|const|let|class|type) ${name}\\b`, 'm');
  return [...tree].flatMap(([file, text]) => (text.includes(name) && declaration.test(text) ? file : []));
}

/** What a file imports or declares at its top. */
function outerNames(text: string): Set<string> {
  const statements = parse(text).map((one) => (one.declaration as Node | null | undefined) ?? one);
  const declarators = statements.flatMap((one) => (one.declarations as Node[] | undefined) ?? [one]);
  return namesIn([statements.map(({ specifiers }) => specifiers), declarators.map(({ id }) => id)]);
}

/** Declarations at the top of files that hold all words, and members of classes among them. */
function declarationsIn(tree: Tree, words: readonly string[]): Declaration[] {
  const files = [...tree].filter(([, text]) => words.every((word) => word.startsWith('$') || text.includes(word)));
  return files.flatMap(([file, text]) =>
    parse(text).flatMap((statement) => {
      const node = (statement.declaration as Node | null | undefined) ?? statement;
      const declarators = (node.declarations as Node[] | undefined) ?? [node];
      const names = declarators.map(({ id }) => (id as Node | null)?.name as string | undefined);
      const members = node.type === 'ClassDeclaration' ? ((node.body as Node).body as Node[]) : [];
      return [
        ...names.flatMap((name) => (name === undefined ? [] : { name, file, text, node })),
        ...members.map((member) => ({ name: `${names[0]}.${keyOf(member.key as Node)}`, file, text, node: member })),
      ];
    }),
  );
}

const keyOf = (key: Node): string => `${key.type === 'PrivateIdentifier' ? '#' : ''}${key.name ?? key.value}`;

const parsedFiles = new Map<string, Node[]>();

function parse(text: string): Node[] {
  const known = parsedFiles.get(text);
  if (known) return known;
  const { program, errors } = parseSync('file.ts', text, { preserveParens: false });
  if (errors.length > 0) throw new Error(errors[0]!.message);
  const body = program.body as unknown as Node[];
  parsedFiles.set(text, body);
  return body;
}

/** Ways to read a piece of source, the first that can: an expression, statements, members of an object, cases. */
const READINGS: [string, string, (body: Node) => Node[]][] = [
  ['(', ')', ({ body }) => [((body as Node[])[0] as Node).expression as Node]],
  ['', '', ({ body }) => body as Node[]],
  ['({', '})', ({ body }) => (((body as Node[])[0] as Node).expression as Node).properties as Node[]],
  ['switch (0) {', '}', ({ body }) => ((body as Node[])[0] as Node).cases as Node[]],
];
const FRAME = 'async function* frame() { for (;;) {\n';

/** Nodes of a piece of source, with their places in it. */
function parsePattern(source: string): Node[] {
  for (const [before, after, nodesOf] of READINGS) {
    const head = FRAME + before;
    const { program, errors } = parseSync('piece.ts', `${head}${source}\n${after}}}`, { preserveParens: false });
    const [frame] = program.body as unknown as Node[];
    if (errors.length > 0) continue;
    const [loop] = (frame!.body as Node).body as Node[];
    const nodes = nodesOf(loop!.body as Node);
    walk(nodes, (node) => {
      node.start -= head.length;
      node.end -= head.length;
    });
    return nodes;
  }
  throw new Error(`this is no piece of source: ${source}`);
}

const childrenOf = (node: Node): [string, unknown][] =>
  Object.entries(node).filter(([key]) => !['type', 'start', 'end', 'raw', 'shorthand', 'directive'].includes(key));

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** The name of a node that is `$name`, or the statement `$name;`. */
function wildcardOf({ type, name, expression }: Node): string {
  if (type === 'ExpressionStatement') return wildcardOf(expression as Node);
  return type === 'Identifier' && (name as string).startsWith('$') ? (name as string) : '';
}

/** Are values of syntax the same: words, numbers, texts of templates, expressions of regular ones? */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (isObject(one) && isObject(other) && JSON.stringify(one) === JSON.stringify(other));
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Calls for each node but the names of properties; a shorthand member is its value alone. */
function walk(value: unknown, see: (node: Node, shorthand: boolean) => void, shorthand = false): void {
  if (Array.isArray(value)) for (const one of value) walk(one, see);
  if (!isNode(value)) return;
  see(value, shorthand);
  for (const [key, child] of childrenOf(value))
    if (!isKey(value, key)) walk(child, see, key === 'left' ? shorthand : key === 'value' && value.shorthand === true);
}

/** Is the child the name of a property, which is matched as it is? */
const isKey = (node: Node, child: string): boolean => ['key', 'property'].includes(child) && node.computed === false;

function namesIn(nodes: unknown): Set<string> {
  const names = new Set<string>();
  walk(nodes, ({ type, name }) => {
    if (type === 'Identifier') names.add(name as string);
  });
  return names;
}

/** All runs of nodes in a declaration that a pattern fits. */
function matchesIn(
  { file, text, node }: Declaration,
  pattern: Node[],
  isRenamed: (name: string, actual: string) => boolean,
): Match[] {
  const own = namesIn(node);
  const matches: Match[] = [];
  const attempt = (nodes: Node[]): void => {
    const matching = new Matching(text, (name, actual) => !own.has(name) && isRenamed(name, actual));
    if (nodes.length < pattern.length || !matching.fits(pattern, nodes.slice(0, pattern.length))) return;
    matches.push({ file, start: nodes[0]!.start, end: nodes[pattern.length - 1]!.end, bound: matching.bound, own });
  };
  attempt([node]);
  walk(node, (one) => {
    for (const [key, child] of childrenOf(one))
      if (Array.isArray(child)) for (const at of child.keys()) attempt(child.slice(at).filter(isNode));
      else if (isNode(child) && !isKey(one, key)) attempt([child]);
  });
  return matches;
}

/** Holds a pattern against syntax, and remembers what its names stand for. */
class Matching {
  readonly bound = new Map<string, string>();
  readonly #text: string;
  readonly #isRenamed: (name: string, actual: string) => boolean;

  constructor(text: string, isRenamed: (name: string, actual: string) => boolean) {
    this.#text = text;
    this.#isRenamed = isRenamed;
  }

  fits(pattern: unknown, actual: unknown): boolean {
    if (Array.isArray(pattern)) return Array.isArray(actual) && this.#fitsList(pattern, actual);
    if (!isNode(pattern) || !isNode(actual)) return !isNode(actual) && isSame(pattern, actual);
    const wild = wildcardOf(pattern);
    const name = wild || (pattern.type === 'Identifier' ? (pattern.name as string) : '');
    if (wild) return this.#binds(name, this.#text.slice(actual.start, actual.end));
    if (pattern.type !== actual.type) return false;
    if (name && !this.#binds(name, actual.name as string)) return false;
    return childrenOf(pattern).every(([key, child]) => {
      if (name && key === 'name') return true;
      if (isKey(pattern, key)) return isKey(actual, key) && keyOf(child as Node) === keyOf(actual[key] as Node);
      return this.fits(child, actual[key]);
    });
  }

  #fitsList(pattern: unknown[], actual: unknown[]): boolean {
    const last = pattern.at(-1);
    const rest = isNode(last) && last.type === 'ExpressionStatement' ? wildcardOf(last) : '';
    if (!rest) return pattern.length === actual.length && pattern.every((one, at) => this.fits(one, actual[at]));
    const nodes = actual.slice(pattern.length - 1) as Node[];
    if (!this.#fitsList(pattern.slice(0, -1), actual.slice(0, pattern.length - 1))) return false;
    return this.#binds(rest, nodes.length > 0 ? this.#text.slice(nodes[0]!.start, nodes.at(-1)!.end) : '');
  }

  /** One name stands for one thing, and no other name for the same. */
  #binds(name: string, actual: string): boolean {
    const known = this.bound.get(name);
    if (known !== undefined) return known === actual;
    if (name !== actual && !name.startsWith('$') && !this.#isRenamed(name, actual)) return false;
    if ([...this.bound.values()].includes(actual)) return false;
    this.bound.set(name, actual);
    return true;
  }
}

/** A file with the replacement in it. */
function replaced(tree: Tree, { from, to }: Edit, { file, start, end, bound, own }: Match): [string, string] {
  const text = tree.get(file)!;
  const after = text.slice(end);
  const cut = to === '' ? after.replace(/^\s*,/, '') : after;
  const nodes = to === '' ? [] : parsePattern(to);
  const inScope = new Set([...bound.keys(), ...own, ...outerNames(text), ...declaredIn(nodes), 'const']);
  const imports = [...namesIn(nodes)]
    .filter((name) => !inScope.has(name) && !(name in globalThis))
    .map((name) => importOf(tree, name, file));
  const result = `${imports.join('')}${text.slice(0, start)}${wrapped(parsePattern(from), nodes, named(to, nodes, bound))}${cut}`;
  parse(result);
  if (result === text) throw new Error('its replacement is what is there');
  return [file, result];
}

/** Source with the names that replace those of the pattern. */
function named(source: string, nodes: Node[], bound: Map<string, string>): string {
  const places: { start: number; end: number; text: string }[] = [];
  walk(nodes, (node, shorthand) => {
    const name = wildcardOf(node) || (node.type === 'Identifier' ? (node.name as string) : '');
    const text = bound.get(name);
    if (text === undefined || text === name || places.some(({ start }) => start === node.start)) return;
    places.push({ start: node.start, end: node.end, text: shorthand ? `${name}: ${text}` : text });
  });
  return places
    .sort((a, b) => b.start - a.start)
    .reduce((made, { start, end, text }) => made.slice(0, start) + text + made.slice(end), source);
}

const LOOSE = /^(Logical|Binary|Conditional|Arrow|Assignment|Sequence|Yield|Await|Unary|TSAs|TSSatisfies)/;

/** In parentheses when it would hold together less than what it replaces. */
function wrapped([from]: Node[], [to]: Node[], text: string): string {
  const isSame = from?.type === to?.type && from?.operator === to?.operator;
  return to && LOOSE.test(to.type) && !isSame ? `(${text})` : text;
}

/** Names that a piece of source declares itself. */
function declaredIn(nodes: Node[]): Set<string> {
  const names: string[] = [];
  walk(nodes, (node) => {
    for (const child of [node.id, node.params, node.param]) names.push(...namesIn(child));
  });
  return new Set(names);
}

function importOf(tree: Tree, name: string, file: string): string {
  const [source, ...others] = filesWith(tree, name, 'export ');
  if (!source || others.length > 0) throw new Error(`${name} is declared ${others.length + (source ? 1 : 0)} times`);
  const path = relative(dirname(file), source);
  return `import { ${name} } from '${path.startsWith('.') ? path : `./${path}`}';\n`;
}
