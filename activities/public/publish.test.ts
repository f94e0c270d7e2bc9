import { randomUUID } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Receipt, receiptSchema } from '../../contracts/formats/draw-receipt.ts';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { FILES, PUBLIC_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { DecideInput, PublishInput } from '../../contracts/stages.ts';
import { readAttestation } from '../../services/publication/attestation-file.ts';
import { moveLatest } from '../../services/publication/latest.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { readDocument } from '../../services/signing/signed-document.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonBytes, putOnce, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { readMutable } from '../../services/stores/mutable-json.ts';
import { publicContextBelow, TEST_BUILD } from '../../test/support/folder-contexts.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { storeMethods } from '../../test/support/store-methods.ts';
import { type TestRelease, testDecision, testRelease } from '../../test/support/test-release.ts';
import {
  ada,
  approver,
  ben,
  type DrawReceipt,
  eve,
  ledgerKey,
  publisherKey,
  receiptBytes,
  trustChain,
} from '../../test/support/trust-files.ts';
import { audit } from './audit.ts';
import { decide } from './decide.ts';
import { derive } from './derive.ts';
import { publish } from './publish.ts';

const NOTE = 'looks fine to me, says the free text';

type Gated = TestRelease & { publishInput: PublishInput };

/** A release at its gate, made once: every test has a copy of its stores. */
let atGate: { release: TestRelease; manifestDigest: string };
beforeAll(async () => {
  const release = await testRelease();
  await derive(release.context, release.input);
  const { manifestDigest } = await audit(release.context, release.input);
  atGate = { release, manifestDigest };
});

/** A release that has passed the gate; `change` alters what is decided. */
async function gated(decisions?: (release: TestRelease, manifestDigest: string) => DecideInput[]): Promise<Gated> {
  const { release: first, manifestDigest } = atGate;
  const folder = newFolder();
  await cp(first.folder, folder, { recursive: true });
  const context = publicContextBelow(folder);
  const release = { ...first, folder, context };
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
  for (const name of ['time-location.csv', 'time.csv', 'location.csv', 'time.parquet', FILES.statement, FILES.manifest])
    expect(at(name)).toEqual(
      await readBytes(release.context.releaseStore, RELEASE_KEYS.staged(release.run, TEST_BUILD, name)),
    );
  const attestation = readAttestation(JSON.parse(at(FILES.attestation).toString()));
  expect(attestation).toMatchObject({ publishedAt: '2026-03-20T01:02:03.000Z', required: 2 });
  expect(attestation.publisher?.statement.ledger.sequence).toBe(1);
  expect(attestation.approvals.map(({ subject }) => subject).sort()).toEqual([ada.subject, ben.subject]);
  expect(at(FILES.checksums).toString()).toContain(`${sha256(at(FILES.attestation))}  attestation.json\n`);
  expect(JSON.parse(files.get('demo/latest.json')!.toString())).toMatchObject({
    path: 'demo/2026-03-02/v1',
    manifestDigest: release.publishInput.manifestDigest,
  });
});

test('a store that ignores conditions is refused before the attestation is there', async () => {
  const release = await gated();
  const store = release.context.publicationStore;
  const ignoring = { ...storeMethods(store), swapPage: async () => true };
  await expect(publish({ ...release.context, publicationStore: ignoring }, release.publishInput)).rejects.toMatchObject(
    { code: 'STORE_UNSAFE' },
  );
  const keys = [...(await published(release)).keys()].map((key) => key.slice('demo/2026-03-02/v1/'.length));
  expect(keys).toContain(FILES.manifest);
  expect(keys).not.toContain(FILES.attestation);
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
  const { approvals } = readAttestation(JSON.parse(attestation.toString()));
  const signed = approvals.map(({ envelope }) => Buffer.from(envelope.payload, 'base64').toString());
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
    ...storeMethods(store),
    putIfAbsent: (key, body) => broken(() => store.putIfAbsent(key, body)),
    swapPage: (key, current, bytes) => broken(() => store.swapPage(key, current, bytes)),
  };
}

