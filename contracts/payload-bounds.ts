/**
 * Bounds on what people and programs send to workflows and activities. Whoever reaches Temporal can send anything: other
 * types, no argument at all, ten thousand levels. Whatever walks over such a value by recursion would use up the stack,
 * and a workflow that throws an error of the language is repeated for ever. So this is asked first.
 */
export type PayloadBounds = {
  /** Levels of objects and lists in each other; a plain value has none. */
  levels: number;
  /** Values of every sort, the members of objects and lists among them. */
  values: number;
  /** UTF-16 units of all texts and names of members together. */
  characters: number;
};

/** Names that say something else to the language than to JSON. */
const RESERVED_NAME = '__proto__';

/**
 * Why a value is not plain JSON within the bounds, as the end of a sentence; null when it is. It uses no recursion, and
 * looks at no more than the bounds allow. Cost: O(values).
 */
export function outOfBounds(value: unknown, bounds: PayloadBounds): string | null {
  let open: unknown[] = [value];
  let values = 0;
  let characters = 0;
  for (let level = 0; open.length > 0; level += 1) {
    const inside: unknown[] = [];
    for (const one of open) {
      values += 1;
      if (typeof one === 'string') characters += one.length;
      else if (typeof one === 'object' && one !== null) {
        if (level >= bounds.levels) return `has more than ${bounds.levels} levels`;
        if (!isPlain(one)) return 'is not plain JSON';
        const names = Object.keys(one);
        if (values + inside.length + names.length > bounds.values) return `has more than ${bounds.values} values`;
        for (const name of names) {
          if (name === RESERVED_NAME) return `has a member with the name ${RESERVED_NAME}`;
          if (!Array.isArray(one)) characters += name.length;
          inside.push((one as Record<string, unknown>)[name]);
        }
      } else if (one !== undefined && one !== null && typeof one !== 'boolean' && typeof one !== 'number')
        return 'is not plain JSON';
      if (characters > bounds.characters) return `has more than ${bounds.characters} characters`;
      if (values > bounds.values) return `has more than ${bounds.values} values`;
    }
    open = inside;
  }
  return null;
}

/** A list or an object of the language itself, in whatever context it was made; no bytes, no map, no date. */
const isPlain = (value: object): boolean =>
  Array.isArray(value) || Object.getPrototypeOf(Object.getPrototypeOf(value) ?? {}) === null;
