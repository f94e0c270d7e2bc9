import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { FILES, PUBLIC_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { DecideInput, PublishInput } from '../../contracts/stages.ts';
import { ada, ben, type TestRelease, testDecision, testRelease } from '../../test/support/test-release.ts';
import { attestationSchema } from '../publication/attestation.ts';
import { moveLatest } from '../publication/latest.ts';
import { FolderStore } from '../stores/folder-store.ts';
import { putOnce, readBytes, sha256 } from '../stores/json-objects.ts';
import { audit } from './audit.ts';
import { decide } from './decide.ts';
import { derive } from './derive.ts';
import { publish } from './publish.ts';

const NOTE = 'looks fine to me, says the free text';
const opened: TestRelease[] = [];
afterEach(async () => {
  for (const release of opened.splice(0)) await release.remove();
});

type Gated = TestRelease & { publishInput: PublishInput };

/** A release that has passed the gate; `change` alters what is decided. */
async function gated(decisions?: (release: TestRelease, manifestDigest: string) => DecideInput[]): Promise<Gated> {
  const release = await testRelease();
  opened.push(release);
  await derive(release.context, release.input);
  const { manifestDigest } = await audit(release.context, release.input);
  const inputs = decisions?.(release, manifestDigest) ?? [
    testDecision(release.run, manifestDigest, ada, {}, { note: NOTE }),
    testDecision(release.run, manifestDigest, ben, {}, { note: NOTE }),
  ];
  const digests: string[] = [];
  for (const input of inputs) {
    const answer = await decide(release.context, input);
    if (answer.accepted) digests.push(answer.digest);
  }
  const publishInput = { ...release.run, manifestDigest, decisions: digests, publishedAt: '2026-03-20T01:02:03.000Z' };
  return { ...release, publishInput };
}

async function published({ context }: TestRelease): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const { key } of context.publicationStore.list('demo/'))
    files.set(key, await readBytes(context.publicationStore, key));
  return files;
}

test('publishes the staged bytes, attestation, checksums and the pointer', async () => {
  const release = await gated();
  const { location } = await publish(release.context, release.publishInput);
  expect(location).toBe(`folder:${join(release.folder, 'publication')}/demo/2026-03-02/v1`);
  const files = await published(release);
  const at = (name: string) => files.get(PUBLIC_KEYS.file(release.run, name))!;
  for (const name of ['time-location.csv', 'time.csv', 'location.csv', FILES.parquet, FILES.statement, FILES.manifest])
    expect(at(name)).toEqual(await readBytes(release.context.releaseStore, RELEASE_KEYS.staged(release.run, name)));
  const { predicate } = attestationSchema.parse(JSON.parse(at(FILES.attestation).toString()));
  expect(predicate).toMatchObject({ publishedAt: '2026-03-20T01:02:03.000Z', required: 2 });
  expect(predicate.approvals.map(({ subject }) => subject).sort()).toEqual([ada.subject, ben.subject]);
  expect(at(FILES.checksums).toString()).toContain(`${sha256(at(FILES.attestation))}  attestation.json\n`);
  expect(JSON.parse(files.get('demo/latest.json')!.toString())).toMatchObject({
    path: 'demo/2026-03-02/v1',
    manifestDigest: release.publishInput.manifestDigest,
  });
});

test('C16: the free text of a decision is nowhere in the publication', async () => {
  const release = await gated();
  await publish(release.context, release.publishInput);
  const kept = await readBytes(
    release.context.releaseStore,
    RELEASE_KEYS.decision(release.run, release.publishInput.decisions[0]!),
  );
  expect(kept.includes(NOTE)).toBe(true);
  for (const [key, bytes] of await published(release)) expect([key, bytes.includes(NOTE)]).toEqual([key, false]);
  const attestation = (await published(release)).get(PUBLIC_KEYS.file(release.run, FILES.attestation))!;
  const { predicate } = attestationSchema.parse(JSON.parse(attestation.toString()));
  const signed = predicate.approvals.map(({ envelope }) => Buffer.from(envelope.payload, 'base64').toString());
  expect(signed.join()).toContain('audit-passed');
  expect(signed.join()).not.toContain(NOTE);
});

/** A store that fails once, before or after its nth write has taken effect. */
function failingStore(store: ObjectStore, nth: number, when: 'before' | 'after'): ObjectStore {
  let writes = 0;
  const broken = async <T>(write: () => Promise<T>): Promise<T> => {
    writes += 1;
    if (writes === nth && when === 'before') throw new Error('crash');
    const result = await write();
    if (writes === nth) throw new Error('crash');
    return result;
  };
  return {
    location: store.location,
    get: (key, range) => store.get(key, range),
    head: (key) => store.head(key),
    list: (prefix) => store.list(prefix),
    readMutable: (key) => store.readMutable(key),
    putIfAbsent: (key, body) => broken(() => store.putIfAbsent(key, body)),
    compareAndSwap: (key, current, value) => broken(() => store.compareAndSwap(key, current, value)),
  };
}

