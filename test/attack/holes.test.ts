import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { audit } from '../../activities/public/audit.ts';
import { decide } from '../../activities/public/decide.ts';
import { derive } from '../../activities/public/derive.ts';
import { publish } from '../../activities/public/publish.ts';
import { tamperFindings } from '../../client/tampering/tampering.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { type Receipt, receiptSchema } from '../../contracts/formats/draw-receipt.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import {
  FILES,
  type Partition,
  PRIVATE_KEYS,
  partitionPath,
  RELEASE_KEYS,
  releasePath,
} from '../../contracts/names.ts';
import type { DeriveInput, Draw, Hole } from '../../contracts/stages.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { readDocument, signDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes, readBytes } from '../../services/stores/json-objects.ts';
import { decisionOn } from '../fault/release-steps.fixture.ts';
import type { ReleaseBench } from '../support/release-bench.ts';
import { loadSmallSeries, openSmallRelease, smallKey, writeSmallTrips } from '../support/small-series.ts';
import { storeMethods } from '../support/store-methods.ts';
import { LEDGER_KEY } from '../support/test-custody.ts';
import { receiptBytes, TEST_CHAIN } from '../support/trust-files.ts';

/**
 * Whoever may start activities names holes that are not holes, and keeps partitions from being published; or has a
 * partition abandoned that could be drawn (C16).
 */
const refused = { code: 'VERIFICATION_FAILED' };
const notOffered = { code: 'ACTION_NOT_OFFERED' };
const MISSING: Partition = { part: 'ferry', day: '2026-03-04' };

let release: ReleaseBench;
let contexts: ReturnType<ReleaseBench['contexts']>;
const run = () => release.run();
const worker = () => createPrivateActivities(contexts.private);
const at = (key: string) => join(release.folder('release'), key);

beforeEach(async () => {
  release = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(release.folder('source'));
  contexts = release.contexts();
});

/** Charged, read and counted; what the public stages are asked with when the rest is drawn and these are holes. */
async function counted(): Promise<string> {
  const { partitions } = release;
  const { charge } = await worker().reserve({ ...run(), partitions });
  await worker().ingest({ ...run(), round: 0 });
  await worker().bin({ ...run(), round: 0, partitions });
  return charge;
}
const drawnOf = async (partition: Partition): Promise<Draw> =>
  (await worker().privatize({ ...run(), round: 0, partitions: [partition], charge: 'any' }))[0]!;
const drawAll = async (partitions = release.partitions): Promise<Draw[]> => {
  const draws: Draw[] = [];
  for (const partition of partitions) draws.push(await drawnOf(partition));
  return draws;
};
async function asked(charge: string, draws: Draw[], holes: Hole[]): Promise<DeriveInput> {
  await worker().shadow(run());
  return { ...run(), correction: null, charge, draws, holes };
}

async function publishedAs(input: DeriveInput): Promise<Partition[]> {
  await derive(contexts.public, input);
  const found = await audit(contexts.public, input);
  const decision = await decide(contexts.public, await decisionOn(release, found, 'approve'));
  const { manifestDigest } = found;
  const decisions = decision.accepted ? [decision.digest] : [];
  await publish(contexts.public, { ...run(), manifestDigest, decisions, publishedAt: '2026-03-20T01:02:03.000Z' });
  const folder = join(release.folder('publication'), releasePath(run()));
  expect(await verifyPublication(folder, TEST_CHAIN)).toMatchObject({ verified: true });
  const key = RELEASE_KEYS.staged(run(), contexts.public.build.sources, FILES.manifest);
  const { partitions } = manifestSchema.parse(JSON.parse(String(await readBytes(release.store('release'), key))));
  return partitions.filter(({ hole }) => hole === null);
}

