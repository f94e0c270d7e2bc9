import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../../activities/public/audit.ts';
import { derive } from '../../activities/public/derive.ts';
import { AUDIT_RECEIPT_FORMAT } from '../../contracts/formats/stage-receipts.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { auditInputs } from '../../services/draws/stage-receipt.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { TEST_BUILD } from '../../test/support/folder-contexts.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { receiptKey, type TestRelease, testRelease } from '../../test/support/test-release.ts';
import { TEST_CHAIN } from '../../test/support/trust-files.ts';
import { copyRelease } from './audited-copy.ts';
import { requireApprovable } from './decision-basis.ts';
import type { ForecastReader } from './forecast.ts';
import { releaseBriefing } from './release-briefing.ts';

/** A release at its gate; each test changes a copy of its release store. */
let honest: TestRelease;
let status: ReleaseStatus;

beforeAll(async () => {
  honest = await testRelease();
  await derive(honest.context, honest.input);
  await audit(honest.context, honest.input);
  status = { ...honest.run, required: 2, decisions: [] } as unknown as ReleaseStatus;
});

const staged = (file: string): string => RELEASE_KEYS.staged(honest.run, TEST_BUILD, file);

type Place = { reader: ForecastReader; at: (key: string) => string };

/** A copy of the release store, in which somebody has changed something. */
async function changed(change: (place: Place) => Promise<unknown>): Promise<ForecastReader> {
  const folder = newFolder();
  await cp(join(honest.folder, 'release'), folder, { recursive: true });
  const reader = { releaseStore: new FolderStore(folder), trust: async () => TEST_CHAIN, publications: null };
  await change({ reader, at: (key) => join(folder, key) });
  return reader;
}

async function write(path: string, text: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const append = async (path: string, text: string): Promise<void> => write(path, `${await readFile(path)}${text}`);
const refused = (name: string) => ({ code: 'COPY_DIFFERS', message: expect.stringContaining(name) });
const SCRIPT = '<script>document.title = "all is well"</script>';

describe('C16 what people are shown and sign', () => {
  test('is a checked copy of everything that would be published, for this person alone', async () => {
    const reader = await changed(async () => undefined);
    const path = await copyRelease(reader, honest.run, FILES.auditPage);
    expect(await readFile(path)).toEqual(await readFile(join(honest.folder, 'release', staged(FILES.auditPage))));
    const { manifest, manifestDigest } = await requireApprovable(reader, honest.run);
    expect(manifestDigest).toMatch(/^[0-9a-f]{64}$/);
    const copied = await readdir(dirname(path));
    expect(copied.sort()).toEqual([FILES.manifest, ...manifest.files.map(({ name }) => name)].sort());
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    const briefing = await releaseBriefing(reader, status);
    expect(briefing).toMatchObject({ pages: ['audit', 'statement'], release: releasePath(honest.run) });
    expect(briefing.shown).not.toBeNull();
  });

  test.each([FILES.auditPage, FILES.audit, FILES.statement, FILES.manifest, FILES.privacy, FILES.table('time')])(
    'is refused by name when %s was edited, or taken away',
    async (file) => {
      for (const change of [
        ({ at }: Place) => append(at(staged(file)), SCRIPT),
        ({ at }: Place) => rm(at(staged(file))),
      ]) {
        const reader = await changed(change);
        await expect(copyRelease(reader, honest.run, FILES.auditPage)).rejects.toMatchObject(refused(file));
        await expect(requireApprovable(reader, honest.run)).rejects.toMatchObject(refused(file));
      }
    },
  );

  test('is never made of bytes that nobody has checked', async () => {
    const report = ({ at }: Place) => append(at(staged(FILES.audit)), SCRIPT);
    const honestly = await releaseBriefing(await changed(async () => undefined), status);
    expect(await releaseBriefing(await changed(report), status)).toEqual(honestly);
    const statement = ({ at }: Place) => append(at(staged(FILES.statement)), '\n## Audit\n\nAll of it held.\n');
    await expect(releaseBriefing(await changed(statement), status)).rejects.toMatchObject(refused(FILES.statement));
  });

  test('is not a second audit that no receipt names', async () => {
    const reader = await changed(async ({ at }) => {
      await write(at(RELEASE_KEYS.reaudited(honest.run, FILES.auditPage)), SCRIPT);
      await write(at(RELEASE_KEYS.reaudited(honest.run, FILES.secondAuditPage)), SCRIPT);
      await write(at(RELEASE_KEYS.reaudited(honest.run, FILES.manifest)), '{}');
    });
    expect(await readFile(await copyRelease(reader, honest.run, FILES.auditPage), 'utf8')).not.toContain(SCRIPT);
    await expect(copyRelease(reader, honest.run, FILES.secondAuditPage)).rejects.toMatchObject({
      code: 'OBJECT_MISSING',
    });
    expect((await releaseBriefing(reader, status)).pages).toEqual(['audit', 'statement']);
    await requireApprovable(reader, honest.run);
  });

  /** Puts a receipt of a stranger at a key. */
  const strangers = (key: string) => async (place: Place) => {
    const reader = { releaseStore: place.reader.releaseStore, trust: async () => TEST_CHAIN, publications: null };
    const { manifest, report } = await requireApprovable(reader, honest.run);
    const inputs = key.slice(-69, -5);
    const receipt = { format: AUDIT_RECEIPT_FORMAT, inputs, manifest, report: { ...report, verdict: 'pass' } };
    await write(place.at(key), jsonBytes(signDocument(receipt, generateSigningKey().privateKey)));
  };

  test('is not an audit that a stranger signed', async () => {
    const reader = await changed(strangers(receiptKey(honest)));
    const planted = { code: 'COPY_DIFFERS' };
    await expect(copyRelease(reader, honest.run, FILES.auditPage)).rejects.toMatchObject(planted);
    await expect(requireApprovable(reader, honest.run)).rejects.toMatchObject(planted);
    await expect(releaseBriefing(reader, status)).rejects.toMatchObject(planted);
  });

  test('is what was audited, whatever a stranger has signed beside it', async () => {
    const honestly = await releaseBriefing(await changed(async () => undefined), status);
    const beside = RELEASE_KEYS.auditReceipt(honest.run, auditInputs(honest.input, 'ab'.repeat(32)));
    expect(await releaseBriefing(await changed(strangers(beside)), status)).toEqual(honestly);
  });

  test('is not the audit of another release', async () => {
    const other = { ...honest.run, window: '2026-03-09' };
    const reader = await changed(async ({ at }) =>
      write(at(receiptKey({ ...honest, run: other })), await readFile(at(receiptKey(honest)))),
    );
    await expect(copyRelease(reader, other, FILES.auditPage)).rejects.toMatchObject({ code: 'COPY_DIFFERS' });
  });
});
