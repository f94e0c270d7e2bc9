/** Member → its place in the list. */
export const placesOf = (members: readonly string[]): ReadonlyMap<string, number> =>
  new Map(members.map((member, place) => [member, place]));

/** For each text of a list its place in another, −1 for none. */
export function codesIn(from: readonly string[], to: readonly string[]): Int32Array {
  const places = placesOf(to);
  return Int32Array.from(from, (text) => places.get(text) ?? -1);
}