const isWholeAfterCrash = async (oneIn: number) => {
  const honest = await gated();
  await publish(honest.context, honest.publishInput);
  const expected = await published(honest);
  const writes = expected.size + 2; // every object is one write, the pointer too; two ask the store for its conditions
  for (const when of ['before', 'after'] as const)
    for (let nth = writes; nth >= 1; nth -= oneIn) {
      const publicationStore = new FolderStore(join(honest.folder, `publication-${when}-${nth}`));
      const context = { ...honest.context, publicationStore };
      const broken = { ...context, publicationStore: failingStore(publicationStore, nth, when) };
      await expect(publish(broken, honest.publishInput)).rejects.toThrow('crash');
      const pointed = (await readMutable(publicationStore, PUBLIC_KEYS.latest('demo'))) !== null;
      expect([nth, when, pointed]).toEqual([nth, when, nth === writes && when === 'after']);
      await publish(context, honest.publishInput);
      expect(await published({ ...honest, context })).toEqual(expected);
    }
};
const whole = 'safe-to-retry: a crash before or after a write leaves nothing that points at half a publication';
test(whole, () => isWholeAfterCrash(7));
test(`${whole}, whichever it is`, { tags: 'soak' }, () => isWholeAfterCrash(1));

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
  await expect(publish(release.context, release.publishInput)).rejects.toMatchObject({ code: 'COPY_DIFFERS' });
  expect(await readMutable(release.context.publicationStore, PUBLIC_KEYS.latest('demo'))).toBeNull();
});

/** The same release at its gate, approved again: as when Temporal was set back to before its approvals. */
const approvedAnew = () =>
  gated((one, digest) => [
    testDecision(one.run, digest, ada, { acknowledged: ['x'] }),
    testDecision(one.run, digest, ben, { acknowledged: ['y'] }),
  ]);

test('what another execution of the release has published is done, whoever approved it then', async () => {
  const release = await gated();
  const first = await publish(release.context, release.publishInput);
  const expected = await published(release);
  const again = await approvedAnew();
  await cp(join(release.folder, 'publication'), join(again.folder, 'publication'), { recursive: true });
  const second = await publish(again.context, { ...again.publishInput, publishedAt: '2026-04-01T00:00:00.000Z' });
  expect({ ...second, location: first.location }).toEqual(first);
  expect(await published(again)).toEqual(expected);
});

test('an attestation that lacks a decision, or has one of another release, is not taken for ours', async () => {
  const release = await gated();
  await publish(release.context, release.publishInput);
  const key = PUBLIC_KEYS.file(release.run, FILES.attestation);
  const stored = JSON.parse((await readBytes(release.context.publicationStore, key)).toString());
  for (const approvals of [stored.approvals.slice(1), [stored.approvals[1], stored.approvals[0]]]) {
    const other = await gated();
    await putOnce(other.context.publicationStore, key, jsonBytes({ ...stored, approvals }));
    await expect(publish(other.context, other.publishInput)).rejects.toMatchObject({ code: 'COPY_DIFFERS' });
  }
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
  await expect(publish(release.context, input)).rejects.toMatchObject({
    code: expect.stringMatching(/^(VERIFICATION_FAILED|OBJECT_MISSING|COPY_DIFFERS)$/),
  });
  expect(await readdir(join(release.folder, 'publication')).catch(() => [])).toEqual([]);
});

