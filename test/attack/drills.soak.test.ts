import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { decide } from '../../activities/public/decide.ts';
import { retract } from '../../activities/public/retract.ts';
import { run } from '../../cli/process.fixture.ts';
import { EXIT } from '../../contracts/errors.ts';
import { POLICY_POWERS } from '../../contracts/formats/policy.ts';
import { EVERYWHERE, type TrustVersion } from '../../contracts/formats/trust.ts';
import { FILES, PUBLIC_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import { StageBench } from '../../kinds/taps/private/stages.fixture.ts';
import { appendToLedger, readLedger } from '../../services/ledger/ledger.ts';
import { signSeries } from '../../services/orders/series-signature.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { MemoryStore } from '../../services/stores/memory-store.ts';
import { ledgerKeysOf } from '../../services/trust/ledger-keys.ts';
import { readTrustFile } from '../../services/trust/trust-file.ts';
import { publishRelease } from '../support/publish-release.ts';
import { LEDGER_KEY, POLICY_KEY, testPolicy } from '../support/test-custody.ts';
import { type TestRelease, testDecision, testRelease, testSeries } from '../support/test-release.ts';
import {
  ada,
  approver,
  ben,
  eve,
  ledgerKey,
  publisherKey,
  rootKey,
  trustFile,
  trustVersion,
} from '../support/trust-files.ts';

/** The drills of docs/runbooks.md, *A key is lost, stolen, or its owner leaves*, by the command line. */
const POPULATION = 'demo-people';
/** Named by the series file from the start, and by the trust file from its second version. */
const cleo = { subject: 'cleo@example.org', ...generateSigningKey() };

let release: TestRelease;
let folder: string;
let manifestDigest: string;

beforeAll(async () => {
  release = await testRelease(
    testSeries({ gate: { approvers: [ada, ben, cleo].map(({ subject }) => ({ subject })), required: 2 } }),
  );
  // Ada and Ben approve it, at the first entry of the ledger.
  manifestDigest = await publishRelease(release);
  folder = join(release.folder, 'publication', 'demo', '2026-03-02', 'v1');
  await writeFile(at('trust.json'), trustFile(signDocument(trustVersion(), rootKey.privateKey)));
  await writeFile(at('root.pem'), rootKey.privateKey);
});

const at = (name: string) => join(release.folder, name);
const opaline = (...words: string[]) => run(words, { cwd: release.folder });
const until = (sequence: number) => ({ [POPULATION]: { until: sequence } });
const from = (sequence: number) => ({ [POPULATION]: { from: sequence } });

/** Writes the next version with the change that people make in the draft, and signs it; gives the file. */
async function nextVersion(name: string, change: Partial<TrustVersion>, root = 'root.pem'): Promise<string> {
  const [draft, file] = [`${name}.draft.json`, `${name}.trust.json`];
  await copyFile(at('trust.json'), at(file));
  expect((await opaline('trust', 'init', draft, '--after', file, '--copies', 'release')).code).toBe(EXIT.done);
  await writeFile(at(draft), JSON.stringify({ ...JSON.parse(await readFile(at(draft), 'utf8')), ...change }));
  expect(await opaline('trust', 'sign', file, draft, '--key', root, '--yes')).toMatchObject({ code: EXIT.done });
  expect((await opaline('check', file)).stdout).toContain('version 2; the chain holds');
  return file;
}
const verified = async (file: string) => (await opaline('verify', folder, '--trust', file)).code;

describe('an approver', () => {
  const others = [approver(ben), approver(eve)];

  test('loses the key, or leaves: what was decided before stands, and what comes later does not', async () => {
    const renewed = { subject: ada.subject, ...generateSigningKey() };
    const file = await nextVersion('lost', {
      approvers: [approver(ada, until(1)), approver(renewed, from(2)), ...others],
    });
    expect(await verified(file)).toBe(EXIT.done);
    const early = await nextVersion('early', { approvers: [approver(ada, until(0)), ...others] });
    expect(await verified(early)).toBe(EXIT.verificationFailed);
  });
});

describe('the publisher', () => {
  const renewed = generateSigningKey();

  test('loses the key: what was published before verifies', async () => {
    const publishers = [
      { key: publisherKey.publicKey, valid: until(1) },
      { key: renewed.publicKey, valid: from(2) },
    ];
    expect(await verified(await nextVersion('publisher-lost', { publishers }))).toBe(EXIT.done);
  });

  test('is robbed of the key: nothing that it attested verifies any more', async () => {
    const publishers = [{ key: renewed.publicKey, valid: EVERYWHERE }];
    expect(await verified(await nextVersion('publisher-robbed', { publishers }))).toBe(EXIT.verificationFailed);
  });
});

describe('the private worker', () => {
  const renewed = generateSigningKey();
  const entry = (charge: string) => () => ({ kind: 'commit' as const, charge, release: 'demo/2026-03-02/v1' });

  test('gets another key: the ledger goes on with it, and the old one signs no entry that would break the chain', async () => {
    const ledgers = [
      { key: ledgerKey.publicKey, valid: until(1) },
      { key: renewed.publicKey, valid: from(2) },
    ];
    const file = await nextVersion('ledger', { ledgers });
    expect(await verified(file)).toBe(EXIT.done);
    const keys = ledgerKeysOf(await readTrustFile(at(file)));
    const store = new MemoryStore();
    const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    await appendToLedger({ store, keys, privateKey: LEDGER_KEY.privateKey }, POPULATION, entry(one!));
    await appendToLedger({ store, keys, privateKey: renewed.privateKey }, POPULATION, entry(two!));
    expect((await readLedger(store, POPULATION, keys)).entries).toHaveLength(2);
    await expect(
      appendToLedger({ store, keys, privateKey: LEDGER_KEY.privateKey }, POPULATION, entry(one!)),
    ).rejects.toMatchObject({ code: 'TRUST_BEHIND' });
  });
});

describe('a key of the policy', () => {
  test('is stolen: what it signed counts for nothing, and series files are signed anew', async () => {
    const bench = await StageBench.open({ days: 1 });
    try {
      const renewed = generateSigningKey();
      const { populations } = bench.context.policy.policy;
      const key = (name: string, publicKey: string, revoked: boolean) => ({
        name,
        key: publicKey,
        may: [...POLICY_POWERS],
        revoked,
      });
      const policy = testPolicy({
        number: 2,
        populations,
        keys: [key('stolen', POLICY_KEY.publicKey, true), key('renewed', renewed.publicKey, false)],
      });
      const { ingest } = createPrivateActivities({ ...bench.context, policy });
      const asked = () => ingest({ ...bench.run(), round: 0 });
      await expect(asked()).rejects.toMatchObject({ code: 'SERIES_UNSIGNED' });
      const signature = signSeries({ series: bench.series, digest: bench.run().seriesDigest }, 2, renewed.privateKey);
      const at = RELEASE_KEYS.seriesSignature(bench.run().series, bench.run().seriesDigest, sha256(signature));
      await bench.context.releaseStore.putIfAbsent(at, signature);
      expect(await asked()).toHaveProperty('faults');
    } finally {
      await bench.close();
    }
  });
});

describe('a root', () => {
  test('leaves, or is robbed of one key of several: the others name the next roots, and it alone names nobody', async () => {
    const [second, third] = [generateSigningKey(), generateSigningKey()];
    await writeFile(at('second.pem'), second.privateKey);
    const file = await nextVersion('roots', { roots: { keys: [second.publicKey, third.publicKey], threshold: 1 } });
    expect(await verified(file)).toBe(EXIT.done);
    expect((await opaline('trust', 'init', 'thief.json', '--after', file, '--copies', 'release')).code).toBe(EXIT.done);
    const thief = await opaline('trust', 'sign', file, 'thief.json', '--key', 'root.pem', '--yes');
    expect([thief.code, thief.stderr.split(':')[0]]).toEqual([EXIT.badInput, 'TRUST_INVALID']);
    expect((await opaline('trust', 'sign', file, 'thief.json', '--key', 'second.pem', '--yes')).code).toBe(EXIT.done);
  });
});

describe('an approver is robbed of the key', () => {
  test('the publication that rests on it is found, and two others retract it; the thief does not count', async () => {
    expect(await verified('trust.json')).toBe(EXIT.done);
    const file = await nextVersion('robbed', { approvers: [approver(ben), approver(cleo)] });
    expect(await verified(file)).toBe(EXIT.verificationFailed);
    const trust = await readTrustFile(at(file));
    const context = { ...release.context, trust: async () => trust };
    const basis = { trust: { number: 2, digest: trust[1]!.digest } };
    const sign = (person: typeof ada) => {
      const signed = { decision: 'retract', reason: 'other', ...basis } as const;
      return decide(context, testDecision(release.run, manifestDigest, person, signed, { action: 'retract' }));
    };
    expect(await sign(ada)).toMatchObject({ accepted: false });
    const decisions: string[] = [];
    const input = () => ({ ...release.run, manifestDigest, decisions, retractedAt: '2026-04-01T00:00:00.000Z' });
    for (const person of [ben, cleo]) {
      await expect(retract(context, input())).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
      const answer = await sign(person);
      if (answer.accepted) decisions.push(answer.digest);
    }
    await retract(context, input());
    const tombstone = PUBLIC_KEYS.file(release.run, FILES.retraction);
    expect(await release.context.publicationStore.head(tombstone)).not.toBeNull();
  });
});
