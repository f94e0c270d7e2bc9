import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run as runCommand } from '../../cli/process.fixture.ts';
import { diagnose } from '../../client/doctor.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { type LoadedSeries, loadSeriesFile } from '../../client/series/series-file.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { FILES, type Partition, PRIVATE_KEYS, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { PrivateActivities, Run } from '../../contracts/stages.ts';
import { readDrawn } from '../../custodian/custody/draw-record.ts';
import { auditInputs } from '../../services/draws/stage-receipt.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import { signSeries } from '../../services/orders/series-signature.ts';
import { envelopeDigest } from '../../services/signing/decision-statement.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonBytes, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { newestVersion, pinOf } from '../../services/trust/trust-chain.ts';
import { readTrustFile } from '../../services/trust/trust-file.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { signDecision } from '../support/sign-decision.ts';
import { SMALL_DAYS, SMALL_MODES, SMALL_WINDOW } from '../support/small-series.ts';
import { type SmallStack, startSmallStack } from '../support/small-stack.ts';
import { STACK_BUILD } from '../support/stack-build.ts';
import { reaches } from '../support/test-stack.ts';
import { TEST_APPROVER } from '../support/test-trust.ts';
import { NamespaceAttacker, type Reached } from './namespace-attacker.fixture.ts';

/**
 * One attack of each class on one real stack: docs/security.md names the cells. Whatever is tried, the release that the
 * people wanted is published in the end, from one draw and one charge.
 */
let small: SmallStack;
let attacker: NamespaceAttacker;
let loaded: LoadedSeries;
let run: Run;
/** Everything that the private worker has told an attacker. */
const told: Reached[] = [];

const partitions: Partition[] = SMALL_MODES.flatMap((part) => SMALL_DAYS.map((day) => ({ part, day })));
const [partition] = partitions as [Partition];
const charge = '00000000-0000-4000-8000-000000000001';

beforeAll(async () => {
  small = await startSmallStack();
  attacker = new NamespaceAttacker(small.stack);
  loaded = await loadSeriesFile(small.series.file);
  await applySeries(small.stack.client, loaded);
  run = { series: loaded.series.series, window: SMALL_WINDOW, version: 1, seriesDigest: loaded.digest };
});
afterAll(() => small?.stack.end());

const store = (name: 'private' | 'release') => new FolderStore(small.stack.files.store(name));
const releaseFile = (key: string) => join(small.stack.files.store('release'), key);
const keysBelow = async (name: 'private' | 'release', prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of store(name).list(prefix)) keys.push(key);
  return keys;
};
const entries = async () => (await readLedger(store('private'), 'small-riders')).entries;
const kinds = async () => (await entries()).map(({ kind }) => kind);
const isPublic = async () => {
  for await (const _ of new FolderStore(small.stack.files.publication).list(`${run.series}/`)) return true;
  return false;
};

/** Every activity of the private worker but the charge itself, with what a workflow would send for the run. */
function everyPrivate(of: Run) {
  const inputs: Record<Exclude<keyof PrivateActivities, 'reserve'>, object> = {
    missingObjects: of,
    ingest: { ...of, round: 0 },
    reingest: { ...of, round: 1, partitions },
    bin: { ...of, round: 0, partitions },
    privatize: { ...of, round: 0, partitions: [partition], charge },
    abandon: { ...of, partitions },
    shadow: of,
    changedObjects: of,
    commit: { ...of, charge },
    withhold: { ...of, charge, reason: 'rejected' },
  };
  const names = Object.keys(inputs) as (keyof typeof inputs)[];
  return names.map((activity) => ({ queue: 'private' as const, activity, input: inputs[activity] }));
}

/** Calls them; the answers, or the codes, by activity. */
async function tryAll(calls: Parameters<NamespaceAttacker['callAll']>[0]): Promise<Record<string, unknown>> {
  const reached = await attacker.callAll(calls);
  told.push(...reached);
  return Object.fromEntries(
    calls.map(({ activity }, place) => [activity, reached[place]!.code ?? reached[place]!.answer]),
  );
}

/** The calls before the charge pin the source in two rounds, and the release takes the newer one. */
const PINNED = 1;