describe('C16: holes that somebody names', () => {
  test('derive and audit of one draw and five holes of strangers are refused, and six of six are published', async () => {
    const charge = await counted();
    const [first, ...others] = release.partitions;
    const one = [await drawnOf(first!)];
    const holes = others.map((partition): Hole => ({ ...partition, code: 'OBJECT_MISSING' }));
    const invented = await asked(charge, one, holes);
    await expect(derive(contexts.public, invented)).rejects.toMatchObject(refused);
    await expect(audit(contexts.public, invented)).rejects.toMatchObject(refused);
    // Nor of a stranger's receipts.
    const stranger = generateSigningKey().privateKey;
    for (const { part, day, code } of holes) {
      const receipt = { format: 'opaline-hole-receipt/1' as const, release: releasePath(run()), part, day, code };
      await contexts.public.releaseStore.putIfAbsent(
        RELEASE_KEYS.receipt(run(), { part, day }),
        receiptBytes(receipt, stranger),
      );
    }
    await expect(audit(contexts.public, invented)).rejects.toMatchObject(refused);
    for (const hole of holes) await rm(at(RELEASE_KEYS.receipt(run(), hole)));
    const draws = await drawAll();
    expect(await publishedAs({ ...invented, draws, holes: [] })).toHaveLength(6);
  });

  test('no partition is abandoned that no object holds back, or that is drawn, or whose draw has begun', async () => {
    await rm(join(release.folder('source'), smallKey(MISSING.day, MISSING.part)));
    await counted();
    const before = await release.objects();
    const [first, second] = release.partitions;
    const abandon = (...partitions: Partition[]) => worker().abandon({ ...run(), partitions });
    await expect(abandon(first!)).rejects.toMatchObject(notOffered);
    // All or none.
    await expect(abandon(MISSING, first!)).rejects.toMatchObject(notOffered);
    await expect(abandon({ part: 'tram', day: MISSING.day })).rejects.toMatchObject({ code: 'NOT_CHARGED' });
    expect(await release.objects()).toEqual(before);
    await drawnOf(second!);
    await expect(abandon(second!)).rejects.toMatchObject(notOffered);
    await contexts.private.privateStore.putIfAbsent(PRIVATE_KEYS.draw(run(), MISSING), Buffer.from('{}'));
    await expect(abandon(MISSING)).rejects.toMatchObject(notOffered);
  });
});

describe('C16: a hole', () => {
  beforeEach(() => rm(join(release.folder('source'), smallKey(MISSING.day, MISSING.part))));
  const abandon = () => worker().abandon({ ...run(), partitions: [MISSING] });
  const isMissing = (partition: Partition) => partitionPath(partition) === partitionPath(MISSING);

  test('@contract safe-to-retry: says release, partition and code, is there once, and is published as such', async () => {
    const charge = await counted();
    const holes = await abandon();
    expect(holes).toEqual([{ ...MISSING, code: 'OBJECT_MISSING' }]);
    const stored = await readBytes(contexts.private.privateStore, PRIVATE_KEYS.privatized(run(), MISSING));
    expect(JSON.parse(stored.toString())).toEqual({
      format: 'opaline-hole/1',
      release: releasePath(run()),
      ...MISSING,
      code: 'OBJECT_MISSING',
    });
    const before = await release.objects();
    expect(await abandon()).toEqual(holes);
    expect(await release.objects()).toEqual(before);
    const draws = await drawAll(release.partitions.filter((one) => !isMissing(one)));
    const input = await asked(charge, draws, holes);
    expect(await publishedAs(input)).toHaveLength(5);
    const { releaseStore } = contexts.public;
    await releaseStore.putIfAbsent(RELEASE_KEYS.execution(run(), 1), Buffer.from('{"execution":"x"}'));
    const found = async () =>
      (await tamperFindings(releaseStore, TEST_CHAIN, { thorough: true })).map(({ sentence }) => sentence);
    expect(await found()).toEqual([]);
    await releaseStore.putIfAbsent(RELEASE_KEYS.privatized(run(), MISSING), Buffer.from('{}'));
    expect(await found()).toEqual([expect.stringContaining('it is a hole, and a table is there')]);
  });

  test('is never drawn, though its object comes', async () => {
    await counted();
    await abandon();
    await writeSmallTrips(release.folder('source'));
    await worker().reingest({ ...run(), round: 1, partitions: [MISSING] });
    await worker().bin({ ...run(), round: 1, partitions: [MISSING] });
    const draw = worker().privatize({ ...run(), round: 1, partitions: [MISSING], charge: 'any' });
    await expect(draw).rejects.toMatchObject({ code: 'NEEDS_CORRECTION' });
    expect(await release.store('release').head(RELEASE_KEYS.privatized(run(), MISSING))).toBeNull();
    expect(await abandon()).toEqual([{ ...MISSING, code: 'OBJECT_MISSING' }]);
  });

  test('is not made once the object has come, whatever round is older', async () => {
    await counted();
    await writeSmallTrips(release.folder('source'));
    await worker().reingest({ ...run(), round: 1, partitions: [MISSING] });
    await expect(abandon()).rejects.toMatchObject(notOffered);
    await worker().bin({ ...run(), round: 1, partitions: [MISSING] });
    await expect(abandon()).rejects.toMatchObject(notOffered);
  });

  test.each(['hole', 'table'])('and a draw at once exclude each other: the %s is first', async (first) => {
    await writeSmallTrips(release.folder('source'));
    const [partition] = release.partitions;
    await counted();
    // A fault that another attempt found of what was counted: the draw and the hole are both possible for a moment.
    const { privateStore } = contexts.private;
    const key = PRIVATE_KEYS.privatized(run(), partition!);
    const hole = Buffer.from(
      `${JSON.stringify({ code: 'OBJECT_CHANGED', day: partition!.day, format: 'opaline-hole/1', part: partition!.part, release: releasePath(run()) })}\n`,
    );
    if (first === 'hole') {
      contexts.private.privateStore = {
        ...storeMethods(privateStore),
        putIfAbsent: async (name, body) => {
          if (name === key) await privateStore.putIfAbsent(key, hole);
          return privateStore.putIfAbsent(name, body);
        },
      };
      await expect(drawnOf(partition!)).rejects.toMatchObject({ code: 'NEEDS_CORRECTION' });
      expect(await readBytes(privateStore, key)).toEqual(hole);
      expect(await release.store('release').head(RELEASE_KEYS.privatized(run(), partition!))).toBeNull();
      expect(await release.store('release').head(RELEASE_KEYS.receipt(run(), partition!))).toBeNull();
      return;
    }
    await rm(join(release.folder('private'), PRIVATE_KEYS.cells(run(), 0, partition!)));
    const fault = { object: 'x', code: 'OBJECT_CHANGED', partitions: [partition!] };
    await privateStore.putIfAbsent(PRIVATE_KEYS.fault(run(), 0, partition!), Buffer.from(JSON.stringify(fault)));
    contexts.private.privateStore = {
      ...storeMethods(privateStore),
      putIfAbsent: async (name, body) => {
        if (name === key) await privateStore.putIfAbsent(key, Buffer.from('a table'));
        return privateStore.putIfAbsent(name, body);
      },
    };
    const abandoned = worker().abandon({ ...run(), partitions: [partition!] });
    await expect(abandoned).rejects.toMatchObject(notOffered);
    expect(String(await readBytes(privateStore, key))).toBe('a table');
    expect(await release.store('release').head(RELEASE_KEYS.receipt(run(), partition!))).toBeNull();
  });
});

