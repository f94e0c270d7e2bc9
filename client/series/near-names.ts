const NEAR = 3;

/** The names that are most like the one that was asked for, at most three: by the longest shared beginning, then end. */
export function nearNames(query: string, names: readonly string[]): string[] {
  const likeness = (name: string) => countShared(query, name) + countShared(reverse(query), reverse(name)) / 1000;
  return [...names].sort((a, b) => likeness(b) - likeness(a) || (a < b ? -1 : 1)).slice(0, NEAR);
}

/** The names that are near, in a sentence that follows another; empty when there are none. */
export const nearText = (query: string, names: readonly string[]): string =>
  names.length === 0 ? '' : ` Near: ${nearNames(query, names).join(', ')}.`;

const reverse = (text: string): string => [...text].reverse().join('');

function countShared(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
