const NEAR = 3;

/** The names that are most like the one that was asked for, at most three: by the longest shared beginning, then end. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  const likeness = (name: string) => shared(wanted, name) + shared(reversed(wanted), reversed(name)) / 1000;
  return [...names].sort((a, b) => likeness(b) - likeness(a) || (a < b ? -1 : 1)).slice(0, NEAR);
}

/** The names that are near, in a sentence that follows another; empty when there are none. */
export const nearText = (wanted: string, names: readonly string[]): string =>
  names.length === 0 ? '' : ` Near: ${nearNames(wanted, names).join(', ')}.`;

const reversed = (text: string): string => [...text].reverse().join('');

function shared(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