describe('the credential of the client, and of the namespace', () => {
  test('C11a: before a charge the private worker tells names of objects and nothing else', async () => {
    expect(await tryAll(everyPrivate(run))).toEqual({
      missingObjects: { names: [], total: 0 },
      // The newest round that is stored: that of `reingest`, if it came first.
      ingest: expect.toBeOneOf([{ faults: [] }, { faults: [], round: 1 }]),
      reingest: { faults: [] },
      ...Object.fromEntries(
        ['bin', 'privatize', 'abandon', 'shadow', 'changedObjects', 'commit', 'withhold'].map((name) => [
          name,
          'NOT_CHARGED',
        ]),
      ),
    });
    expect(await entries()).toEqual([]);
    // What is found of the names is kept for custodians, and which policy the worker goes by.
    const kept = (await keysBelow('private', '')).filter((key) => !/^(?:inventory|canary|policies)\//.test(key));
    expect(kept.filter((key) => !/^warnings\/.*\/ingest\.json(?:\.told)?$/.test(key))).toEqual([]);
  });

  test('C11a: a series file of the attacker’s own, with every cell at ε = 1000, is not looked at', async () => {
    const { series } = loaded;
    const privacy = { ...series.privacy, mechanism: 'complete-domain', epsilon: '1000', split: { cells: '1000' } };
    const bytes = jsonBytes({ ...series, custodians: [], privacy });
    const own = { ...run, version: 7, seriesDigest: sha256(bytes) };
    await small.stack.client.releaseStore.putIfAbsent(RELEASE_KEYS.series(own.series, own.seriesDigest), bytes);
    const signature = signSeries({ series, digest: own.seriesDigest }, 99, generateSigningKey().privateKey);
    const key = RELEASE_KEYS.seriesSignature(own.series, own.seriesDigest, sha256(signature));
    await small.stack.client.releaseStore.putIfAbsent(key, signature);
    const calls = [
      ...everyPrivate(own),
      { queue: 'private' as const, activity: 'reserve', input: { ...own, partitions } },
    ];
    const reached = await tryAll(calls);
    const { commit, withhold, ...others } = reached;
    expect(new Set(Object.values(others))).toEqual(new Set(['SERIES_UNSIGNED']));
    expect([commit, withhold]).toEqual(['NOT_CHARGED', 'NOT_CHARGED']);
    expect(await entries()).toEqual([]);
  });

  test('payloads of other types end at once, with a code', async () => {
    const odd = [
      { partitions: [{ part: ['bus'], day: SMALL_DAYS[0] }] },
      { partitions: null },
      { round: '0' },
      { round: [0] },
      { round: 0.5 },
    ].map((change) => ({
      queue: 'private' as const,
      activity: 'privatize',
      input: { ...run, round: 0, partitions: [partition], charge, ...change },
    }));
    const reached = await attacker.callAll(odd);
    expect(reached.map(({ code }) => code)).toEqual(odd.map(() => 'USAGE'));
  });

  test('C11 C12: sixty draws under honest parameters are one draw, and sixty versions are no charge', async () => {
    run = await startSmall(small.stack.client, small.series);
    await reaches(small.stack.client, run, ['waiting'], 120);
    const before = [await keysBelow('private', 'draws/'), await keysBelow('private', 'privatized/'), await kinds()];
    const again = Array.from({ length: 60 }, () => ({
      queue: 'private' as const,
      activity: 'privatize',
      input: { ...run, round: PINNED, partitions: [partition], charge },
    }));
    const draws = await attacker.callAll(again);
    const digest = sha256(readDrawn(await readBytes(store('private'), PRIVATE_KEYS.privatized(run, partition))).table);
    const answer = [{ partition, digest }];
    expect(new Set(draws.map(({ text }) => text))).toEqual(new Set([JSON.stringify(answer)]));
    const versions = Array.from({ length: 60 }, (_, place) => ({
      queue: 'private' as const,
      activity: 'reserve',
      input: { ...run, version: place + 2, partitions },
    }));
    expect(new Set((await attacker.callAll(versions)).map(({ code }) => code))).toEqual(new Set(['ORDER_MISSING']));
    expect([await keysBelow('private', 'draws/'), await keysBelow('private', 'privatized/'), await kinds()]).toEqual(
      before,
    );
    told.push(...draws);
  });

  test('C16: publish called directly, with no decision, with one that was planted, with one that was made up', async () => {
    const { manifestDigest } = await small.stack.client.status(run);
    const trust = newestVersion(await readTrustFile(small.stack.files.trust));
    const basis = {
      trust: pinOf(trust),
      ledger: tipOf(await readLedger(store('release'), 'small-riders')),
      required: 1,
      elsewhere: 0,
      after: [],
    };
    // The key of the private worker is not an approver's key either.
    const ledgerKey = await readFile(small.stack.files.key('ledger'), 'utf8');
    const planted = await Promise.all(
      [generateSigningKey().privateKey, ledgerKey].map(async (privateKey) => {
        const terms = {
          subject: TEST_APPROVER,
          decision: 'approve',
          reason: 'audit-passed',
          acknowledged: [],
        } as const;
        const envelope = signDecision(
          { release: run, manifestDigest: manifestDigest!, ...terms, ...basis },
          privateKey,
        );
        const digest = envelopeDigest(envelope);
        const record = jsonBytes({ format: 'opaline-decision/4', envelope, note: '', arrival: envelope });
        await small.stack.client.releaseStore.putIfAbsent(RELEASE_KEYS.decision(run, digest), record);
        return digest;
      }),
    );
    const publishing = [[], ['ab'.repeat(32)], ...planted.map((one) => [one]), planted].map((decisions) => ({
      queue: 'public' as const,
      activity: 'publish',
      input: { ...run, manifestDigest, decisions, publishedAt: '2026-03-20T01:02:03.000Z' },
    }));
    const codes = (await attacker.callAll(publishing)).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['VERIFICATION_FAILED', 'COPY_DIFFERS']));
    expect(await isPublic()).toBe(false);
    expect((await small.stack.client.status(run)).state).toBe('waiting');
  });
});

