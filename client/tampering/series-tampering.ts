import { orderSchema, seriesSignatureSchema } from '../../contracts/formats/order.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { readDocuments } from '../../services/signing/signed-objects.ts';
import { keysBelow, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { listSeriesNames, readApplied } from '../../services/stores/series-objects.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { faultOf } from './fault.ts';

/**
 * Series files and public lists that are not what their digests say, pointers to files that are not there, and objects
 * among the signed ones that are not signed documents.
 */
export async function* seriesFindings(store: ObjectStore): AsyncGenerator<Diagnosis> {
  const command = 'opaline schedule apply SERIES.yaml';
  const names = await listSeriesNames(store);
  for (const name of names) {
    const sentence = await faultOf(`The newest applied file of ${name}`, () => readApplied(store, name));
    if (sentence) yield { sentence: `${name}: ${sentence}`, command };
  }
  const pointers = new Set<string>(names.map(RELEASE_KEYS.appliedSeries));
  // The last part of a key begins with the SHA-256 of the bytes.
  for (const prefix of [RELEASE_KEYS.allSeries, RELEASE_KEYS.allDictionaries])
    for await (const { key } of store.list(prefix)) {
      if (pointers.has(key)) continue;
      const digest = sha256(await readBytes(store, key));
      if (key.split('/').at(-1)!.startsWith(`${digest}.`)) continue;
      const sentence = `The stored object ${key} is not what its digest says: find out who changed it, and put it back from a backup.`;
      yield { sentence, command };
    }
  yield* junkFindings(store, RELEASE_KEYS.allSeriesSignatures, seriesSignatureSchema);
  yield* junkFindings(store, RELEASE_KEYS.allOrders, orderSchema);
}

/** Objects among those that policy keys sign that have another form: all are read, and passed over. */
async function* junkFindings(
  store: ObjectStore,
  prefix: string,
  schema: Parameters<typeof readDocuments>[2],
): AsyncGenerator<Diagnosis> {
  const documents = await readDocuments(store, prefix, schema, () => true);
  const others = (await keysBelow(store, prefix)).length - documents.length;
  const sentence = `${others} objects below ${prefix} are no signed documents: somebody wrote there. They are passed over; have them taken away.`;
  if (others > 0) yield { sentence, command: 'opaline doctor' };
}
