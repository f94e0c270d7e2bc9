import type { ObjectFacts, ObjectStore } from '../../contracts/object-store.ts';
import type { ObjectFault } from '../../contracts/stages.ts';
import { expectedObjects, isRead, missingPieces } from '../../core/source-pattern/expected-objects.ts';
import {
  expectedKey,
  matchObject,
  type ObjectName,
  objectKey,
  patternNames,
  patternPrefix,
} from '../../core/source-pattern/pattern.ts';
import { isPortableKey } from '../../services/stores/store-arguments.ts';
import { partitionsOf, type SourceWindow } from './inventory.ts';

/** A key as it can be shown and sent: control characters and backslashes as JSON writes them. */
const printed = (key: string): string =>
  JSON.stringify(key).slice(1, -1).replaceAll('\\"', '"').replaceAll('\u007f', '\\u007f');

/** What the source holds for a window, by names alone (C6). */
export type SourceListing = { objects: ObjectFacts[]; faults: ObjectFault[] };

/** So many objects that fit no pattern are told. */
const MOST_STRAYS = 20;

/** The text after the last placeholder: what every key of the pattern ends with. */
const patternSuffix = (pattern: string): string => /[^*}]*$/.exec(pattern)?.[0] ?? '';

/**
 * Lists the source under the pattern's prefix: the objects that the window reads, and as faults those that it misses.
 * A key that not every store can hold (a newline, bytes that are no UTF-8) is a fault of what it may feed. A key that
 * ends as the pattern does and yet does not fit it may be a delivery under a wrong name: it is told, as a fault of no
 * partition, and is not read; what it should have been called is missing. Other stray keys (marker files, notes) are
 * nobody's input.
 *
 * @contract C6
 */
export async function listSource(store: ObjectStore, source: SourceWindow): Promise<SourceListing> {
  const { pattern, days, completeness } = source;
  const isMarker = (key: string) =>
    completeness?.marker !== undefined && matchObject(completeness.marker, key) !== null;
  const suffix = patternSuffix(pattern);
  const unexpected = (key: string, name: ObjectName | null): ObjectFault => ({
    object: printed(key),
    code: 'OBJECT_UNEXPECTED',
    partitions: name ? partitionsOf(source, [name]) : [],
  });
  const objects: ObjectFacts[] = [];
  const faults: ObjectFault[] = [];
  const found: ObjectName[] = [];
  const strays: ObjectFault[] = [];
  for await (const facts of store.list(patternPrefix(pattern))) {
    const name = matchObject(pattern, facts.key);
    if (name && isRead(name, source, days)) {
      found.push(name);
      if (isPortableKey(facts.key)) objects.push(facts);
      else faults.push(unexpected(facts.key, name));
    } else if (!name && facts.key.endsWith(suffix) && !facts.key.endsWith('/') && !isMarker(facts.key)) {
      if (strays.length < MOST_STRAYS) strays.push(unexpected(facts.key, null));
    }
  }
  for (const expected of expectedObjects(source, days)) {
    const present = found.some(
      ({ date, period, mode }) => date === expected.date && period === expected.period && mode === expected.mode,
    );
    if (present || !expected.required) continue;
    const object = expected.key ?? expectedKey(pattern, expected);
    faults.push({ object, code: 'OBJECT_MISSING', partitions: partitionsOf(source, [expected]) });
  }
  for (const name of missingPieces(found))
    faults.push({
      object: expectedKey(pattern, name),
      code: 'OBJECT_MISSING',
      partitions: partitionsOf(source, [name]),
    });
  faults.push(...strays, ...(await missingMarkers(store, source)));
  return { objects, faults };
}

/**
 * The supplier's markers that are not there: each says that the objects of its day (and mode) may be incomplete, and so
 * it is a fault of every partition that they may feed. None when the series names no marker. That of the overlap day is
 * not asked for, as its objects are not.
 *
 * @contract C6
 */
export async function missingMarkers(store: ObjectStore, source: SourceWindow): Promise<ObjectFault[]> {
  const marker = source.completeness?.marker;
  if (marker === undefined) return [];
  const parts = patternNames(marker).mode ? source.parts : [undefined];
  const faults: ObjectFault[] = [];
  for (const date of source.days)
    for (const mode of parts) {
      const name: ObjectName = { date, ...(mode !== undefined && { mode }) };
      const object = objectKey(marker, name);
      if (await store.head(object)) continue;
      faults.push({ object, code: 'OBJECT_MISSING', partitions: partitionsOf(source, [name]) });
    }
  return faults;
}