describe('the credential of the release store', () => {
  test('C11: a table that is replaced is not taken, and one that is deleted comes back as it was', async () => {
    const path = releaseFile(RELEASE_KEYS.privatized(run, partition));
    const table = await readFile(path);
    const draw = () => attacker.private('privatize', { ...run, round: PINNED, partitions: [partition], charge });
    const derive = () =>
      attacker.public('derive', {
        ...run,
        correction: null,
        charge: own,
        draws: [{ partition, digest: sha256(forged) }],
        holes: [],
      });
    const own = (await entries()).flatMap((entry) => (entry.kind === 'reserve' ? entry.charge : []))[0];
    const forged = Buffer.from(table.toString('utf8').replace(/\d+/, '9999'));
    await writeFile(path, forged);
    expect((await draw()).code).toBe('COPY_DIFFERS');
    expect((await derive()).code).toBe('VERIFICATION_FAILED');
    await rm(path);
    expect((await draw()).code).toBeNull();
    expect((await readFile(path)).equals(table)).toBe(true);
  });

  test('C12: an entry that was planted in the ledger stops the ledger, and is taken for none', async () => {
    const before = await kinds();
    const key = RELEASE_KEYS.ledgerEntry('small-riders', before.length + 1);
    await writeFile(releaseFile(key), await readFile(releaseFile(RELEASE_KEYS.ledgerEntry('small-riders', 1))));
    const next = { ...run, window: '2026-03-09', partitions };
    expect((await attacker.private('reserve', next)).code).toBe('COPY_DIFFERS');
    await rm(releaseFile(key));
    expect(await kinds()).toEqual(before);
  });
});

describe('the credentials of the release store and of the namespace at once', () => {
  const manifest = () => releaseFile(RELEASE_KEYS.staged(run, STACK_BUILD, FILES.manifest));

  test('C15: tallies of a shadow run that somebody else answered are not audited', async () => {
    const [own] = (await entries()).flatMap((entry) => (entry.kind === 'reserve' ? entry.charge : []));
    const { manifestDigest } = await small.stack.client.status(run);
    const draws = await Promise.all(
      partitions.map(async (one) => ({
        partition: one,
        digest: sha256(readDrawn(await readBytes(store('private'), PRIVATE_KEYS.privatized(run, one))).table),
      })),
    );
    const input = { ...run, correction: null, charge: own, draws, holes: [] };
    // It was audited before: the first verdict stands, whatever is asked.
    expect(await attacker.public('audit', input)).toMatchObject({ answer: { manifestDigest }, code: null });
    const receipt = releaseFile(RELEASE_KEYS.auditReceipt(run, auditInputs(input, run.seriesDigest)));
    const [shadow] = (await keysBelow('release', RELEASE_KEYS.shadowReceipts(run))).map(releaseFile);
    const before = await Promise.all([receipt, shadow!].map((path) => readFile(path)));
    await rm(receipt);
    const { payload } = JSON.parse(before[1]!.toString('utf8'));
    const forged = { ...JSON.parse(Buffer.from(payload, 'base64').toString('utf8')), tallies: { tables: 1 } };
    await writeFile(shadow!, jsonBytes(signDocument(forged, generateSigningKey().privateKey)));
    expect((await attacker.public('audit', input)).code).toBe('VERIFICATION_FAILED');
    for (const [place, path] of [receipt, shadow!].entries()) await writeFile(path, before[place]!);
  });

  test('C16: nobody signs a manifest that no public worker has audited', async () => {
    const before = await readFile(manifest(), 'utf8');
    await writeFile(manifest(), before.replace(/"build":\{[^}]*\}/, '"build":{"runtime":null,"sources":"of mine"}'));
    await expect(decideSmall(small.stack.client, small.series, run, 'approve')).rejects.toMatchObject({
      code: 'COPY_DIFFERS',
    });
    await writeFile(manifest(), before);
  });

  test('C16: nobody is shown, or signs, a page that was edited; a planted second audit is not looked at', async () => {
    const key = join(small.stack.root, 'me.pem');
    await writeFile(key, small.series.key.privateKey, { mode: 0o600 });
    const page = releaseFile(RELEASE_KEYS.staged(run, STACK_BUILD, FILES.auditPage));
    const before = await readFile(page, 'utf8');
    await writeFile(page, before.replace('</body>', '<script>forged()</script></body>'));
    await mkdir(releaseFile(RELEASE_KEYS.reaudited(run, '')), { recursive: true });
    const planted = releaseFile(RELEASE_KEYS.reaudited(run, FILES.auditPage));
    await writeFile(planted, '<script>forged()</script>');
    const approve = ['approve', releasePath(run), '--key', key, '--reason', 'read', '--yes'];
    for (const words of [['show', releasePath(run), '--open', 'audit'], approve])
      expect(await command(words)).toMatchObject({ code: 5, stderr: expect.stringContaining(FILES.auditPage) });
    await writeFile(page, before);
    const { code, stdout } = await command(['show', releasePath(run), '--open', 'audit']);
    expect({ code, text: await readFile(stdout.trim(), 'utf8') }).toEqual({ code: 0, text: before });
    expect((await small.stack.client.status(run)).decisions).toEqual([]);
    await rm(planted);
  });
});

