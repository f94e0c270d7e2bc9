import { orderSchema, seriesSignatureSchema } from '../../contracts/formats/order.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { signedBelow } from '../../services/signing/signed-objects.ts';
import { readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { readApplied } from '../../services/stores/series-objects.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { said } from './said.ts';

const APPLY = 'opaline schedule apply SERIES.yaml';

/** Series files and public lists that are not what their digests say, and pointers to files that are not there. */
export async function seriesFindings(store: ObjectStore): Promise<Diagnosis[]> {
  const findings: Diagnosis[] = [];
  for await (const { key } of store.list(RELEASE_KEYS.allSeries)) {
    const [, name = ''] = key.split('/');
    const isPointer = key === RELEASE_KEYS.appliedSeries(name);
    const sentence = isPointer ? await pointerSentence(store, name) : await digestSentence(store, key);
    if (sentence) findings.push({ sentence: `${name}: ${sentence}`, command: APPLY });
  }
  for await (const { key } of store.list(RELEASE_KEYS.allDictionaries)) {
    const sentence = await digestSentence(store, key);
    if (sentence) findings.push({ sentence, command: APPLY });
  }
  findings.push(...(await junkFindings(store, RELEASE_KEYS.allSeriesSignatures, seriesSignatureSchema)));
  findings.push(...(await junkFindings(store, RELEASE_KEYS.allOrders, orderSchema)));
  return findings;
}

/** Objects among those that policy keys sign that are none of theirs by their form: all are passed over, and read. */
async function junkFindings(
  store: ObjectStore,
  prefix: string,
  schema: Parameters<typeof signedBelow>[2],
): Promise<Diagnosis[]> {
  const { length } = await signedBelow(store, prefix, schema, () => true);
  let others = -length;
  for await (const _ of store.list(prefix)) others += 1;
  if (others === 0) return [];
  const sentence = `${others} objects below ${prefix} are no signed documents: somebody wrote there. They are passed over; have them taken away.`;
  return [{ sentence, command: 'opaline doctor' }];
}

const pointerSentence = (store: ObjectStore, name: string): Promise<string | null> =>
  said(readApplied(store, name), 'The pointer to the newest applied file, or the file, cannot be read.');

/** The last part of a key begins with the SHA-256 of the bytes. */
async function digestSentence(store: ObjectStore, key: string): Promise<string | null> {
  const digest = sha256(await readBytes(store, key));
  if (key.split('/').at(-1)!.startsWith(`${digest}.`)) return null;
  return `The stored object ${key} is not what its digest says: find out who changed it, and put it back from a backup.`;
}
