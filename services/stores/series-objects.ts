import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { type Series, seriesSchema } from '../../contracts/series.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import { mapAtOnce } from '../at-once.ts';
import { keysBelow, readBytes, sha256 } from './json-objects.ts';
import { readMutable } from './mutable-json.ts';
import { remember } from './object-cache.ts';

/** Key and digest of what is read say the same: a file that was edited in its place is not taken. */
const rememberedSeries = remember(async (store, key) => {
  const bytes = await readBytes(store, key);
  const series = seriesSchema.parse(JSON.parse(bytes.toString('utf8')));
  if (RELEASE_KEYS.series(series.series, sha256(bytes)) === key) return frozen(series);
  throw new OpalineError(
    'COPY_DIFFERS',
    'A stored series file is not what its digest says; find out who changed it, and put it back from a backup.',
  );
});

/**
 * The series file that a release runs under, stored write-once under its digest; read once and kept, so it is frozen.
 * Throws COPY_DIFFERS when the bytes have another digest.
 */
export const readSeries = (store: ObjectStore, run: { series: string; seriesDigest: string }): Promise<Series> =>
  rememberedSeries(store, RELEASE_KEYS.series(run.series, run.seriesDigest));

/** The value, which nobody can change any more, nor anything in it. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

/**
 * What reads a stored series as one of a kind, once for each; what it gives is kept and frozen, as stored series are. It
 * throws as the schema does.
 */
export const seriesReader = <KindSeries>(schema: { parse(series: Series): KindSeries }) =>
  oncePer((series: Series) => frozen(schema.parse(series)));

/** The bytes of a location dictionary (C4), stored write-once under their digest. Throws COPY_DIFFERS. */
export async function readDictionary(store: ObjectStore, digest: string): Promise<Buffer> {
  const bytes = await readBytes(store, RELEASE_KEYS.dictionary(digest));
  if (sha256(bytes) === digest) return bytes;
  throw new OpalineError('COPY_DIFFERS', 'A stored list of locations is not what its digest says; put it back.');
}

/** The newest applied file of a series with its digest. Throws OBJECT_MISSING. */
export async function readApplied(store: ObjectStore, name: string): Promise<{ series: Series; digest: string }> {
  const pointer = await readMutable(store, RELEASE_KEYS.appliedSeries(name));
  const digest = pointer?.value.digest;
  if (typeof digest !== 'string') throw new OpalineError('OBJECT_MISSING', `The series ${name} was never applied.`);
  return { series: await readSeries(store, { series: name, seriesDigest: digest }), digest };
}

/** The names of all series that were applied, in the order of their keys. */
export async function listSeriesNames(store: ObjectStore): Promise<string[]> {
  const keys = await keysBelow(store, RELEASE_KEYS.allSeries);
  return keys.flatMap((key) => {
    const name = key.split('/')[1]!;
    return key === RELEASE_KEYS.appliedSeries(name) ? [name] : [];
  });
}

/** All series of a release store, each as its newest applied file has it. */
export async function everyAppliedSeries(store: ObjectStore): Promise<Series[]> {
  // A file that this build cannot read hides no other series from the monitors.
  const read = (name: string) => readApplied(store, name).catch(() => null);
  return (await mapAtOnce(await listSeriesNames(store), 1, read)).flatMap((file) => file?.series ?? []);
}
