import { z } from 'zod';
import { parseReleasePath, RELEASE_KEYS, type ReleaseReference } from '../../contracts/names.ts';
import type { ObjectReader, ObjectStore } from '../../contracts/object-store.ts';
import { jsonBytes, jsonOrNull, keysBelow, putOnce, readBytes, readBytesIfPresent } from './json-objects.ts';

/** What marks a release as run by a workflow execution, named by its first run, which stays the same in a reset. */
export const executionMark = (execution: string): Buffer => jsonBytes({ execution });

/** The marks of a release, whoever put them there, the newest last. */
export async function readExecutions(
  store: ObjectStore,
  release: ReleaseReference,
): Promise<{ number: number; bytes: Buffer }[]> {
  const prefix = RELEASE_KEYS.executionsOf(release);
  const marks: { number: number; bytes: Buffer }[] = [];
  for await (const { key } of store.list(prefix)) {
    const number = Number(key.slice(prefix.length).replace(/\.json$/, ''));
    if (key === RELEASE_KEYS.execution(release, number)) marks.push({ number, bytes: await readBytes(store, key) });
  }
  return marks.sort((a, b) => a.number - b.number);
}

/**
 * The windows of a series of which a release has run, whatever became of it: from the store's own marks, because
 * Temporal forgets workflows after its retention.
 */
export async function windowsThatRan(store: ObjectStore, series: string): Promise<Set<string>> {
  const keys = await keysBelow(store, RELEASE_KEYS.executions(series));
  return new Set(keys.flatMap((key) => parseReleasePath(key.split('/').slice(1, 4).join('/'))?.window ?? []));
}

const STARTER_FORMAT = 'opaline-starter/1';
const starterSchema = z.strictObject({ format: z.literal(STARTER_FORMAT), subject: z.string().min(1).max(200) });

/** Records who starts a release, before it is started; the first record is kept. */
export async function recordStarter(store: ObjectStore, release: ReleaseReference, subject: string): Promise<void> {
  await putOnce(store, RELEASE_KEYS.starter(release), jsonBytes({ format: STARTER_FORMAT, subject }));
}

/** Who is recorded as having started a release; null: nobody is. It is a record and no proof. */
export async function readStarter(store: ObjectReader, release: ReleaseReference): Promise<string | null> {
  const bytes = await readBytesIfPresent(store, RELEASE_KEYS.starter(release));
  return (bytes && starterSchema.safeParse(jsonOrNull(bytes.toString('utf8'))).data?.subject) ?? null;
}
