import { expect, test } from 'vitest';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { rootKey, trustChain, trustVersion } from '../../test/support/trust-files.ts';
import { generateSigningKey } from '../signing/keys.ts';
import { signDocument } from '../signing/signed-document.ts';
import { jsonBytes, sha256 } from '../stores/json-objects.ts';
import { MemoryStore } from '../stores/memory-store.ts';
import { requireNewestTrust, settleTrust } from './newer-trust.ts';

const behind = { code: 'TRUST_BEHIND' };
const [first, second, third] = [{}, { organisation: 'Second' }, { organisation: 'Third' }];

test('C16: whoever has an older trust file is told so by the newer one of another process, however many versions lie between', async () => {
  const store = new MemoryStore();
  const old = trustChain(first);
  await settleTrust(store, old);
  await requireNewestTrust(store, old);
  const newest = trustChain(first, second, third);
  await settleTrust(store, newest);
  for (const chain of [old, trustChain(first, second)]) {
    await expect(settleTrust(store, chain)).rejects.toMatchObject(behind);
    await expect(requireNewestTrust(store, chain)).rejects.toMatchObject(behind);
  }
  await settleTrust(store, trustChain(first, second, third));
});

test('C16: what a stranger puts there stops nobody: a version that no root signed, of another file, or under another name', async () => {
  const store = new MemoryStore();
  const chain = trustChain(first);
  const version = { ...trustVersion(second), number: 2, previous: chain[0]!.digest };
  const put = (bytes: Buffer, digest = sha256(bytes)) => store.putIfAbsent(RELEASE_KEYS.trustVersion(2, digest), bytes);
  await put(jsonBytes(signDocument(version, generateSigningKey().privateKey)));
  await put(jsonBytes(signDocument({ ...version, previous: 'ab'.repeat(32) }, rootKey.privateKey)));
  await put(jsonBytes(signDocument(version, rootKey.privateKey)), 'cd'.repeat(32));
  await put(Buffer.from('{'));
  await requireNewestTrust(store, chain);
  // Broken twin: the same version, signed and named as it has to be.
  await put(jsonBytes(signDocument(version, rootKey.privateKey)));
  await expect(requireNewestTrust(store, chain)).rejects.toMatchObject(behind);
});
