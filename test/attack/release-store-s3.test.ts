import { afterAll, beforeAll, expect, test } from 'vitest';
import { PRIVATE_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import { STACK_BUILD } from '../support/stack-build.ts';
import { BucketAttacker, BucketStack } from './release-store-s3.fixture.ts';

/** One attack of each sort through the S3 protocol; the soak has every object with every sort. */
let bucket: BucketStack;
let client: BucketAttacker;
let owner: BucketAttacker;
const partition = { part: 'bus', day: '2026-03-02' };

beforeAll(async () => {
  bucket = await BucketStack.open();
  client = new BucketAttacker(bucket.gateway.credentials('client'));
  owner = new BucketAttacker(bucket.gateway.credentials());
});
afterAll(() => bucket?.close());

test('C11 C12 C16: what is replaced, deleted or set back in the bucket of releases is not published', async () => {
  const run = await bucket.gated(1);
  const table = RELEASE_KEYS.privatized(run, partition);
  // A client may put, and the server lets nobody but the owner of the bucket delete.
  await expect(client.remove(table)).rejects.toMatchObject({ name: 'AccessDenied' });

  const receipt = RELEASE_KEYS.receipt(run, partition);
  const honest = await client.read(receipt);
  await owner.remove(receipt);
  expect(await bucket.decided(run)).toBe('VERIFICATION_FAILED');
  await client.replace(receipt, honest);

  const entry = RELEASE_KEYS.ledgerEntry('small-riders', 2);
  const second = await client.read(entry);
  await client.replace(entry, await client.read(RELEASE_KEYS.ledgerEntry('small-riders', 1)));
  expect(await bucket.decided(run)).toBe('LEDGER_BROKEN');
  await client.replace(entry, second);

  // Nobody can approve it until it is put back, and not one byte is public.
  const file = RELEASE_KEYS.staged(run, STACK_BUILD, 'time.csv');
  const rows = await client.read(file);
  await client.replace(file, Buffer.from(rows.toString().replace(/\d+\r\n/, '999\r\n')));
  expect(await bucket.decided(run)).toBe('COPY_DIFFERS');
  expect(await bucket.published(run)).toEqual([]);
  await client.replace(file, rows);
  expect(await bucket.decided(run)).toBe('published');
  // Nothing of it reached the custodian’s own store.
  const own = await bucket.gateway.store('private').head(PRIVATE_KEYS.privatized(run, partition));
  expect(own).not.toBeNull();
});
