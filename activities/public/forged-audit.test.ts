import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditReportSchema } from '../../contracts/audit-report.ts';
import { type Receipt, receiptSchema } from '../../contracts/formats/draw-receipt.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { AUDIT_RECEIPT_FORMAT } from '../../contracts/formats/stage-receipts.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import { auditInputs, requireAudited } from '../../services/draws/stage-receipt.ts';
import { requireDrawn } from '../../services/release/drawn-release.ts';
import type { DecisionBasis } from '../../services/signing/decision-statement.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { readDocument, signDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { TEST_BUILD } from '../../test/support/folder-contexts.ts';
import { ledgerWriter, PRIVATE_BUILD } from '../../test/support/test-custody.ts';
import { receiptKey, type TestRelease, testDecision, testRelease } from '../../test/support/test-release.ts';
import {
  ada,
  ben,
  type DrawReceipt,
  publisherKey,
  receiptBytes,
  shadowReceiptBytes,
} from '../../test/support/trust-files.ts';
import { audit } from './audit.ts';
import { decide } from './decide.ts';
import { derive } from './derive.ts';
import { publish } from './publish.ts';

/**
 * Whoever holds the release store and the namespace of Temporal at once: they stage what they like, and answer for the
 * stages. Nothing that they made up comes through the gate, though people sign it.
 */
async function derived(): Promise<TestRelease> {
  const release = await testRelease();
  await derive(release.context, release.input);
  return release;
}
const refused = { code: expect.stringMatching('VERIFICATION_FAILED|COPY_DIFFERS') };
/** The release waits until it is taken away. */
const planted = { code: 'COPY_DIFFERS' };
const at = ({ folder }: TestRelease, key: string) => join(folder, 'release', key);

/** Puts a file where it is staged, whatever was there. */
async function stage(release: TestRelease, name: string, bytes: Buffer): Promise<void> {
  await rm(at(release, RELEASE_KEYS.staged(release.run, TEST_BUILD, name)), { force: true });
  await release.context.releaseStore.putIfAbsent(RELEASE_KEYS.staged(release.run, TEST_BUILD, name), bytes);
}

/** Two people approve the manifest that is staged, and it is published. */
async function published(release: TestRelease, basis: Partial<DecisionBasis> = {}): Promise<unknown> {
  const { context, run } = release;
  const manifestDigest = sha256(
    await readBytes(context.releaseStore, RELEASE_KEYS.staged(run, TEST_BUILD, FILES.manifest)),
  );
  const decisions: string[] = [];
  for (const person of [ada, ben]) {
    const answer = await decide(context, testDecision(run, manifestDigest, person, basis));
    if (answer.accepted) decisions.push(answer.digest);
  }
  expect(decisions).toHaveLength(2);
  return publish(context, { ...run, manifestDigest, decisions, publishedAt: '2026-03-20T01:02:03.000Z' });
}

/** Everything that an honest audit staged, with invented numbers in one file. */
async function invented(release: TestRelease): Promise<Buffer> {
  const key = RELEASE_KEYS.staged(release.run, TEST_BUILD, FILES.manifest);
  const name = FILES.table('time');
  const time = Buffer.from(
    (await readFile(at(release, RELEASE_KEYS.staged(release.run, TEST_BUILD, name)), 'utf8')).replace('103', '999'),
  );
  const manifest = JSON.parse(await readFile(at(release, key), 'utf8'));
  for (const file of manifest.files)
    if (file.name === name) Object.assign(file, { sha256: sha256(time), bytes: time.length });
  await stage(release, name, time);
  await stage(release, FILES.manifest, jsonBytes(manifest));
  return jsonBytes(manifest);
}

