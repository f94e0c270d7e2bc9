import type { ObjectFacts, ObjectStore } from '../../contracts/object-store.ts';
import type { ObjectCode, ObjectFault } from '../../contracts/stages.ts';
import { expectObjects, findPieceGaps, isRead } from '../../core/source-pattern/expected-objects.ts';
import {
  fillPattern,
  matchObject,
  type ObjectName,
  patternNames,
  patternPrefix,
} from '../../core/source-pattern/pattern.ts';
import { isPortableKey } from '../../services/stores/store-arguments.ts';
import { deliveryNotes, ofEachDay } from './delivery-notes.ts';
import { type Pin, partitionsOf, type SourceWindow } from './inventory.ts';

/** Digests of the objects that a clearance names, by key; null: none is asked for. */
export type ClearedDeliveries = ReadonlyMap<string, string> | null;

type Delivered = Pick<Pin, 'key' | 'sha256' | 'size'>;

/** A key as it can be shown and sent: control characters and backslashes as JSON writes them. */
const escapeKey = (key: string): string =>
  JSON.stringify(key).slice(1, -1).replaceAll('\\"', '"').replaceAll('\u007f', '\\u007f');

/** What the source holds for a window, by names alone (C6), and what the supplier and the custodian say of it. */
export type SourceListing = Awaited<ReturnType<typeof listSource>>;

/** Objects that fit no pattern and are reported, at most. */
const MOST_STRAYS = 20;

/** The text after the last placeholder: what every key of the pattern ends with. */
const patternSuffix = (pattern: string): string => /[^*}]*$/.exec(pattern)?.[0] ?? '';

/**
 * Lists the source under the pattern's prefix: the objects that the window reads, and as faults those that it misses.
 * A key that not every store can hold (a newline, bytes that are no UTF-8) is a fault of what it may feed. A key that
 * ends as the pattern does and yet does not fit it may be a delivery under a wrong name: it is reported, as a fault of no
 * partition, and is not read; what it should have been called is missing. Other stray keys (marker files, notes) are
 * nobody's input. Of a pattern that allows one object of a day and part, two are faults, and neither is read; so is what
 * the supplier's note does not name. `clearance`: objects that a clearance names; no other is looked at.
 *
 * @contract C6
 */
export async function listSource(store: ObjectStore, source: SourceWindow, clearance: ClearedDeliveries = null) {
  const { pattern, days, completeness } = source;
  const beside = [completeness?.marker, completeness?.manifest].filter((one) => one !== undefined);
  const isBeside = (key: string) => beside.some((one) => matchObject(one, key) !== null);
  const suffix = patternSuffix(pattern);
  const faultOf = (key: string, code: ObjectCode): ObjectFault => {
    const name = matchObject(pattern, key);
    return { object: escapeKey(key), code, partitions: name ? partitionsOf(source, [name]) : [] };
  };
  const objects: ObjectFacts[] = [];
  const faults: ObjectFault[] = [];
  const hits: ObjectName[] = [];
  const strays: ObjectFault[] = [];
  /** Objects that the clearance does not name. */
  const leftOut: string[] = [];
  for await (const facts of store.list(patternPrefix(pattern))) {
    const name = matchObject(pattern, facts.key);
    if (name && isRead(name, source, days)) {
      if (clearance && !clearance.has(facts.key)) {
        leftOut.push(facts.key);
        continue;
      }
      hits.push(name);
      if (isPortableKey(facts.key)) objects.push(facts);
      else faults.push(faultOf(facts.key, 'OBJECT_UNEXPECTED'));
    } else if (!name && facts.key.endsWith(suffix) && !facts.key.endsWith('/') && !isBeside(facts.key)) {
      if (strays.length < MOST_STRAYS) strays.push(faultOf(facts.key, 'OBJECT_UNEXPECTED'));
    }
  }
  const names = Map.groupBy(hits, nameText);
  for (const object of expectObjects(source, days))
    if (!names.has(nameText(object)) && object.required)
      faults.push(gapFault(source, object.key ?? fillPattern(pattern, object), object));
  for (const name of findPieceGaps(hits)) faults.push(gapFault(source, fillPattern(pattern, name), name));
  const notes = await deliveryNotes(store, source);
  // What a clearance or a note names has to be there.
  const keys = new Set([...objects.map(({ key }) => key), ...faults.map(({ object }) => object), ...leftOut]);
  for (const key of new Set([...(clearance?.keys() ?? []), ...notes.noted.keys()])) {
    const name = keys.has(key) || !isPortableKey(key) ? null : matchObject(pattern, key);
    if (name && isRead(name, source, days)) faults.push(faultOf(key, 'OBJECT_MISSING'));
  }
  const deliveries = Map.groupBy(hits, deliveryText);
  const rest = objects.filter(({ key }) => {
    const name = matchObject(pattern, key) ?? {};
    const isTwice = !patternNames(pattern).several && deliveries.get(deliveryText(name))!.length > 1;
    const isForgotten = notes.days.some((day) => mayBeOf(name, day)) && !notes.noted.has(key);
    if (isTwice || isForgotten) faults.push(faultOf(key, isTwice ? 'OBJECT_TWICE' : 'OBJECT_UNEXPECTED'));
    return !isTwice && !isForgotten;
  });
  faults.push(...notes.faults, ...strays, ...(await checkMarkers(store, source)));
  return { objects: rest, faults, leftOut, noted: notes.noted, cleared: clearance };
}

const gapFault = (source: SourceWindow, object: string, name: ObjectName): ObjectFault => ({
  object,
  code: 'OBJECT_MISSING',
  partitions: partitionsOf(source, [name]),
});

/** What a name says of the rows, to compare it. */
const nameText = ({ date, period, mode }: ObjectName): string => JSON.stringify([date, period, mode]);

/** What a name says of one delivery: a piece is a number, however it is written. */
const deliveryText = ({ piece, ...name }: ObjectName): string => `${nameText(name)} ${Number(piece ?? 0)}`;

/** Has the note of a day, and perhaps a part, to name an object of this name? */
const mayBeOf = (name: ObjectName, { date, mode }: ObjectName): boolean =>
  (name.date ?? date) === date && (name.mode ?? mode) === (mode ?? name.mode);

/**
 * The supplier's markers that are not there: each says that the objects of its day (and mode) may be incomplete, and so
 * it is a fault of every partition that they may feed. None when the series names no marker.
 *
 * @contract C6
 */
export async function checkMarkers(store: ObjectStore, source: SourceWindow): Promise<ObjectFault[]> {
  const marker = source.completeness?.marker;
  const faults: ObjectFault[] = [];
  for (const { object, name } of marker === undefined ? [] : ofEachDay(marker, source))
    if (!(await store.head(object))) faults.push(gapFault(source, object, name));
  return faults;
}

/**
 * Why an object that was read is not the one that it has to be: it has other bytes than were cleared, or than the
 * supplier's note says; null: it is. How many rows the note says decides nothing (C5).
 *
 * @contract C6
 */
export function faultOfDelivery(
  { cleared, noted }: SourceListing,
  { key, sha256, size }: Delivered,
): ObjectCode | null {
  if (cleared && cleared.get(key) !== sha256) return 'OBJECT_CHANGED';
  const note = noted.get(key);
  return note && (note.sha256 !== sha256 || (note.size ?? size) !== size) ? 'OBJECT_UNREADABLE' : null;
}
