import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { publicContextBelow } from '../../test/support/folder-contexts.ts';
import { readBytes, sha256 } from '../stores/json-objects.ts';
import { carry } from './carry.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opaline-carry-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const partitions = [
  { part: 'bus', day: '2026-03-02' },
  { part: 'bus', day: '2026-03-03' },
];
const release = { series: 'taps', window: '2026-03-02' };
const input = {
  ...release,
  version: 3,
  seriesDigest: 'd',
  correction: { of: 1, partitions: [{ part: 'bus', day: '2026-03-04' }], reason: 'object-late' as const },
  partitions,
};
const keyOf = (version: number, partition = partitions[0]!) =>
  RELEASE_KEYS.privatized({ ...release, version }, partition);

/** A context whose release store has the tables of version 1. */
async function open(name: string) {
  const context = publicContextBelow(join(folder, name));
  for (const [place, partition] of partitions.entries())
    await context.releaseStore.putIfAbsent(keyOf(1, partition), Buffer.from(`table ${place}`));
  return context;
}

describe('@contract C13 tables that are carried over', () => {
  test('@contract safe-to-retry: are those of the corrected version byte for byte, also the second time', async () => {
    const context = await open('carried');
    const draws = await carry(context, input);
    expect(draws).toEqual(partitions.map((partition, place) => ({ partition, digest: sha256(`table ${place}`) })));
    expect(String(await readBytes(context.releaseStore, keyOf(3)))).toBe('table 0');
    expect(await carry(context, input)).toEqual(draws);
  });

  test('@contract C13: refuses another table in the place of one, and leaves it as it is', async () => {
    const context = await open('replaced');
    await context.releaseStore.putIfAbsent(keyOf(3), Buffer.from('another'));
    await expect(carry(context, input)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
    expect(String(await readBytes(context.releaseStore, keyOf(3)))).toBe('another');
  });

  test('are not there when the corrected version never drew them', async () => {
    const context = await open('missing');
    const never = { ...input, correction: { ...input.correction, of: 2 } };
    await expect(carry(context, never)).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
  });
});
