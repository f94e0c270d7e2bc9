import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { type Series, seriesSchema } from '../../contracts/series.ts';
import { readBytes, readJson } from './json-objects.ts';
import { remembering } from './remembered.ts';

const rememberedSeries = remembering(async (store, key) => frozen(await readJson(store, key, seriesSchema)));

/**
 * The series file that a release runs under, stored write-once under its digest; read once and kept, so it is frozen.
 */
export const readSeries = (store: ObjectStore, run: { series: string; seriesDigest: string }): Promise<Series> =>
  rememberedSeries(store, RELEASE_KEYS.series(run.series, run.seriesDigest));

/** The value, which nobody can change any more, nor anything in it. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

/** The bytes of a location dictionary (C4), stored write-once under their digest. */
export const readDictionary = (store: ObjectStore, digest: string): Promise<Buffer> =>
  readBytes(store, RELEASE_KEYS.dictionary(digest));

/** The newest applied file of a series: its approvers are the ones who decide now. Throws OBJECT_MISSING. */
export async function readAppliedSeries(store: ObjectStore, series: string): Promise<Series> {
  return (await readApplied(store, series)).series;
}

/** The newest applied file of a series with its digest. Throws OBJECT_MISSING. */
export async function readApplied(store: ObjectStore, name: string): Promise<{ series: Series; digest: string }> {
  const applied = await store.readMutable(RELEASE_KEYS.appliedSeries(name));
  const digest = applied?.value.digest;
  if (typeof digest !== 'string') throw new OpalineError('OBJECT_MISSING', `The series ${name} was never applied.`);
  return { series: await readSeries(store, { series: name, seriesDigest: digest }), digest };
}

/** The names of all series that were applied, in the order of their keys. */
export async function appliedNames(store: ObjectStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of store.list(RELEASE_KEYS.allSeries)) {
    const name = key.split('/')[1]!;
    if (key === RELEASE_KEYS.appliedSeries(name)) names.push(name);
  }
  return names;
}