const command = (words: string[]) =>
  runCommand(words, {
    cwd: small.stack.root,
    deployment: small.stack.files.deployment('client'),
    custodians: small.stack.files.deployment('private'),
  });

describe('what the doctor sees of it', () => {
  const seen = async () => (await diagnose(await deployment())).map(({ sentence }) => sentence);
  const deployment = () => readDeployment(small.stack.files.deployment('client'), clientDeploymentSchema);
  const mark = () => releaseFile(RELEASE_KEYS.execution(run, 1));

  test('a mark that was taken away, or that names another execution; nothing when it is back', async () => {
    const before = await readFile(mark());
    await writeFile(mark(), jsonBytes({ execution: 'another' }));
    expect(await seen()).toContainEqual(expect.stringContaining('was started and has the mark of another execution'));
    await rm(mark());
    const sentences = await seen();
    expect(sentences).toContainEqual(expect.stringContaining('was started and has no mark of its execution'));
    expect(sentences).toContainEqual(expect.stringContaining('has run, as the ledger says, and has no mark'));
    await writeFile(mark(), before);
    expect((await seen()).filter((sentence) => sentence.includes('mark'))).toEqual([]);
  });

  test('the decisions that were planted', async () => {
    const found = (await seen()).filter((sentence) => sentence.includes('no approver of the trust file'));
    expect(found).toHaveLength(2);
  });

  test('C12: the ledger of the private store, compared with its copies by both commands', async () => {
    const path = releaseFile(RELEASE_KEYS.ledgerEntry('small-riders', 1));
    const before = await readFile(path);
    expect(await command(['ledger', 'verify', '--private'])).toMatchObject({ code: 0 });
    // A worker puts back what is gone, and never replaces what others wrote.
    await writeFile(path, '{}');
    const verified = await command(['ledger', 'verify', '--private']);
    expect(verified).toMatchObject({ code: 5 });
    expect(verified.stdout).toContain('The copy of entry 1 of the ledger of small-riders is not the entry');
    expect((await command(['doctor', '--private'])).stdout).toContain('is not the entry');
    await writeFile(path, before);
  });
});

describe('in spite of all of it', () => {
  test('the release that people approve is published from its one draw, and verifies', async () => {
    expect(await decideSmall(small.stack.client, small.series, run, 'approve')).toMatchObject({ accepted: true });
    await reaches(small.stack.client, run, ['published'], 60);
    expect(await kinds()).toEqual(['policy', 'reserve', 'commit']);
    const folder = join(small.stack.files.publication, releasePath(run));
    const trust = await readTrustFile(small.stack.files.trust);
    expect(await verifyPublication(folder, trust)).toMatchObject({ verified: true, tiedTo: 'demo keys' });
  });

  test('the credential of the publication store: a byte that was changed is found', async () => {
    const folder = join(small.stack.files.publication, releasePath(run));
    const path = join(folder, 'time.csv');
    const before = await readFile(path, 'utf8');
    await writeFile(
      path,
      `${before}
`,
    );
    const trust = await readTrustFile(small.stack.files.trust);
    expect(await verifyPublication(folder, trust)).toMatchObject({ verified: false });
    await writeFile(path, before);
  });

  test('no answer holds anything of a row: the lone tap at night is in none', () => {
    expect(told.length).toBeGreaterThan(70);
    for (const { text } of told) expect(text).not.toMatch(/03:0|03:15|stop-|200[0-2]/);
  });
});