describe('C6 C16: what counting finds', () => {
  const broken = () =>
    writeFile(join(release.folder('source'), smallKey(MISSING.day, MISSING.part)), Buffer.from('no gzip'));

  test('an object that was replaced after its pin holds its partitions back, also when others are retried', async () => {
    const { partitions } = release;
    await worker().reserve({ ...run(), partitions });
    const late = { part: 'bus', day: '2026-03-02' };
    await rm(join(release.folder('source'), smallKey(late.day, late.part)));
    await worker().ingest({ ...run(), round: 0 });
    await broken();
    await release.loseScratch();
    const { faults } = await worker().bin({ ...run(), round: 0, partitions });
    expect(faults.map(({ code }) => code).sort()).toEqual(['OBJECT_CHANGED', 'OBJECT_MISSING']);
    await writeSmallTrips(release.folder('source'), [late.day]);
    await worker().reingest({ ...run(), round: 1, partitions: [late] });
    await expect(worker().abandon({ ...run(), partitions: [late] })).rejects.toMatchObject(notOffered);
    expect(await worker().abandon({ ...run(), partitions: [MISSING] })).toEqual([
      { ...MISSING, code: 'OBJECT_CHANGED' },
    ]);
  });

  test('an attempt that failed and one that counted: the partition is not abandoned', async () => {
    await counted();
    const fault = { object: 'x', code: 'OBJECT_CHANGED', partitions: [MISSING] };
    const { privateStore } = contexts.private;
    await privateStore.putIfAbsent(PRIVATE_KEYS.fault(run(), 0, MISSING), Buffer.from(JSON.stringify(fault)));
    await expect(worker().abandon({ ...run(), partitions: [MISSING] })).rejects.toMatchObject(notOffered);
  });
});

describe('C11: a receipt after the key of the ledger was changed', () => {
  test('a receipt of the key before is the same receipt; one of a stranger, or that says something else, is not', async () => {
    await counted();
    const [partition] = release.partitions;
    const first = await drawnOf(partition!);
    const path = at(RELEASE_KEYS.receipt(run(), partition!));
    const before = await readFile(path);
    const { privateKey, publicKey } = generateSigningKey();
    contexts.private.ledgerKey = privateKey;
    contexts.private.ledgerKeys = () => [LEDGER_KEY.publicKey, publicKey];
    expect(await drawnOf(partition!)).toEqual(first);
    expect(await readFile(path)).toEqual(before);
    const receipt = readDocument<Receipt>(JSON.parse(String(before)), receiptSchema, 'receipt');
    for (const [document, key] of [
      [receipt, generateSigningKey().privateKey],
      [{ ...receipt, day: '2026-03-03' }, LEDGER_KEY.privateKey],
    ] as const) {
      await writeFile(path, jsonBytes(signDocument(document, key)));
      await expect(drawnOf(partition!)).rejects.toMatchObject({ code: 'COPY_DIFFERS' });
    }
  });
});
