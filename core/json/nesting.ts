/**
 * How deep the brackets of a JSON text go, strings left out: 0 for a number or a text. One pass, and no stack, so that a
 * text of a stranger can be looked at before it is read. What is no JSON has some depth too.
 */
export function nesting(text: string): number {
  let [depth, deepest, inString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}
