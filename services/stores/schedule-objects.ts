import { z } from 'zod';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { namesBelow } from './json-objects.ts';
import { readMutable } from './mutable-json.ts';

const scheduleSchema = z.object({
  state: z.enum(['on', 'paused', 'removed']),
  /** Why it is paused. */
  note: z.string(),
  /** When it was made, ISO 8601 with Z: windows that it has missed count from here. */
  since: z.iso.datetime(),
});

const backfillSchema = z.object({
  series: z.string(),
  seriesDigest: z.string(),
  atOnce: z.number().int().positive(),
  state: z.enum(['running', 'paused', 'cancelled']),
  /** First days of all its windows, in order. */
  windows: z.array(z.iso.date()).min(1),
});

/** What people have set of a schedule beside its series file. Temporal acts by its own copy, which can be lost. */
export type StoredSchedule = z.output<typeof scheduleSchema>;
/** A back-fill as people have started it, and what they have set since. Its progress is in the marks of releases. */
export type StoredBackfill = z.output<typeof backfillSchema>;

/** The schedule of a series as people have set it; null when it never had one. Throws as readMutable does. */
export async function readSchedule(store: ObjectStore, series: string): Promise<StoredSchedule | null> {
  const object = await readMutable(store, RELEASE_KEYS.schedule(series));
  return object && scheduleSchema.parse(object.value);
}

/** The names of all series that have a schedule, paused ones too. */
export async function scheduleNames(store: ObjectStore): Promise<string[]> {
  const names = await namesBelow(store, RELEASE_KEYS.allSchedules);
  const schedules = await Promise.all(names.map((name) => readSchedule(store, name)));
  return names.filter((_, place) => schedules[place]?.state !== 'removed');
}

/** All back-fills that people have started, by their ids. */
export async function readBackfills(store: ObjectStore): Promise<Map<string, StoredBackfill>> {
  const backfills = new Map<string, StoredBackfill>();
  for (const id of await namesBelow(store, RELEASE_KEYS.allBackfills)) {
    const object = await readMutable(store, RELEASE_KEYS.backfill(id));
    if (object) backfills.set(id, backfillSchema.parse(object.value));
  }
  return backfills;
}
