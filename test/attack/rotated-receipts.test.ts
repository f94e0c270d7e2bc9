import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { putReceipt } from '../../custodian/custody/receipt.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes, readBytes } from '../../services/stores/json-objects.ts';
import { numberedId } from '../support/release-bench.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../support/small-series.ts';
import { LEDGER_KEY, PRIVATE_BUILD } from '../support/test-custody.ts';

/** Receipts of the private worker after a change of its key, and what strangers put in their place. */
const partition = { part: 'bus', day: '2026-03-02' };
const charge = numberedId(1);

test('C11: a receipt of an ended key is the same one; of a stranger, or of a key that was not valid then, it is none', async () => {
  const release = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(release.folder('source'));
  const worker = (change: Partial<PrivateContext> = {}) =>
    createPrivateActivities({ ...release.contexts({}).private, ...change });
  const { reserve, ingest, bin } = worker();
  const run = release.run();
  await reserve({ ...run, partitions: release.partitions });
  await ingest({ ...run, round: 0 });
  await bin({ ...run, round: 0, partitions: [partition] });
  const renewed = generateSigningKey();
  const rotated = { ledgerKey: renewed.privateKey, ledgerKeys: () => [LEDGER_KEY.publicKey, renewed.publicKey] };
  const again = (change: Partial<PrivateContext> = rotated) =>
    worker(change).privatize({ ...run, round: 0, partitions: [partition], charge });
  const first = await again({});
  await worker().shadow(run);
  const keys = [RELEASE_KEYS.receipt(run, partition), RELEASE_KEYS.shadowReceipt(run, PRIVATE_BUILD)];
  const bytes = await Promise.all(keys.map((key) => readBytes(release.store('release'), key)));
  expect(await again()).toEqual(first);
  await worker(rotated).shadow(run);
  for (const [place, key] of keys.entries()) {
    const path = join(release.folder('release'), key);
    expect((await readBytes(release.store('release'), key)).equals(bytes[place]!)).toBe(true);
    const { payload } = JSON.parse(bytes[place]!.toString('utf8'));
    const receipt = JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
    await writeFile(path, jsonBytes(signDocument(receipt, generateSigningKey().privateKey)));
  }
  const differs = { code: 'COPY_DIFFERS' };
  await expect(again()).rejects.toMatchObject(differs);
  await expect(worker(rotated).shadow(run)).rejects.toMatchObject(differs);
  for (const [place, key] of keys.entries()) await writeFile(join(release.folder('release'), key), bytes[place]!);
  // The old key was valid up to the entry before the charge, which is the second.
  const early = (_: string, sequence: number) => [renewed.publicKey, ...(sequence > 1 ? [] : [LEDGER_KEY.publicKey])];
  const store = release.store('release');
  const reserved = (await readLedger(release.store('private'), 'small-riders')).entries.find(
    (entry) => entry.kind === 'reserve',
  )!;
  const outcome = { table: first[0]!.digest, build: PRIVATE_BUILD };
  const put = (ledgerKeys: PrivateContext['ledgerKeys']) =>
    putReceipt({ releaseStore: store, ledgerKey: renewed.privateKey, ledgerKeys }, run, partition, reserved, outcome);
  await put(rotated.ledgerKeys);
  await expect(put(early)).rejects.toMatchObject(differs);
});
