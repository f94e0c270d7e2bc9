import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { STACK_BUILD } from '../support/stack-build.ts';
import { BucketAttacker, BucketStack } from './release-store-s3.fixture.ts';

/**
 * Every object of a release at its gate, replaced, deleted and set back to that of an earlier version, through the S3
 * protocol. It is published from what was approved, or not at all.
 */
let bucket: BucketStack;
let owner: BucketAttacker;
let before: Run;
let version = 1;
const partition = { part: 'bus', day: '2026-03-02' };

beforeAll(async () => {
  // All versions together stay below the cap of a block.
  bucket = await BucketStack.open({ epsilon: '4' });
  owner = new BucketAttacker(bucket.gateway.credentials());
  before = await bucket.gated(version);
});
afterAll(() => bucket?.close());

const objects: [what: string, key: (run: Run) => string | Promise<string>][] = [
  ['a receipt', (run) => RELEASE_KEYS.receipt(run, partition)],
  ['the receipt of the audit', (run) => owner.firstBelow(RELEASE_KEYS.auditReceipts(run))],
  ['the manifest', (run) => RELEASE_KEYS.staged(run, STACK_BUILD, FILES.manifest)],
  ['a data file', (run) => RELEASE_KEYS.staged(run, STACK_BUILD, FILES.table('time'))],
  ['the verdict', (run) => RELEASE_KEYS.staged(run, STACK_BUILD, FILES.audit)],
  ['the series file', (run) => RELEASE_KEYS.series(run.series, run.seriesDigest)],
];
const sorts = ['replaced', 'deleted', 'set back'] as const;
const attacks = objects.flatMap(([what, key]) => sorts.map((sort) => [what, sort, key] as const));

test.each(attacks)(
  '%s is %s: nothing else than what was approved is public',
  async (_, sort, keyOf) => {
    version += 1;
    const run = await bucket.gated(version);
    const [key, keyBefore] = [await keyOf(run), await keyOf(before)];
    const honest = await owner.read(key);
    const earlier = await owner.read(keyBefore);
    const approved = await owner.read(RELEASE_KEYS.staged(run, STACK_BUILD, FILES.manifest));
    if (sort === 'deleted') await owner.remove(key);
    else if (sort === 'set back') await owner.replace(key, earlier);
    else await owner.replace(key, Buffer.concat([honest, Buffer.from('\n')]));
    // The series file is one for all versions: what was set back is what was there.
    const isHonest = sort === 'set back' && earlier.equals(honest);
    const state = await bucket.decided(run);
    if (isHonest) expect(state).toBe('published');
    // A receipt with a blank more is the same receipt, and workers know a series file that they have read by its digest.
    if (state === 'published') expect(await bucket.isPublished(run, approved)).toBe(true);
    else expect(await bucket.published(run)).toEqual([]);
    if (key.startsWith('staging/')) expect(state).not.toBe('published');
    await owner.replace(key, honest);
  },
  300_000,
);
