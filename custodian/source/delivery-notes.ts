import { z } from 'zod';
import { digestText } from '../../contracts/formats/common.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { ObjectCode, ObjectFault } from '../../contracts/stages.ts';
import { type ObjectName, objectKey, patternNames } from '../../core/source-pattern/pattern.ts';
import { csvFields, listLines } from '../../core/text/csv.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import { partitionsOf, type SourceWindow } from './inventory.ts';

/** A note of a day names far fewer objects than that. */
const MOST_BYTES = 16 * 2 ** 20;

const whole = z
  .string()
  .regex(/^\d{0,15}$/)
  .transform((text) => (text === '' ? undefined : Number(text)))
  .optional();

/** One line of a delivery note. How many rows it says is for the custodian alone (C5). */
const notedObject = z.object({
  name: z.string().min(1),
  size: whole,
  sha256: z.string().toLowerCase().pipe(digestText),
  rows: whole,
});

export type NotedObject = Omit<z.output<typeof notedObject>, 'name'>;

/** The supplier's notes of a window, by the keys that they name; `days`: those of the notes that were read. */
export type DeliveryNotes = { noted: Map<string, NotedObject>; days: ObjectName[]; faults: ObjectFault[] };

/**
 * One object of the supplier for each day of the window, and each part where the pattern names it. That of the overlap
 * day is not asked for, as its objects are not.
 */
export function* ofEachDay(pattern: string, source: SourceWindow): Generator<{ object: string; name: ObjectName }> {
  const parts = patternNames(pattern).mode ? source.parts : [undefined];
  for (const date of source.days)
    for (const mode of parts) {
      const name: ObjectName = { date, ...(mode !== undefined && { mode }) };
      yield { object: objectKey(pattern, name), name };
    }
}

/**
 * Reads the delivery notes of a window. A note that is missing, or is not one, is a fault of all that its day may feed.
 *
 * @contract C6
 */
export async function deliveryNotes(store: ObjectStore, source: SourceWindow): Promise<DeliveryNotes> {
  const notes: DeliveryNotes = { noted: new Map(), days: [], faults: [] };
  const pattern = source.completeness?.manifest;
  if (pattern === undefined) return notes;
  for (const { object, name } of ofEachDay(pattern, source)) {
    const fault = (code: ObjectCode) => notes.faults.push({ object, code, partitions: partitionsOf(source, [name]) });
    const facts = await store.head(object);
    const lines = facts && facts.size <= MOST_BYTES ? readNote(await readBytes(store, object)) : null;
    if (lines === null) {
      fault(facts ? 'OBJECT_UNREADABLE' : 'OBJECT_MISSING');
      continue;
    }
    notes.days.push(name);
    // Names begin at the folder of the note.
    const folder = object.slice(0, object.lastIndexOf('/') + 1);
    for (const { name, ...noted } of lines) notes.noted.set(folder + name, noted);
  }
  return notes;
}

/** The lines of a note: CSV with the columns name and sha256, and perhaps size and rows; null when it is not one. */
function readNote(bytes: Buffer): z.output<typeof notedObject>[] | null {
  try {
    const lines = listLines(bytes.toString('utf8')).filter((line) => line !== '');
    const [header = [], ...rows] = lines.map((line) => csvFields(line));
    if (!header.includes('name') || !header.includes('sha256')) return null;
    return rows.map((row) => notedObject.parse(Object.fromEntries(header.map((name, place) => [name, row[place]]))));
  } catch {
    return null;
  }
}
