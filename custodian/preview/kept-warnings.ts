import { z } from 'zod';
import { PRIVATE_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { jsonBytes, keysBelow, putOnce, readJson } from '../../services/stores/json-objects.ts';
import { type InputWarning, WARNING_KINDS } from './input-warnings.ts';

/** Warnings of one look at the source, until the private worker has reported them. */
const keptSchema = z.strictObject({
  format: z.literal('opaline-input-warnings/2'),
  release: z.string(),
  round: z.number().int().nonnegative(),
  found: z.enum(['ingest', 'bin']),
  warnings: z.array(z.strictObject({ kind: z.enum(WARNING_KINDS), sentence: z.string() })),
});

export type KeptWarnings = z.infer<typeof keptSchema>;

/** A look at the source: which stage of which round. */
export type Look = Pick<KeptWarnings, 'round' | 'found'>;

/**
 * Keeps what a look at the source has found, even if it found nothing: of what is written, only the text depends on
 * rows (C5). Safe to run twice: the first record is kept.
 */
export async function keepWarnings(
  store: ObjectStore,
  release: ReleaseReference,
  { round, found }: Look,
  warnings: readonly InputWarning[],
): Promise<void> {
  const record = { format: 'opaline-input-warnings/2', release: releasePath(release), round, found, warnings };
  await putOnce(store, PRIVATE_KEYS.warnings(release, round, found), jsonBytes(record));
}

/** Keys of warnings that were not reported yet. */
export async function listUnreported(store: ObjectStore): Promise<string[]> {
  const keys = new Set(await keysBelow(store, PRIVATE_KEYS.allWarnings));
  return [...keys].filter((key) => !key.endsWith(REPORTED) && !keys.has(`${key}${REPORTED}`));
}

const REPORTED = '.told';

export const readWarnings = (store: ObjectStore, key: string): Promise<KeptWarnings> =>
  readJson(store, key, keptSchema);

/** Warnings of all releases that are kept, none of those without any; the newest window first, at most `most`. */
export async function listWarnings(store: ObjectStore, most: number): Promise<KeptWarnings[]> {
  const keys = (await keysBelow(store, PRIVATE_KEYS.allWarnings)).filter((key) => !key.endsWith(REPORTED));
  const windowOf = (key: string): string => key.split('/')[2]!;
  const all: KeptWarnings[] = [];
  for (const key of keys.sort((a, b) => windowOf(b).localeCompare(windowOf(a)))) {
    if (all.length === most) break;
    const record = await readWarnings(store, key);
    if (record.warnings.length > 0) all.push(record);
  }
  return all;
}

/** Notes that the warnings were reported to the custodian. */
export async function markReported(store: ObjectStore, key: string): Promise<void> {
  await store.putIfAbsent(`${key}${REPORTED}`, Buffer.from('{}\n'));
}
