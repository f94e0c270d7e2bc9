import { type CST, Parser } from 'yaml';

/** Members of one map. The parser compares each key with all others of its map. */
const MEMBERS_MAX = 2_000;
/** Entries of all lists and maps together; the longest list of a series is a header of ten thousand names. */
const ENTRIES_MAX = 20_000;

/** Levels of lists and maps; a series has a handful. The parser calls itself for each, and may run out of its stack. */
const LEVELS_MAX = 100;

/** Where a file has too many entries, or too many levels, and what to say of it. */
export type TooMany = { offset: number; sentence: string };

/**
 * Looks at the tokens of a YAML file before anything is made of them: null when its lists and maps are of a size that a
 * series can have. Cost: O(text), where the parser takes minutes for a map of fifty thousand members.
 */
export function tooManyEntries(text: string): TooMany | null {
  let entries = 0;
  const open: { token: CST.Token; level: number }[] = [];
  for (const document of new Parser().parse(text)) {
    open.push({ token: document, level: 0 });
    for (let next = open.pop(); next; next = open.pop()) {
      const { token, level } = next;
      if (token.type === 'document' && token.value) open.push({ token: token.value, level });
      if (!('items' in token)) continue;
      entries += token.items.length;
      const isMap = token.type === 'block-map' || (token.type === 'flow-collection' && token.start.source === '{');
      const { offset } = token;
      if (level > LEVELS_MAX)
        return { offset, sentence: 'The file is nested too deeply; a handful of levels is enough.' };
      if (isMap && token.items.length > MEMBERS_MAX)
        return { offset, sentence: `A field has more than ${MEMBERS_MAX} members; no series needs that many.` };
      if (entries > ENTRIES_MAX)
        return { offset, sentence: `The file has more than ${ENTRIES_MAX} entries; no series needs that many.` };
      for (const { key, value } of token.items) {
        if (key) open.push({ token: key, level: level + 1 });
        if (value) open.push({ token: value, level: level + 1 });
      }
    }
  }
  return null;
}
