import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  PutObjectRetentionCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decide } from '../../activities/public/decide.ts';
import { retract } from '../../activities/public/retract.ts';
import { updatePages } from '../../activities/public/update-pages.ts';
import { FILES, PUBLIC_KEYS } from '../../contracts/names.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import { publishRelease } from '../support/publish-release.ts';
import { type TestRelease, testDecision, testRelease } from '../support/test-release.ts';
import { ada, ben } from '../support/trust-files.ts';
import { type Gateway, startVersitygw } from '../support/versitygw.ts';
import { clientOf, hostBucket, lockBucket } from './hosted-bucket.fixture.ts';

/** A publication in a bucket with object lock in compliance mode, on a real S3 server. */
const BUCKET = 'locked';

let gateway: Gateway;
let release: TestRelease;
let manifestDigest: string;
/** As the worker that publishes, and as the owner of the server. */
let worker: S3Client;
let owner: S3Client;
/** What was published, by key, at first. */
const published = new Map<string, Buffer>();

beforeAll(async () => {
  gateway = await startVersitygw('1.8.0', { versions: true });
  await gateway.createLockedBucket(BUCKET);
  const { store, publisher } = await hostBucket(gateway, BUCKET, 'demo');
  [worker, owner] = [clientOf(gateway, publisher), clientOf(gateway, gateway.root)];
  await lockBucket(owner, BUCKET);
  const made = await testRelease();
  release = { ...made, context: { ...made.context, publicationStore: store } };
  manifestDigest = await publishRelease(release);
  await updatePages(release.context, release.run);
  for await (const { key } of store.list('')) published.set(key, await readBytes(store, key));
});
afterAll(async () => {
  worker?.destroy();
  owner?.destroy();
  await gateway?.stop();
});

/** Versions of a key, oldest first. */
async function versionsOf(key: string): Promise<{ id: string; bytes: Buffer }[]> {
  const { Versions = [] } = await owner.send(new ListObjectVersionsCommand({ Bucket: BUCKET, Prefix: key }));
  const ids = Versions.filter(({ Key }) => Key === key).map(({ VersionId }) => VersionId!);
  const read = async (id: string) => {
    const { Body } = await owner.send(new GetObjectCommand({ Bucket: BUCKET, Key: key, VersionId: id }));
    return { id, bytes: await buffer(Body as NodeJS.ReadableStream) };
  };
  return Promise.all(ids.toSorted().map(read));
}

const file = (name: string): string => PUBLIC_KEYS.file(release.run, name);

test('a release is published there, each file once', async () => {
  expect([...published.keys()]).toEqual(expect.arrayContaining([file(FILES.manifest), 'demo/head.json']));
  for (const key of published.keys())
    if (key.startsWith(file(''))) expect([key, (await versionsOf(key)).length]).toEqual([key, 1]);
});

test('the worker’s credentials cannot delete, whatever they name, nor shorten a lock', async () => {
  const key = file(FILES.manifest);
  const { id } = (await versionsOf(key))[0]!;
  const RetainUntilDate = new Date(Date.now() + 60_000);
  const refused = { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } };
  const place = { Bucket: BUCKET, Key: key };
  await expect(worker.send(new DeleteObjectCommand(place))).rejects.toMatchObject(refused);
  await expect(worker.send(new DeleteObjectCommand({ ...place, VersionId: id }))).rejects.toMatchObject(refused);
  await expect(
    worker.send(
      new PutObjectRetentionCommand({ ...place, VersionId: id, Retention: { Mode: 'COMPLIANCE', RetainUntilDate } }),
    ),
  ).rejects.toMatchObject(refused);
  expect(await readBytes(release.context.publicationStore, key)).toEqual(published.get(key));
});

test('what the worker’s credentials write over a file is a version beside it, and not even the owner can take the first away', async () => {
  const key = file(FILES.attestation);
  const place = { Bucket: BUCKET, Key: key };
  await worker.send(new PutObjectCommand({ ...place, Body: Buffer.from('forged') }));
  const [first, second, ...others] = await versionsOf(key);
  expect(others).toEqual([]);
  expect(first!.bytes).toEqual(published.get(key));
  expect(second!.bytes.toString()).toBe('forged');
  const takeAway = { ...place, VersionId: first!.id, BypassGovernanceRetention: true };
  await expect(owner.send(new DeleteObjectCommand(takeAway))).rejects.toMatchObject({ name: 'AccessDenied' });
  // The owner brings it back as a third version.
  await owner.send(new PutObjectCommand({ ...place, Body: first!.bytes }));
  expect(await readBytes(release.context.publicationStore, key)).toEqual(published.get(key));
});

test('a retraction works, pointer and pages are written over, and their earlier forms stay as versions', async () => {
  const { context, run } = release;
  const decisions: string[] = [];
  for (const person of [ada, ben]) {
    const terms = { decision: 'retract', reason: 'data-wrong' } as const;
    const answer = await decide(context, testDecision(run, manifestDigest, person, terms));
    if (!answer.accepted) throw new Error(answer.code);
    decisions.push(answer.digest);
  }
  await retract(context, { ...run, manifestDigest, decisions, retractedAt: '2026-04-01T10:00:00.000Z' });
  await updatePages(context, run);
  const index = 'demo/index.html';
  expect((await readBytes(context.publicationStore, index)).toString()).toContain('>retracted<');
  for (const key of [index, 'demo/head.json', PUBLIC_KEYS.latest('demo')]) {
    const versions = await versionsOf(key);
    expect([key, versions[0]!.bytes.equals(published.get(key)!), versions.length]).toEqual([key, true, 2]);
  }
});