test('the pointer never moves back to an older window or version', async () => {
  const { context } = await gated();
  const at = async () => (await readMutable(context.publicationStore, PUBLIC_KEYS.latest('demo')))?.value.path;
  const move = (window: string, version: number) =>
    moveLatest(context.publicationStore, { series: 'demo', window, version }, 'ab'.repeat(32), {
      all: async () => [],
      one: async () => null,
    });
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

/** Replaces an object of a folder store, as whoever has its credentials can. */
async function replace(release: TestRelease, key: string, change: (text: string) => string): Promise<void> {
  const path = join(release.folder, 'release', key);
  const text = await readFile(path, 'utf8');
  expect(change(text)).not.toBe(text);
  await rm(path);
  await writeFile(path, change(text));
}

const PARTITION = { part: 'bus', day: '2026-03-02' };
const receiptKey = ({ run }: TestRelease) => RELEASE_KEYS.receipt(run, PARTITION);

/** The receipt of a table, changed, signed with this key. */
const resigned =
  (key: string, change: Partial<DrawReceipt> = {}) =>
  async (release: Gated) => {
    const { run, context } = release;
    const envelope = JSON.parse((await readBytes(context.releaseStore, receiptKey(release))).toString());
    const receipt = readDocument<Receipt>(envelope, receiptSchema, 'receipt') as DrawReceipt;
    const bytes = receiptBytes({ ...receipt, ...change }, key).toString();
    await replace(release, receiptKey({ ...release, run }), () => bytes);
  };

const earlier = 'demo/2026-03-02/v2';
const FORGED: [what: string, code: string, forge: (release: Gated) => Promise<unknown>][] = [
  ['no receipt', 'COPY_DIFFERS', (r) => rm(join(r.folder, 'release', receiptKey(r)))],
  ['the receipt of another table', 'COPY_DIFFERS', resigned(ledgerKey.privateKey, { day: '2026-03-03' })],
  ['a receipt of other bytes', 'COPY_DIFFERS', resigned(ledgerKey.privateKey, { table: 'ab'.repeat(32) })],
  ['a receipt of another release', 'COPY_DIFFERS', resigned(ledgerKey.privateKey, { release: earlier })],
  ['a receipt of another charge', 'COPY_DIFFERS', resigned(ledgerKey.privateKey, { charge: randomUUID() })],
  ['a receipt of an earlier place in the ledger', 'COPY_DIFFERS', resigned(ledgerKey.privateKey, { sequence: 2 })],
  [
    'a receipt of a correction',
    'COPY_DIFFERS',
    resigned(ledgerKey.privateKey, { correction: { of: 1, reason: 'object-late' } }),
  ],
  ['a receipt that a stranger signed', 'COPY_DIFFERS', resigned(generateSigningKey().privateKey)],
  ['a receipt that the publisher signed', 'COPY_DIFFERS', resigned(publisherKey.privateKey)],
  ['a receipt that is none', 'COPY_DIFFERS', (r) => replace(r, receiptKey(r), () => '{}')],
  [
    'another byte in a staged file',
    'COPY_DIFFERS',
    (r) => replace(r, RELEASE_KEYS.staged(r.run, TEST_BUILD, FILES.statement), (text) => `${text} `),
  ],
  [
    'a kept decision replaced by another',
    'COPY_DIFFERS',
    (r) =>
      replace(r, RELEASE_KEYS.decision(r.run, r.publishInput.decisions[0]!), (text) =>
        text.replace(/("sig":")(.)/, (_, key, first) => key + (first === '/' ? 0 : '/')),
      ),
  ],
  ['no ledger', 'COPY_DIFFERS', (r) => rm(join(r.folder, 'release', 'ledger'), { recursive: true })],
];

test('what was changed in a store stalls a release, and is published when it is put back', async () => {
  const release = await gated();
  const key = RELEASE_KEYS.staged(release.run, TEST_BUILD, FILES.statement);
  await replace(release, key, (text) => `${text} `);
  const failure = await publish(release.context, release.publishInput).catch(({ code }) => code);
  expect(failure).toBe('COPY_DIFFERS');
  await replace(release, key, (text) => text.slice(0, -1));
  await expect(publish(release.context, release.publishInput)).resolves.toBeTruthy();
});

test.each(FORGED)('C11, C16: with %s nothing is published, not one byte', async (_, code, forge) => {
  const release = await gated();
  await forge(release);
  // A worker of its own: this one remembers the ledger that it has read.
  const context = { ...release.context, releaseStore: new FolderStore(join(release.folder, 'release')) };
  await expect(publish(context, release.publishInput)).rejects.toMatchObject({ code });
  expect(await readdir(join(release.folder, 'publication')).catch(() => [])).toEqual([]);
});

test.each<[string, string, Partial<TrustVersion>]>([
  ['an approver gone', 'VERIFICATION_FAILED', { approvers: [approver(ben), approver(eve)] }],
  ['more approvals required', 'VERIFICATION_FAILED', { required: 3 }],
  ['another ledger key', 'LEDGER_BROKEN', { ledgers: [{ key: generateSigningKey().publicKey, valid: 'everywhere' }] }],
  ['another publisher', 'TRUST_BEHIND', { publishers: [{ key: generateSigningKey().publicKey, valid: 'everywhere' }] }],
])('C16: what was approved is judged by the trust file of its publication: %s', async (_, code, change) => {
  const release = await gated();
  const context = { ...release.context, trust: async () => trustChain({}, change) };
  await expect(publish(context, release.publishInput)).rejects.toMatchObject({ code });
  expect(await readdir(join(release.folder, 'publication')).catch(() => [])).toEqual([]);
});

test('C16: an approval before a rotation of its key counts for a publication after it', async () => {
  const release = await gated();
  const rotated = [
    approver(ada, { 'demo-people': { until: 1 } }),
    approver({ ...ada, ...generateSigningKey() }, { 'demo-people': { from: 2 } }),
    approver(ben),
  ];
  const context = { ...release.context, trust: async () => trustChain({}, { approvers: rotated }) };
  await expect(publish(context, release.publishInput)).resolves.toBeTruthy();
});

test('C16: an attestation of another time that this publisher did not sign is not taken for one of ours', async () => {
  const release = await gated();
  await publish(release.context, release.publishInput);
  const path = join(release.folder, 'publication', PUBLIC_KEYS.file(release.run, FILES.attestation));
  const file = JSON.parse(await readFile(path, 'utf8'));
  file.statement.signatures[0].sig = `AAAA${file.statement.signatures[0].sig.slice(4)}`;
  await rm(path);
  await writeFile(path, jsonBytes(file));
  await expect(publish(release.context, release.publishInput)).rejects.toMatchObject({ code: 'COPY_DIFFERS' });
});
