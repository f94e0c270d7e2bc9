import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { FieldPath } from '../../contracts/series-issue.ts';
import { type TooMany, tooManyEntries } from './yaml-extent.ts';

/** Line and column, both from 1. */
export type Position = { line: number; column: number };

export type YamlFile = {
  /** The content as plain values; undefined when the text is no YAML. */
  value: unknown;
  /** Where the text is no YAML, and the parser's reason. */
  mistakes: (Position & { sentence: string })[];
  /** Where a field is; for a field that is not there, where its nearest parent is. */
  locate(path: FieldPath): Position;
};

/** A text that is no YAML at all can have a mistake at every second character; nobody reads more of them. */
const MISTAKES_MAX = 100;

/** In its armour, or without it: what every Ed25519 key in PKCS#8 begins with, in base64 (RFC 8410, section 7). */
const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|MC4CAQAwBQYDK2VwBCIEI/;

/** What is refused before it is parsed: a private key, and what the parser would take minutes for. */
function findRefusal(text: string): TooMany | null {
  const privateKey = PRIVATE_KEY.exec(text);
  if (!privateKey) return tooManyEntries(text);
  const sentence =
    'This is a private key. Take it out and make a new one: whoever has read this file can sign with it.';
  return { offset: privateKey.index, sentence };
}

/**
 * Reads a YAML file and remembers where everything is. Aliases are refused: a file says everything in its place. So are
 * tags, the name `__proto__`, levels without end, and private keys, of which no part is repeated.
 */
export function readYaml(text: string): YamlFile {
  const lines = new LineCounter();
  const refusal = findRefusal(text);
  const document = parseDocument(refusal ? '' : text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const locate = (path: FieldPath): Position => {
    let node: unknown = document.contents;
    let offset = start(node);
    for (const step of path) {
      const next: { value: unknown; offset: number } | null = child(node, step);
      if (!next) break;
      node = next.value;
      offset = next.offset;
    }
    return at(offset);
  };
  const mistake = (offset: number, sentence: string) => ({ ...at(offset), sentence });
  const refuse = (one: YamlFile['mistakes'][number]): YamlFile => ({ value: undefined, mistakes: [one], locate });
  if (refusal) {
    const before = text.slice(0, refusal.offset).split('\n');
    return refuse({ line: before.length, column: before.at(-1)!.length + 1, sentence: refusal.sentence });
  }
  const mistakes = [...document.errors, ...document.warnings]
    .slice(0, MISTAKES_MAX)
    .map(({ pos, message }) => mistake(pos[0], `This is no YAML: ${message.replace(/\.$/, '')}.`));
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value === '__proto__')
        mistakes.push(mistake(start(key), 'The name __proto__ is not allowed; take it out.'));
    },
  });
  if (mistakes.length > 0) return { value: undefined, mistakes, locate };
  try {
    return { value: document.toJS({ maxAliasCount: 0 }), mistakes, locate };
  } catch {
    return refuse(mistake(start(document.contents), 'Aliases (*name) are not allowed; write the value out.'));
  }
}

const start = (node: unknown): number => (isNode(node) ? ((node as Node).range?.[0] ?? 0) : 0);

/** The value under a step, and where to point: at the key of a map, at the item of a list. */
function child(node: unknown, step: string | number): { value: unknown; offset: number } | null {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
    return pair ? { value: pair.value, offset: start(pair.key) } : null;
  }
  if (isSeq(node) && typeof step === 'number') {
    const item = node.items[step];
    return item === undefined ? null : { value: item, offset: start(item) };
  }
  return null;
}