const receiptOf = async (release: TestRelease, manifest: Buffer, privateKey: string): Promise<Buffer> => {
  const report = JSON.parse(
    await readFile(at(release, RELEASE_KEYS.staged(release.run, TEST_BUILD, FILES.audit)), 'utf8'),
  );
  const inputs = auditInputs(release.input, release.run.seriesDigest);
  return jsonBytes(
    signDocument(
      { format: AUDIT_RECEIPT_FORMAT, inputs, manifest: JSON.parse(manifest.toString()), report },
      privateKey,
    ),
  );
};

describe('C15 C16 a manifest that no public worker has audited', () => {
  test('is not published, though everybody has approved it: invented numbers, and the receipt of the honest one', async () => {
    const release = await derived();
    await audit(release.context, release.input);
    await invented(release);
    await expect(published(release)).rejects.toMatchObject(refused);
  });

  test.each(['nobody', 'a stranger', 'the private worker'])('with a receipt of %s', async (who) => {
    const release = await derived();
    await audit(release.context, release.input);
    const manifest = await invented(release);
    const key = receiptKey(release);
    await rm(at(release, key));
    const { privateKey } = generateSigningKey();
    const stolen = who === 'a stranger' ? privateKey : ledgerWriter(release.context.releaseStore).privateKey;
    if (who !== 'nobody') await writeFile(at(release, key), await receiptOf(release, manifest, stolen));
    await expect(published(release)).rejects.toMatchObject(refused);
    // Broken twin: with the key of the public worker it would be believed, so nothing else has refused it.
    await writeFile(at(release, key), await receiptOf(release, manifest, publisherKey.privateKey));
    await expect(published(release)).resolves.toBeTruthy();
  });
});

describe('C15 what lies staged before the audit', () => {
  const passing = (release: TestRelease) =>
    jsonBytes({ format: 'opaline-audit/2', release: releasePath(release.run), verdict: 'pass', checks: [] });

  test.each([
    [FILES.audit, passing],
    [FILES.statement, () => Buffer.from('Everything is fine.')],
    [FILES.auditPage, () => Buffer.from('<p>Everything is fine.</p>')],
    [FILES.manifest, () => Buffer.from('{}')],
  ])('a %s that somebody else wrote is not taken for its own', async (name, bytes) => {
    const release = await derived();
    await stage(release, name, bytes(release));
    await expect(audit(release.context, release.input)).rejects.toMatchObject(planted);
    // It is taken away, as the sentence says, and the same verdict is staged.
    await rm(at(release, RELEASE_KEYS.staged(release.run, TEST_BUILD, name)));
    expect(await audit(release.context, release.input)).toMatchObject({ verdict: 'pass' });
  });

  test('a receipt that somebody else wrote stops the audit, and nothing is signed', async () => {
    const release = await derived();
    const key = at(release, receiptKey(release));
    for (const bytes of [Buffer.from('{}'), jsonBytes(signDocument({}, generateSigningKey().privateKey))]) {
      await rm(key, { force: true });
      await release.context.releaseStore.putIfAbsent(receiptKey(release), bytes);
      await expect(audit(release.context, release.input)).rejects.toMatchObject(planted);
      expect((await readFile(key)).equals(bytes)).toBe(true);
    }
  });

  test('what was signed is staged, though the worker stopped before it staged anything', async () => {
    const release = await derived();
    const first = await audit(release.context, release.input);
    for (const name of [FILES.audit, FILES.statement, FILES.manifest])
      await rm(at(release, RELEASE_KEYS.staged(release.run, TEST_BUILD, name)));
    expect(await audit(release.context, release.input)).toEqual(first);
    await expect(published(release)).resolves.toBeTruthy();
  });
});

