/**
 * How alike the rows of two objects are, from a sketch of each: the lowest keyed hashes of its rows, a row as often as it
 * is there. All hashes below the greatest of a full sketch are in it, with the times that they occur, so that of two
 * objects exactly the rows below both greatest can be compared: a random part of the rows, the same of both.
 */

/** Hashes that are kept of an object. The standard error of a share of 0.8 is 0.025 then. */
export const SKETCH_ROWS = 256;

/** With fewer rows than this, the sketches say nothing. */
const FEWEST_ROWS = 20;

/** From this share on two objects may be one delivery. Of usual pieces of a day some rows are equal (C3). */
const ALIKE = 0.8;

/** The lowest hashes of an object's rows in ascending order: whole numbers below 2^32, which few rows have in common. */
export type Sketch = readonly number[];

/** All hashes of the object below this are in its sketch. */
const endOf = (sketch: Sketch): number => sketch[SKETCH_ROWS - 1] ?? Infinity;

/** The sketch with more rows. Hardly a row of many is below all of a full one. */
export function lowestHashes(sketch: Sketch, hashes: Uint32Array): Sketch {
  const end = endOf(sketch);
  const lower = hashes.filter((hash) => hash < end);
  return lower.length === 0 ? sketch : [...sketch, ...lower].sort((a, b) => a - b).slice(0, SKETCH_ROWS);
}

/** Two objects, and the share of its rows that the smaller one seems to have in common with the other. */
export type AlikeObjects = { objects: [string, string]; share: number };

/** Pairs of objects whose rows are alike. Cost: O(hashes), where few hashes are in many objects. */
export function alikeObjects(objects: readonly { object: string; sketch: Sketch }[]): AlikeObjects[] {
  const holders = new Map<number, number[]>();
  const alike: AlikeObjects[] = [];
  for (const [place, { object, sketch }] of objects.entries()) {
    const others = new Set<number>();
    for (const hash of new Set(sketch)) {
      const owners = holders.get(hash) ?? [];
      for (const other of owners) others.add(other);
      holders.set(hash, [...owners, place]);
    }
    for (const other of [...others].sort((a, b) => a - b)) {
      const share = likeness(objects[other]!.sketch, sketch);
      if (share !== null && share >= ALIKE) alike.push({ objects: [objects[other]!.object, object], share });
    }
  }
  return alike;
}

/** The part of the rows of the smaller object that the other has too, by the sketches; null: they say nothing. */
export function likeness(a: Sketch, b: Sketch): number | null {
  const end = Math.min(endOf(a), endOf(b));
  const [ofA, ofB] = [a, b].map((sketch) => sketch.filter((hash) => hash < end)) as [number[], number[]];
  const size = Math.min(ofA.length, ofB.length);
  if (size < FEWEST_ROWS) return null;
  const times = Map.groupBy(ofB, (hash) => hash);
  const common = [...Map.groupBy(ofA, (hash) => hash)].map(([hash, own]) =>
    Math.min(own.length, times.get(hash)?.length ?? 0),
  );
  return common.reduce((sum, one) => sum + one, 0) / size;
}
