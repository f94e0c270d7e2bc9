import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { timeLabels } from '../../activities/calendar/zone.ts';
import { Publication } from '../../activities/publication/publication.ts';
import { signDecision } from '../../activities/signing/decision.ts';
import { generateSigningKey } from '../../activities/signing/keys.ts';
import { certify } from '../../core/certificate/certificate.ts';
import { drawTable } from '../../core/mechanisms/privatize.ts';
import type { PublicDomain } from '../../core/mechanisms/public-domain.ts';
import { publishedTaps } from '../../kinds/taps/public-domain.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { ada, ben, eve, testSeries, testTables } from '../../test/support/test-release.ts';
import { readFolder } from './folder-files.ts';
import { editAttestation, published, removeAll, scratch, sealSums } from './forgery.fixture.ts';
import { LOOK_ALIKES } from './look-alikes.fixture.ts';
import { verifyPublication } from './verify-publication.ts';

afterAll(removeAll);

let honest: string;
beforeAll(async () => {
  honest = await published();
});

let copies = 0;
async function copy(): Promise<string> {
  copies += 1;
  const folder = join(scratch, String(copies));
  await cp(honest, folder, { recursive: true });
  return folder;
}

const failed = async (folder: string): Promise<string[]> =>
  (await verifyPublication(folder)).checks.filter(({ ok }) => !ok).map(({ id }) => id);

test('an honest publication verifies, and every check says what it found', async () => {
  const report = await verifyPublication(honest);
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.verified).toBe(true);
  expect(report.checks.map(({ id }) => id)).toEqual([
    'checksums',
    'retraction',
    'manifest',
    'attestation',
    'signatures',
    'approvers',
    'audit',
    'parameters',
    'certificate',
    'threshold',
    'hour-rows',
    'order',
    'sums',
    'domain',
    'metadata',
    'parquet',
  ]);
  expect(report.checks.every(({ sentence }) => sentence.length > 20)).toBe(true);
});

test('publications with holes, with remainder rows, and with fewer tables verify too', async () => {
  const hole = { part: 'bus', day: '2026-03-03', code: 'OBJECT_MISSING' as const };
  expect(await failed(await published(testSeries(), testTables().slice(0, 3), [hole]))).toEqual([]);
  const split = { cells: '7', time: '1/2', location: '1/2' };
  const series = testSeries({ privacy: { ...testSeries().privacy, split } });
  const domain: PublicDomain = {
    taps: publishedTaps(series),
    times: timeLabels(series, '2026-03-02'),
    locations: ['Circular Quay', 'Manly', 'Mosman, "Bay"', 'UNKNOWN'],
  };
  const random = seededSource(7);
  const drawn = testTables().map(({ part, day, cells }) =>
    drawTable({ part, day }, cells, domain, certify(series.privacy), random),
  );
  expect(await failed(await published(series, drawn))).toEqual([]);
  expect(await failed(await published(testSeries({ tables: ['time'] })))).toEqual([]);
});

test.each(LOOK_ALIKES)('look-alike: %s is caught by %j', async (_, expected, forge) => {
  const folder = await copy();
  await forge(folder);
  const report = await verifyPublication(folder);
  expect(report.verified).toBe(false);
  expect((await failed(folder)).sort()).toEqual([...expected].sort());
});

test('every check catches something, so that leaving one out makes a test fail', async () => {
  const { checks } = await verifyPublication(honest);
  const caught = new Set(LOOK_ALIKES.flatMap(([, expected]) => expected));
  expect(checks.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
});

test('keys that a reader trusts must be those of as many approvals as are required', async () => {
  const trust = async (folder: string, ...keys: string[]) => {
    const report = await verifyPublication(folder, keys);
    return { verified: report.verified, trust: report.checks.find(({ id }) => id === 'trust') };
  };
  expect(await trust(honest, ada.keyid, ben.keyid, eve.keyid)).toMatchObject({ verified: true, trust: { ok: true } });
  expect(await trust(honest, ada.keyid)).toMatchObject({ verified: false, trust: { ok: false } });
  expect(await trust(honest)).toMatchObject({ verified: false, trust: { ok: false } });
  // Fresh keys under known names: the files agree with each other, and only the reader's own knowledge tells.
  const strangers = { [ada.subject]: generateSigningKey(), [ben.subject]: generateSigningKey() };
  const forged = await copy();
  const { manifest, manifestDigest } = new Publication(await readFolder(forged));
  await editAttestation(forged, ({ predicate }) => {
    for (const approval of predicate.approvals) {
      const { publicKey, privateKey } = strangers[approval.subject]!;
      const terms = {
        subject: approval.subject,
        decision: 'approve',
        reason: 'audit-passed',
        acknowledged: [],
      } as const;
      approval.publicKey = publicKey;
      approval.envelope = signDecision({ release: manifest, manifestDigest, ...terms }, privateKey);
    }
  });
  await sealSums(forged);
  expect((await verifyPublication(forged)).verified).toBe(true);
  expect(await trust(forged, ada.keyid, ben.keyid)).toMatchObject({ verified: false, trust: { ok: false } });
});

test('C10: a folder that is no publication gives failed checks, and no folder at all a plain error', async () => {
  const empty = join(scratch, 'empty');
  await mkdir(empty);
  const report = await verifyPublication(empty);
  expect(report.verified).toBe(false);
  expect(report.checks.every(({ ok }) => !ok)).toBe(true);
  await expect(verifyPublication(join(scratch, 'nowhere'))).rejects.toMatchObject({ code: 'USAGE' });
});
