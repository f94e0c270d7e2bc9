import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { PRIVATE_KEYS, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { PrivateActivities } from '../../contracts/stages.ts';
import { epsilonIn } from '../../core/ledger/entries.fixture.ts';
import { requireLeave } from '../../custodian/check-series.ts';
import { readDrawn } from '../../custodian/custody/draw-record.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { appendToLedger, readLedger } from '../../services/ledger/ledger.ts';
import { putOrder, signOrder } from '../../services/orders/orders.ts';
import { signSeries } from '../../services/orders/series-signature.ts';
import { planTakeover } from '../../services/orders/takeover-order.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { jsonBytes, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { numberedId, type ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../support/small-series.ts';
import { storeMethods } from '../support/store-methods.ts';
import { LEDGER_KEY, ledgerWriter, ordered, POLICY_KEY, RESERVE_TERMS, testPolicy } from '../support/test-custody.ts';
import { widePopulation } from '../support/test-trust.ts';
import { ada, publishedStatement } from '../support/trust-files.ts';

/**
 * Attacks on the custodian side by whoever has the credentials of Temporal, the client or the release store: activities
 * called directly, with any payload, and a release store in which anything was written.
 */

const POPULATION = 'small-riders';
let release: ReleaseBench;
let ids = 0;

beforeEach(async () => {
  release = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(release.folder('source'));
});

function context(change: Partial<PrivateContext> = {}): PrivateContext {
  const { private: usual } = release.contexts({ random: seededSource(1), newId: () => numberedId(++ids) });
  return { ...usual, ...change };
}
const worker = (change: Partial<PrivateContext> = {}): PrivateActivities => createPrivateActivities(context(change));
const partition = { part: 'bus', day: '2026-03-02' };
const partitions = [partition];
const charge = numberedId(1);
const entries = async () => (await readLedger(release.store('private'), POPULATION)).entries;

type Telling = Exclude<keyof PrivateActivities, 'missingObjects' | 'ingest' | 'reingest' | 'reserve'>;

/** Every activity that says more than the names of objects. */
const telling = (run = release.run()): Record<Telling, (of: PrivateActivities) => Promise<unknown>> => ({
  bin: ({ bin }) => bin({ ...run, round: 0, partitions }),
  privatize: ({ privatize }) => privatize({ ...run, round: 0, partitions: [partition], charge }),
  abandon: ({ abandon }) => abandon({ ...run, partitions }),
  shadow: ({ shadow }) => shadow(run),
  changedObjects: ({ changedObjects }) => changedObjects(run),
  commit: ({ commit }) => commit({ ...run, charge, statement: publishedStatement(run) }),
  withhold: ({ withhold }) => withhold({ ...run, charge, reason: 'rejected' }),
});

describe('C11a: activities called directly', () => {
  test('before a charge, nothing is told of rows, and nothing is written', async () => {
    await worker().ingest({ ...release.run(), round: 0 });
    const before = await release.objects();
    for (const [name, call] of Object.entries(telling()))
      await expect(call(worker()), name).rejects.toMatchObject({ code: 'NOT_CHARGED' });
    expect(await release.objects()).toEqual(before);
  });

  test('a charge planted in the release store, signed by a stranger or by nobody, is none', async () => {
    const stranger = generateSigningKey();
    const planted = {
      store: release.store('release'),
      keys: () => [stranger.publicKey],
      privateKey: stranger.privateKey,
    };
    const blocks = release.partitions.map((one) => ({ ...one, epsilon: '8', delta: '1/1000000' }));
    await appendToLedger(planted, POPULATION, () => ({
      kind: 'reserve',
      charge,
      release: releasePath(release.run()),
      ...RESERVE_TERMS,
      series: { name: 'small', digest: release.run().seriesDigest, number: 1 },
      blocks,
      caps: { block: { epsilon: '9', delta: '1' }, year: { epsilon: '9', delta: '1' } },
    }));
    await expect(worker().bin({ ...release.run(), round: 0, partitions })).rejects.toMatchObject({
      code: 'COPY_DIFFERS',
    });
  });

  test('a series file that no key of the policy has signed is not looked at, nor one that was revoked', async () => {
    const stranger = generateSigningKey();
    const bytes = jsonBytes({ ...release.loaded.series, custodians: [] });
    const run = { ...release.run(), seriesDigest: sha256(bytes) };
    await release.store('release').putIfAbsent(RELEASE_KEYS.series(run.series, run.seriesDigest), bytes);
    const signature = signSeries({ series: release.loaded.series, digest: run.seriesDigest }, 9, stranger.privateKey);
    const key = RELEASE_KEYS.seriesSignature(run.series, run.seriesDigest, sha256(signature));
    await release.store('release').putIfAbsent(key, signature);
    const unsigned = { code: 'SERIES_UNSIGNED' };
    await expect(worker().ingest({ ...run, round: 0 })).rejects.toMatchObject(unsigned);
    await expect(worker().reserve({ ...run, partitions: release.partitions })).rejects.toMatchObject(unsigned);
    const revoked = testPolicy({ revokedSeries: [release.run().seriesDigest] });
    await expect(worker({ policy: revoked }).ingest({ ...release.run(), round: 0 })).rejects.toMatchObject(unsigned);
    // The same calls under the file that was signed work: it is the signature that is asked for.
    expect(await worker().ingest({ ...release.run(), round: 0 })).toEqual({ faults: [] });
  });

  test('a series file that was edited in its place is refused', async () => {
    const { series, seriesDigest } = release.run();
    const path = join(release.folder('release'), RELEASE_KEYS.series(series, seriesDigest));
    const text = (await readBytes(release.store('release'), RELEASE_KEYS.series(series, seriesDigest))).toString(
      'utf8',
    );
    await writeFile(path, text.replace('"epsilon":"8"', '"epsilon":"50"'));
    await expect(worker().ingest({ ...release.run(), round: 0 })).rejects.toMatchObject({
      code: 'COPY_DIFFERS',
    });
  });

  test('a window that is not over, a source of another population, another unit and more than the policy allows', async () => {
    const run = { ...release.run(), round: 0 };
    const early = worker({ now: () => new Date('2026-03-04T10:00:00Z') });
    await expect(early.ingest(run)).rejects.toMatchObject({ code: 'WINDOW_INVALID' });
    const rules = (change: Parameters<typeof widePopulation>[1], sources = ['trips']) =>
      worker({ policy: testPolicy({ populations: { [POPULATION]: widePopulation(sources, change) } }) });
    for (const refusing of [
      rules({}, ['other']),
      rules({ unit: 'card-day' }),
      rules({ mechanisms: ['complete-domain'] }),
      rules({ release: { epsilon: '7', delta: '1' } }),
      rules({ release: { epsilon: '8', delta: '1/10000000' } }),
      worker({ policy: testPolicy({ populations: {} }) }),
    ])
      await expect(refusing.ingest(run)).rejects.toMatchObject({ code: 'POLICY_REFUSED' });
    expect(await rules({ release: { epsilon: '8', delta: '1' } }).ingest(run)).toEqual({ faults: [] });
  });

  test('payloads that name nothing end with a code', async () => {
    const odd = [{}, { series: 'small' }, { ...release.run(), window: 'today' }, { ...release.run(), version: '1' }];
    for (const payload of odd)
      await expect(worker().ingest({ round: 0, ...payload } as never)).rejects.toMatchObject({ code: 'USAGE' });
    for (const round of [-1, 7, 0.5, 1e9])
      await expect(worker().ingest({ ...release.run(), round })).rejects.toMatchObject({ code: 'NEEDS_CORRECTION' });
  });
});

describe('C11: one draw, whatever happens to the release store', () => {
  const drawn = async () => {
    const { reserve, ingest, bin, privatize } = worker();
    const run = release.run();
    await reserve({ ...run, partitions: release.partitions });
    await ingest({ ...run, round: 0 });
    await bin({ ...run, round: 0, partitions });
    return privatize({ ...run, round: 0, partitions: [partition], charge });
  };

  test('a table that was deleted or replaced never leads to a second draw', async () => {
    const first = await drawn();
    const key = RELEASE_KEYS.privatized(release.run(), partition);
    const bytes = await readBytes(release.store('release'), key);
    const again = () =>
      worker({ random: seededSource(99) }).privatize({ ...release.run(), round: 0, partitions: [partition], charge });
    await rm(join(release.folder('release'), key));
    expect(await again()).toEqual(first);
    expect((await readBytes(release.store('release'), key)).equals(bytes)).toBe(true);
    await writeFile(join(release.folder('release'), key), 'planted');
    await expect(again()).rejects.toMatchObject({ code: 'COPY_DIFFERS' });
    await rm(join(release.folder('release'), key));
    expect(await again()).toEqual(first);
  });

  test('a table that was planted before the draw is not taken, and the draw that was made is the one', async () => {
    const key = RELEASE_KEYS.privatized(release.run(), partition);
    await release.store('release').putIfAbsent(key, Buffer.from('planted'));
    await expect(drawn()).rejects.toMatchObject({ code: 'COPY_DIFFERS' });
    const own = await readBytes(release.store('private'), PRIVATE_KEYS.privatized(release.run(), partition));
    await rm(join(release.folder('release'), key));
    const asked = { ...release.run(), round: 0, partitions: [partition], charge };
    const [draw] = await worker({ random: seededSource(7) }).privatize(asked);
    expect(draw!.digest).toBe(sha256(readDrawn(own).table));
  });

  test('another round is refused with equal rows and with others, before and after the table is there', async () => {
    await drawn();
    await worker().reingest({ ...release.run(), round: 1, partitions: [{ part: 'bus', day: '2026-03-03' }] });
    await worker().bin({ ...release.run(), round: 1, partitions });
    const other = () => worker().privatize({ ...release.run(), round: 1, partitions: [partition], charge });
    await expect(other()).rejects.toMatchObject({ code: 'NEEDS_CORRECTION' });
    await rm(join(release.folder('private'), PRIVATE_KEYS.privatized(release.run(), partition)));
    await expect(other()).rejects.toMatchObject({ code: 'NEEDS_CORRECTION' });
  });

  test('a partition outside of the window, or of the charge, is not drawn', async () => {
    await drawn();
    const strange = { part: 'bus', day: '2026-03-09' };
    await expect(
      worker().privatize({ ...release.run(), round: 0, partitions: [strange], charge }),
    ).rejects.toMatchObject({
      code: 'NOT_CHARGED',
    });
  });
});

describe('C12: the ledger', () => {
  const reserve = (version = 1, change: Partial<PrivateContext> = {}) =>
    worker(change).reserve({ ...release.run(version), partitions: release.partitions });

  test('sixty further versions are refused: each needs an order, and one of a stranger is none', async () => {
    await reserve();
    const run = release.run(2);
    const { series, seriesDigest, window } = run;
    const stranger = generateSigningKey().privateKey;
    const draft = { kind: 'version' as const, series, seriesDigest, window, version: 2, correction: null };
    await putOrder(release.store('release'), signOrder(draft, stranger));
    for (let version = 2; version <= 60; version += 1)
      await expect(reserve(version)).rejects.toMatchObject({ code: 'ORDER_MISSING' });
    expect((await entries()).filter(({ kind }) => kind === 'reserve')).toHaveLength(1);
    await ordered(release.store('release'), run);
    await reserve(2);
    expect((await entries()).at(-1)).toMatchObject({ kind: 'reserve', release: releasePath(run) });
  });

  test('an old window needs an order, and a part of a window is no first version', async () => {
    const policy = testPolicy({ populations: { [POPULATION]: widePopulation(['trips'], { lateDays: 30 }) } });
    await expect(reserve(1, { policy })).rejects.toMatchObject({ code: 'ORDER_MISSING' });
    await expect(worker().reserve({ ...release.run(), partitions })).rejects.toMatchObject({ code: 'ORDER_MISSING' });
    const { series, seriesDigest, window } = release.run();
    const asked = () =>
      requireLeave(context({ policy }), release.loaded, [window], { series: 'a.yaml', from: window, to: window }).catch(
        String,
      );
    expect(await asked()).toContain(`\`opaline order windows a.yaml --from ${window} --to ${window} --key KEY.pem`);
    const draft = { kind: 'windows' as const, series, seriesDigest, from: window, to: window };
    await putOrder(release.store('release'), signOrder(draft, POLICY_KEY.privateKey));
    expect(await asked()).toBeUndefined();
    expect(await reserve(1, { policy })).toMatchObject({ charge: expect.any(String) });
  });

  test('the copy of an entry is there before anything is told, and is put back when it is gone', async () => {
    await reserve();
    await rm(join(release.folder('release'), RELEASE_KEYS.ledgerEntry(POPULATION, 2)));
    await worker().ingest({ ...release.run(), round: 0 });
    await worker().bin({ ...release.run(), round: 0, partitions });
    const [own, copy] = await Promise.all(
      (['private', 'release'] as const).map((name) =>
        readBytes(release.store(name), RELEASE_KEYS.ledgerEntry(POPULATION, 2)),
      ),
    );
    expect(own!.equals(copy!)).toBe(true);
  });

  test('a private store that was set back is behind its copies, and goes on by an order alone', async () => {
    await reserve();
    await rm(join(release.folder('private'), RELEASE_KEYS.ledgerEntry(POPULATION, 2)));
    await ordered(release.store('release'), release.run(2));
    await expect(reserve(2)).rejects.toMatchObject({ code: 'LEDGER_BEHIND' });
    const rules = testPolicy().policy.populations[POPULATION]!;
    const draft = await planTakeover(release.store('release'), POPULATION, rules, null);
    await putOrder(release.store('release'), signOrder(draft, generateSigningKey().privateKey));
    await expect(reserve(2)).rejects.toMatchObject({ code: 'LEDGER_BEHIND' });
    await putOrder(release.store('release'), signOrder(draft, POLICY_KEY.privateKey));
    await reserve(2);
    expect((await entries()).map(({ kind }) => kind)).toEqual(['policy', 'reserve', 'takeover', 'reserve']);
  });

  test('an entry that another release appends between the look at ledger and copies is no gap', async () => {
    await ordered(release.store('release'), release.run(2));
    const quiet = release.store('release');
    const next = RELEASE_KEYS.ledgerEntry(POPULATION, 1);
    let appended = 0;
    const meanwhile = storeMethods(quiet);
    meanwhile.get = async (key, range) => {
      if (key === next && appended++ === 0) await reserve(2);
      return quiet.get(key, range);
    };
    await reserve(1, { releaseStore: meanwhile });
    expect(appended).toBeGreaterThan(0);
    const releases = (await entries()).flatMap((entry) => (entry.kind === 'reserve' ? entry.release : []));
    expect(releases).toEqual([releasePath(release.run(2)), releasePath(release.run(1))]);
  });

  test('both stores set back are noticed by the mark of the worker', async () => {
    await reserve();
    for (const store of ['private', 'release'] as const)
      await rm(join(release.folder(store), RELEASE_KEYS.ledgerEntry(POPULATION, 2)));
    await expect(reserve()).rejects.toMatchObject({ code: 'LEDGER_BEHIND' });
    await rm(join(release.root, 'state.json'));
    // Broken twin: without the mark the charge is simply forgotten.
    expect(await reserve()).toMatchObject({ charge: expect.any(String) });
  });

  test('a policy and a trust file of a lower number than the ledger names stop it', async () => {
    const policy = testPolicy({ number: 2 });
    await reserve(1, { policy, trust: { number: 2, digest: '2'.repeat(64) } });
    await ordered(release.store('release'), release.run(2));
    const behind = { code: 'TRUST_BEHIND' };
    await expect(reserve(2, { trust: { number: 2, digest: '2'.repeat(64) } })).rejects.toMatchObject(behind);
    await expect(reserve(2, { policy })).rejects.toMatchObject(behind);
    const edited = testPolicy({ number: 2, revokedSeries: ['0'.repeat(64)] });
    await expect(reserve(2, { policy: edited, trust: { number: 2, digest: '2'.repeat(64) } })).rejects.toMatchObject({
      code: 'LEDGER_BEHIND',
    });
  });

  test('a worker whose files are not the newest charges nothing, and leaves no entry', async () => {
    const behind = { code: 'TRUST_BEHIND' };
    const requireNewest = async () => {
      throw new OpalineError('TRUST_BEHIND', 'old files');
    };
    await expect(reserve(1, { requireNewest })).rejects.toMatchObject(behind);
    await expect(reserve(1, { ledgerKeys: () => [POLICY_KEY.publicKey] })).rejects.toMatchObject(behind);
    expect(await entries()).toEqual([]);
    await reserve();
    await expect(
      worker({ requireNewest }).commit({ ...release.run(), charge, statement: publishedStatement(release.run()) }),
    ).rejects.toMatchObject(behind);
    expect((await entries()).map(({ kind }) => kind)).toEqual(['policy', 'reserve']);
  });

  test('caps are those of the policy: another series with wide caps of its own does not widen them', async () => {
    const caps = { block: { epsilon: '16', delta: '1' }, year: { epsilon: '1000', delta: '1' } };
    const policy = testPolicy({
      populations: { [POPULATION]: widePopulation(['trips'], { caps, release: { epsilon: '16', delta: '1/100' } }) },
    });
    for (const version of [2, 3]) await ordered(release.store('release'), release.run(version));
    await reserve(1, { policy });
    await reserve(2, { policy });
    await expect(reserve(3, { policy })).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect((await entries()).find(({ kind }) => kind === 'refuse')).not.toHaveProperty('caps');
  });

  test('a series that is drawn for add-remove is charged twice its ε where the population replaces one', async () => {
    const other = await openSmallRelease(
      await loadSmallSeries((yaml) => yaml.replace('neighbours: replace-one', 'neighbours: add-remove')),
    );
    try {
      const contexts = other.contexts({ random: seededSource(1), newId: () => numberedId(++ids) });
      await createPrivateActivities(contexts.private).reserve({ ...other.run(), partitions: other.partitions });
      const ledger = await readLedger(other.store('private'), POPULATION);
      const entry = ledger.entries.at(-1);
      expect(entry).toMatchObject({ kind: 'reserve', neighbours: 'replace-one' });
      expect(entry?.kind === 'reserve' && new Set(entry.blocks.map(epsilonIn))).toEqual(new Set(['16']));
    } finally {
      await other.close();
    }
  });

  const ended = async () => (await entries()).filter(({ kind }) => kind === 'commit' || kind === 'withhold');

  test('a forged withhold says a state of releases and changes no budget', async () => {
    await reserve();
    await worker().withhold({ ...release.run(), charge, reason: 'pay 1,000 to eve' });
    await worker().commit({ ...release.run(), charge: numberedId(77), statement: publishedStatement(release.run()) });
    expect(await ended()).toMatchObject([{ kind: 'withhold', reason: 'failed' }]);
  });

  test('the ledger says that a release is public when a publisher has signed just that, and then no withhold', async () => {
    await reserve();
    const run = release.run();
    const commit = (statement: unknown) => worker().commit({ ...run, charge, statement: statement as Envelope });
    const early = { sequence: 1, digest: 'cd'.repeat(32) };
    for (const forged of [
      undefined,
      {},
      publishedStatement(run, {}, ada),
      publishedStatement(release.run(2)),
      publishedStatement(run, { seriesDigest: 'ab'.repeat(32) }),
      publishedStatement(run, { ledger: early }),
    ])
      await expect(commit(forged)).rejects.toMatchObject({
        code: expect.stringMatching('VERIFICATION_FAILED|SIGNATURE_INVALID'),
      });
    const retired = { publisherKeys: (_: string, sequence: number) => (sequence > 5 ? [] : [ada.publicKey]) };
    await expect(
      worker(retired).commit({ ...run, charge, statement: publishedStatement(run, {}, ada) }),
    ).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
    expect(await ended()).toEqual([]);
    await commit(publishedStatement(run));
    await expect(worker().withhold({ ...run, charge, reason: 'withdrawn' })).rejects.toMatchObject({
      code: 'ACTION_NOT_OFFERED',
    });
    await commit(publishedStatement(run));
    expect(await ended()).toMatchObject([{ kind: 'commit' }]);
  });

  test('an entry that somebody appends with the credentials of the private store alone breaks the ledger', async () => {
    await reserve();
    const stranger = { ...ledgerWriter(release.store('private')), privateKey: POLICY_KEY.privateKey };
    await appendToLedger({ ...stranger, keys: () => [LEDGER_KEY.publicKey, POLICY_KEY.publicKey] }, POPULATION, () => ({
      kind: 'commit',
      charge,
      release: releasePath(release.run()),
    }));
    await expect(reserve()).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
  });
});
