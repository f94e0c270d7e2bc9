import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { type TestRelease, testRelease } from '../../test/support/test-release.ts';
import { ledgerKey, publisherKey, receiptBytes } from '../../test/support/trust-files.ts';
import { carry } from './carry.ts';

let release: TestRelease;
beforeEach(async () => {
  release = await testRelease();
});

const partitions = [
  { part: 'bus', day: '2026-03-02' },
  { part: 'bus', day: '2026-03-03' },
];
const input = () => ({
  ...release.run,
  version: 3,
  correction: { of: 1, partitions: [{ part: 'ferry', day: '2026-03-02' }], reason: 'object-late' as const },
  partitions,
});
const keyOf = (version: number, partition = partitions[0]!) =>
  RELEASE_KEYS.privatized({ ...release.run, version }, partition);
const read = (key: string) => readBytes(release.context.releaseStore, key);
const path = (key: string) => join(release.folder, 'release', key);

describe('@contract C13 tables that are carried over', () => {
  test('@contract safe-to-retry: are those of the corrected version byte for byte, also the second time', async () => {
    const draws = await carry(release.context, input());
    const bytes = await Promise.all(partitions.map((partition) => read(keyOf(1, partition))));
    expect(draws).toEqual(partitions.map((partition, place) => ({ partition, digest: sha256(bytes[place]!) })));
    expect(await read(keyOf(3))).toEqual(bytes[0]);
    const receipt = RELEASE_KEYS.receipt({ ...release.run, version: 3 }, partitions[0]!);
    expect(await read(receipt)).toEqual(await read(RELEASE_KEYS.receipt(release.run, partitions[0]!)));
    expect(await carry(release.context, input())).toEqual(draws);
  });

  test('@contract C13: refuses another table in the place of one, and leaves it as it is', async () => {
    await release.context.releaseStore.putIfAbsent(keyOf(3), Buffer.from('another'));
    await expect(carry(release.context, input())).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
    expect(String(await read(keyOf(3)))).toBe('another');
  });

  test('are not there when the corrected version never drew them', async () => {
    const never = { ...input(), correction: { ...input().correction, of: 2 } };
    await expect(carry(release.context, never)).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
  });

  const table = (text: string) => ({
    release: 'demo/2026-03-02/v1',
    ...partitions[0]!,
    charge: release.input.charge,
    seriesDigest: release.run.seriesDigest,
    table: sha256(text),
    sequence: 1,
    correction: null,
  });
  test.each<[string, (text: string) => Buffer | null]>([
    ['which is not the one of the receipt', () => null],
    ['whose receipt a stranger signed', (text) => receiptBytes(table(text), publisherKey.privateKey)],
    ['whose charge is of a later version', (text) => receiptBytes({ ...table(text), release: 'demo/2026-03-02/v2' })],
    ['of another window', (text) => receiptBytes({ ...table(text), release: 'demo/2026-03-09/v1' })],
  ])('@contract C11: a table %s is not carried', async (_, receipt) => {
    const text = (await readFile(path(keyOf(1)), 'utf8')).replace('91', '92');
    await rm(path(keyOf(1)));
    await writeFile(path(keyOf(1)), `${text} `);
    const bytes = receipt(`${text} `);
    if (bytes) {
      await rm(path(RELEASE_KEYS.receipt(release.run, partitions[0]!)));
      await writeFile(path(RELEASE_KEYS.receipt(release.run, partitions[0]!)), bytes);
    }
    const context = { ...release.context, releaseStore: new FolderStore(join(release.folder, 'release')) };
    await expect(carry(context, input())).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
    expect(await context.releaseStore.head(keyOf(3))).toBeNull();
  });

  test('broken twin: the same table with a receipt of the private worker is carried', async () => {
    const text = 'drawn otherwise';
    await rm(path(keyOf(1)));
    await writeFile(path(keyOf(1)), text);
    await rm(path(RELEASE_KEYS.receipt(release.run, partitions[0]!)));
    await writeFile(
      path(RELEASE_KEYS.receipt(release.run, partitions[0]!)),
      receiptBytes(table(text), ledgerKey.privateKey),
    );
    expect(await carry(release.context, input())).toHaveLength(2);
  });
});