test('safe-to-retry: a crash before or after any write leaves nothing that points at half a publication', async () => {
  const honest = await gated();
  await publish(honest.context, honest.publishInput);
  const expected = await published(honest);
  const writes = expected.size; // every object is one write, the pointer too
  for (const when of ['before', 'after'] as const)
    for (let nth = 1; nth <= writes; nth += 1) {
      const publicationStore = new FolderStore(join(honest.folder, `publication-${when}-${nth}`));
      const context = { ...honest.context, publicationStore };
      const broken = { ...context, publicationStore: failingStore(publicationStore, nth, when) };
      await expect(publish(broken, honest.publishInput)).rejects.toThrow('crash');
      const pointed = (await publicationStore.readMutable(PUBLIC_KEYS.latest('demo'))) !== null;
      expect([nth, when, pointed]).toEqual([nth, when, nth === writes && when === 'after']);
      await publish(context, honest.publishInput);
      expect(await published({ ...honest, context })).toEqual(expected);
    }
});

test('safe-to-retry: a run with a later time of publication leaves the first one as it is', async () => {
  const release = await gated();
  await publish(release.context, release.publishInput);
  const expected = await published(release);
  await publish(release.context, { ...release.publishInput, publishedAt: '2026-04-01T00:00:00.000Z' });
  expect(await published(release)).toEqual(expected);
});

test('a public file that is there with other bytes stops the publication', async () => {
  const release = await gated();
  await release.context.publicationStore.putIfAbsent(PUBLIC_KEYS.file(release.run, 'time.csv'), Buffer.from('other'));
  await expect(publish(release.context, release.publishInput)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  expect(await release.context.publicationStore.readMutable(PUBLIC_KEYS.latest('demo'))).toBeNull();
});

test('another attestation is not taken for an earlier one of ours', async () => {
  const release = await gated();
  const other = await gated((one, digest) => [
    testDecision(one.run, digest, ada, { acknowledged: ['x'] }),
    testDecision(one.run, digest, ben),
  ]);
  await publish(other.context, other.publishInput);
  const key = PUBLIC_KEYS.file(release.run, FILES.attestation);
  await putOnce(release.context.publicationStore, key, await readBytes(other.context.publicationStore, key));
  await expect(publish(release.context, release.publishInput)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
});

const approve =
  (...people: (typeof ada)[]) =>
  (release: TestRelease, digest: string) =>
    people.map((person) => testDecision(release.run, digest, person));

test.each<[string, Parameters<typeof gated>[0], (input: PublishInput) => Partial<PublishInput>]>([
  ['too few approvals', approve(ada), () => ({})],
  ['one approval named twice', approve(ada), ({ decisions }) => ({ decisions: [...decisions, ...decisions] })],
  ['an approval that was never kept', approve(ada, ben), () => ({ decisions: ['ab'.repeat(32), 'cd'.repeat(32)] })],
  ['another manifest', approve(ada, ben), () => ({ manifestDigest: 'ab'.repeat(32) })],
  ['another series file', approve(ada, ben), () => ({ seriesDigest: 'ab'.repeat(32) })],
  [
    'a rejection among the decisions',
    (release, digest) => [
      ...approve(ada)(release, digest),
      testDecision(release.run, digest, ben, { decision: 'reject', reason: 'other' }),
    ],
    () => ({}),
  ],
])('C16: nothing is published with %s', async (_, decisions, change) => {
  const release = await gated(decisions);
  const input = { ...release.publishInput, ...change(release.publishInput) };
  await expect(publish(release.context, input)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  expect(await readdir(join(release.folder, 'publication')).catch(() => [])).toEqual([]);
});

test('the pointer never moves back to an older window or version', async () => {
  const { context } = await gated();
  const at = async () => (await context.publicationStore.readMutable(PUBLIC_KEYS.latest('demo')))?.value.path;
  const move = (window: string, version: number) =>
    moveLatest(context.publicationStore, { series: 'demo', window, version }, 'ab'.repeat(32));
  await move('2026-03-09', 2);
  for (const [window, version] of [
    ['2026-03-02', 3],
    ['2026-03-09', 1],
    ['2026-03-09', 2],
  ] as const) {
    await move(window, version);
    expect(await at()).toBe('demo/2026-03-09/v2');
  }
  await Promise.all([move('2026-03-09', 10), move('2026-03-16', 1), move('2026-03-09', 9)]);
  expect(await at()).toBe('demo/2026-03-16/v1');
});