test('C4 C11 C16: a partition that the manifest leaves out or has twice, a hole and a table of nobody are refused', async () => {
  const { context, input, ...release } = await derived();
  const { manifestDigest } = await audit(context, input);
  const { grounds, partitions: window } = await requireDrawn(context, input);
  const key = RELEASE_KEYS.staged(release.run, TEST_BUILD, FILES.manifest);
  const manifest = manifestSchema.parse(JSON.parse(await readFile(at({ context, input, ...release }, key), 'utf8')));
  const [first, ...others] = manifest.partitions as [(typeof window)[number], ...typeof window];
  const look = (partitions: typeof window) =>
    requireAudited(grounds, { ...manifest, partitions }, manifestDigest, window);
  await look(manifest.partitions);
  const unlike = { ...refused, message: expect.stringContaining('not every partition of the window is in it, once') };
  await expect(look(others)).rejects.toMatchObject(unlike);
  await expect(look([first, ...manifest.partitions])).rejects.toMatchObject(unlike);
  const hole = { ...first, privatizedTable: null, hole: 'OBJECT_MISSING' as const };
  await expect(look([hole, ...others])).rejects.toMatchObject(refused);
  await expect(look([{ ...first, privatizedTable: 'ab'.repeat(32) }, ...others])).rejects.toMatchObject(refused);
});

describe('C15 tallies of a shadow run', () => {
  test('that others answer are not taken: without a receipt, with one of others, and with one for other tallies', async () => {
    const release = await derived();
    const { context, input, run } = release;
    const forged = { ...input.shadow, tables: 1 };
    const key = at(release, RELEASE_KEYS.shadowReceipt(run, PRIVATE_BUILD));
    const about = { release: releasePath(run), seriesDigest: run.seriesDigest, charge: input.charge };
    const stranger = generateSigningKey().privateKey;
    for (const bytes of [
      shadowReceiptBytes(about, forged, stranger),
      shadowReceiptBytes(about, forged, publisherKey.privateKey),
      shadowReceiptBytes({ ...about, release: 'demo/2026-03-02/v2' }, forged),
      shadowReceiptBytes({ ...about, charge: '7d444840-9dc0-41d1-b245-5ffdce74fad3' }, forged),
      shadowReceiptBytes({ ...about, seriesDigest: 'ab'.repeat(32) }, forged),
      shadowReceiptBytes({ ...about, build: 'ab'.repeat(32) }, forged),
    ]) {
      await writeFile(key, bytes);
      await expect(audit(context, input)).rejects.toMatchObject(refused);
    }
    await rm(key);
    await expect(audit(context, input)).rejects.toMatchObject(refused);
    // Broken twin: signed by the private worker they are taken, and judged.
    await writeFile(key, shadowReceiptBytes(about, input.shadow));
    expect(await audit(context, input)).toMatchObject({ verdict: 'pass' });
    const report = await readBytes(context.releaseStore, RELEASE_KEYS.staged(run, TEST_BUILD, FILES.audit));
    expect(auditReportSchema.parse(JSON.parse(report.toString())).verdict).toBe('pass');
  });

  test('a draw of a build without a shadow run is refused; each build that drew is judged, and the worst counts', async () => {
    const release = await testRelease();
    const { context, input, run } = release;
    const other = 'b2'.repeat(32);
    const path = at(release, RELEASE_KEYS.receipt(run, input.draws[0]!.partition));
    const receipt = readDocument<Receipt>(JSON.parse(await readFile(path, 'utf8')), receiptSchema, 'receipt');
    await writeFile(path, receiptBytes({ ...(receipt as DrawReceipt), build: other }));
    await derive(context, input);
    const untried = { code: 'VERIFICATION_FAILED', message: expect.stringContaining(`build ${other.slice(0, 16)}`) };
    await expect(audit(context, input)).rejects.toMatchObject(untried);
    const about = { release: releasePath(run), seriesDigest: run.seriesDigest, charge: input.charge, build: other };
    const key = at(release, RELEASE_KEYS.shadowReceipt(run, other));
    // The other build publishes below the threshold: the mechanism checks see it, whichever build came first.
    await writeFile(key, shadowReceiptBytes(about, { ...input.shadow, belowThreshold: 9 }));
    expect(await audit(context, input)).toMatchObject({ verdict: 'fail' });
  });
});
