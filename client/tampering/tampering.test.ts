import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { audit } from '../../activities/public/audit.ts';
import { decide } from '../../activities/public/decide.ts';
import { derive } from '../../activities/public/derive.ts';
import { AUDIT_RECEIPT_FORMAT } from '../../contracts/formats/stage-receipts.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import { putDecisionRecord } from '../../services/decisions/decision-record.ts';
import { auditInputs } from '../../services/draws/stage-receipt.ts';
import { appendToLedger, type LedgerDraft } from '../../services/ledger/ledger.ts';
import { envelopeDigest } from '../../services/signing/decision-statement.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { swapMutable } from '../../services/stores/mutable-json.ts';
import { TEST_BUILD } from '../../test/support/folder-contexts.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { ledgerWriter } from '../../test/support/test-custody.ts';
import { receiptKey, type TestRelease, testDecision, testRelease } from '../../test/support/test-release.ts';
import { ada, ben, publisherKey, receiptBytes, TEST_CHAIN } from '../../test/support/trust-files.ts';
import { tamperFindings } from './tampering.ts';

/** A release at its gate with two decisions, whole: every test changes one thing in a copy of its release store. */
let honest: TestRelease;
let folder: string;
let manifestDigest: string;
let decisions: string[];
const partition = { part: 'ferry', day: '2026-03-02' };
const refused: LedgerDraft = {
  kind: 'refuse',
  release: 'x/2026-03-02/v1',
  code: 'X',
  subject: 'a',
  reason: 'over-cap',
};

beforeAll(async () => {
  honest = await testRelease();
  const { context, input, run } = honest;
  const { releaseStore } = context;
  await appendToLedger(ledgerWriter(releaseStore), 'demo-people', () => refused);
  await releaseStore.putIfAbsent(RELEASE_KEYS.execution(run, 1), jsonBytes({ execution: 'a-run' }));
  await swapMutable(releaseStore, RELEASE_KEYS.appliedSeries(run.series), null, { digest: run.seriesDigest });
  await derive(context, input);
  ({ manifestDigest } = await audit(context, input));
  const signed = [ada, ben].map((person) => testDecision(run, manifestDigest, person));
  for (const decision of signed) await decide(context, decision);
  decisions = signed.map(({ envelope }) => envelopeDigest(envelope));
  folder = join(honest.folder, 'release');
});

type Place = { store: FolderStore; at: (key: string) => string };

/** What is found when a copy of the store was changed so. */
async function found(change: (place: Place) => Promise<unknown>, thorough = false): Promise<string[]> {
  const copy = newFolder();
  await cp(folder, copy, { recursive: true });
  const at = (key: string) => join(copy, key);
  await change({ store: new FolderStore(copy), at });
  const findings = await tamperFindings(new FolderStore(copy), TEST_CHAIN, { thorough });
  return findings.map(({ sentence }) => sentence);
}

/** The same file with one text for another; it must have held it. */
async function edit(path: string, from: string | RegExp, to: string): Promise<void> {
  const before = await readFile(path, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  await writeFile(path, after);
}

const entry = (sequence: number) => RELEASE_KEYS.ledgerEntry('demo-people', sequence);
const staged = (file: string) => RELEASE_KEYS.staged(honest.run, TEST_BUILD, file);
const name = () => releasePath(honest.run);

test('a store that nobody has touched has no finding, however closely it is looked at', async () => {
  expect(await found(async () => undefined)).toEqual([]);
  expect(await found(async () => undefined, true)).toEqual([]);
});

describe('C12 a ledger', () => {
  test('that was cut', async () => {
    expect(await found(({ at }) => rm(at(entry(2))))).toEqual([
      expect.stringContaining('ends at entry 1, and the manifest of demo/2026-03-02/v1 names entry 2'),
    ]);
  });

  test('that was edited', async () => {
    expect(await found(({ at }) => edit(at(entry(1)), '"payload":"e', '"payload":"f'))).toEqual([
      expect.stringMatching(
        /^Entry 1 of the ledger of demo-people has a form that this build does not read: it was damaged/,
      ),
    ]);
  });

  test('that was taken away as a whole', async () => {
    expect(await found(({ at }) => rm(at('ledger'), { recursive: true }))).toEqual([
      expect.stringContaining('The ledger of demo-people ends at entry 0'),
    ]);
  });

  test('that goes on in another way, signed with the stolen key', async () => {
    const forked = async ({ at, store }: Place) => {
      await rm(at(entry(2)));
      await appendToLedger(
        ledgerWriter(store),
        'demo-people',
        () => ({ ...refused, subject: 'another' }) as LedgerDraft,
      );
    };
    expect(await found(forked)).toEqual([
      expect.stringContaining(
        'Entry 2 of the ledger of demo-people is another one than the manifest of demo/2026-03-02/v1',
      ),
    ]);
  });

  test('that does not hold the charge of a manifest', async () => {
    const other = '"charge":"7d444840-9dc0-41d1-b245-5ffdce74fad3"';
    const sentences = await found(({ at }) => edit(at(staged(FILES.manifest)), /"charge":"[^"]*"/, other));
    expect(sentences).toContainEqual(expect.stringContaining('does not hold the charge that the manifest'));
  });
});

describe('an execution', () => {
  test('whose mark was taken away', async () => {
    expect(await found(({ at }) => rm(at(RELEASE_KEYS.execution(honest.run, 1))))).toEqual([
      expect.stringContaining('has run, as the ledger says, and has no mark of its execution'),
    ]);
  });
});

describe('a series', () => {
  test('whose file was edited in its place', async () => {
    const { series, seriesDigest } = honest.run;
    const sentences = await found(({ at }) => edit(at(RELEASE_KEYS.series(series, seriesDigest)), '"8"', '"9"'));
    expect(sentences).toContainEqual(expect.stringContaining(`${seriesDigest}.json is not what its digest says`));
  });

  test('whose newest file is not there', async () => {
    const { series, seriesDigest } = honest.run;
    const sentences = await found(({ at }) => rm(at(RELEASE_KEYS.series(series, seriesDigest))));
    expect(sentences).toEqual([expect.stringMatching(/^demo: /)]);
  });

  test('whose list of locations was edited', async () => {
    const dictionary = async ({ at, store }: Place) => {
      for await (const { key } of store.list(RELEASE_KEYS.allDictionaries)) await edit(at(key), 'Manly', 'Mosman');
    };
    expect(await found(dictionary)).toEqual([expect.stringContaining('dictionaries/')]);
  });
});

describe('C16 a decision', () => {
  test('that was changed', async () => {
    const [one] = decisions;
    const sentences = await found(({ at }) =>
      edit(at(RELEASE_KEYS.decision(honest.run, one!)), '"envelope":{"payload":"e', '"envelope":{"payload":"f'),
    );
    expect(sentences).toEqual([expect.stringContaining('A kept decision is not what its digest says')]);
  });

  test('whose time was changed', async () => {
    const [one] = decisions;
    const sentences = await found(({ at }) =>
      edit(at(RELEASE_KEYS.decision(honest.run, one!)), '"arrival":{"payload":"e', '"arrival":{"payload":"f'),
    );
    expect(sentences).toEqual([expect.stringContaining('No publisher of the trust file has signed when')]);
  });

  test('that a stranger has planted in the name of an approver', async () => {
    const forged = testDecision(honest.run, manifestDigest, { ...ada, ...generateSigningKey() });
    const digest = envelopeDigest(forged.envelope);
    const { envelope } = forged;
    const record = jsonBytes({ format: 'opaline-decision/4', envelope, note: '', arrival: envelope });
    expect(await found(({ store }) => store.putIfAbsent(RELEASE_KEYS.decision(honest.run, digest), record))).toEqual([
      `${name()}: The decision ${digest} is signed by no approver of the trust file: somebody planted it.`,
    ]);
  });

  test('that is none', async () => {
    const key = RELEASE_KEYS.decision(honest.run, 'ab'.repeat(32));
    expect(await found(({ store }) => store.putIfAbsent(key, Buffer.from('{')))).toEqual([
      expect.stringContaining('cannot be read: somebody planted or changed it'),
    ]);
  });

  test('over another manifest than the one that is staged', async () => {
    const replaced = ({ at }: Place) =>
      edit(at(staged(FILES.manifest)), '"runtime":null', `"runtime":"${'ab'.repeat(32)}"`);
    expect(await found(replaced)).toEqual([
      `${name()}: The manifest is not taken: no public worker has signed that it audited it; find out who wrote it.`,
      ...decisions.toSorted().map((digest) => expect.stringContaining(`The decision ${digest} is on another manifest`)),
    ]);
  });
});

describe('C11 a staged object', () => {
  const isNotAudited = (file: string): string =>
    expect.stringContaining(`The staged file ${file} of ${name()} is missing, or is not the one that was audited.`);

  test('that was edited', async () => {
    expect(await found(({ at }) => edit(at(staged('time.csv')), '103', '104'))).toEqual([isNotAudited('time.csv')]);
  });

  test('that was taken away, or added', async () => {
    expect(await found(({ at }) => rm(at(staged('time.csv'))))).toEqual([isNotAudited('time.csv')]);
    expect(await found(({ store }) => store.putIfAbsent(staged('more.csv'), Buffer.from('1')))).toEqual([
      `${name()}: The staged file more.csv is not in the manifest.`,
    ]);
  });

  test('an audit whose receipt was taken away, or is of a stranger', async () => {
    const key = receiptKey(honest);
    expect(await found(({ at }) => rm(at(key)))).toEqual([expect.stringContaining('no public worker has signed')]);
    const { payload } = JSON.parse(await readFile(join(folder, key), 'utf8'));
    const document = JSON.parse(Buffer.from(payload, 'base64').toString());
    const forged = jsonBytes(signDocument(document, generateSigningKey().privateKey));
    expect(await found(({ at }) => writeFile(at(key), forged))).toEqual([
      expect.stringContaining('no public worker has signed'),
    ]);
  });

  test('the manifest of a second audit is one that people may have decided on, when a public worker has signed it', async () => {
    const again = (isSigned: boolean) => async (place: Place) => {
      const { run } = honest;
      const manifest = JSON.parse(await readFile(join(folder, staged(FILES.manifest)), 'utf8'));
      const next = jsonBytes({ ...manifest, build: { ...manifest.build, runtime: 'ab'.repeat(32) } });
      await place.store.putIfAbsent(RELEASE_KEYS.reaudited(run, FILES.manifest), next);
      const arrived = { at: new Date(0), publisherKey: publisherKey.privateKey };
      await putDecisionRecord(place.store, run, testDecision(run, sha256(next), ada), arrived);
      if (!isSigned) return;
      const report = JSON.parse(await readFile(join(folder, staged(FILES.audit)), 'utf8'));
      const inputs = auditInputs(honest.input, 'ab'.repeat(32));
      const document = { format: AUDIT_RECEIPT_FORMAT, inputs, manifest: JSON.parse(next.toString()), report };
      const receipt = jsonBytes(signDocument(document, publisherKey.privateKey));
      await place.store.putIfAbsent(RELEASE_KEYS.auditReceipt(run, inputs), receipt);
    };
    expect(await found(again(true))).toEqual([]);
    expect(await found(again(false))).toEqual([
      `${name()}: The manifest is not taken: no public worker has signed that it audited it; find out who wrote it.`,
    ]);
  });

  test('a manifest that is none', async () => {
    expect(await found(({ at }) => edit(at(staged(FILES.manifest)), '{', '{{'))).toEqual([
      expect.stringContaining('no public worker has signed that it audited it'),
      ...decisions.toSorted().map((digest) => expect.stringContaining(`The decision ${digest} is on another manifest`)),
    ]);
  });
});

describe('C11 a privatized table', () => {
  const table = () => RELEASE_KEYS.privatized(honest.run, partition);
  const receipt = () => RELEASE_KEYS.receipt(honest.run, partition);

  test('that was edited', async () => {
    expect(await found(({ at }) => edit(at(table()), '91', '92'))).toEqual([
      expect.stringContaining('ferry/2026-03-02 is not taken: its receipt is about another table'),
    ]);
  });

  test('whose receipt a stranger signed', async () => {
    const forge = async ({ at }: Place) => {
      await edit(at(table()), '91', '92');
      const digest = sha256(await readFile(at(table())));
      const { charge } = honest.input;
      const { seriesDigest } = honest.run;
      const about = {
        release: name(),
        ...partition,
        charge,
        seriesDigest,
        table: digest,
        sequence: 1,
        correction: null,
      };
      await writeFile(at(receipt()), receiptBytes(about, generateSigningKey().privateKey));
    };
    expect(await found(forge)).toEqual([expect.stringContaining('is not signed by the private worker')]);
  });

  test('whose receipt was taken away, or that was taken away itself', async () => {
    expect(await found(({ at }) => rm(at(receipt())))).toEqual([expect.stringContaining('it has no receipt')]);
    expect(await found(({ at }) => rm(at(table())))).toEqual([
      `${name()}: What is there for ferry/2026-03-02 is not taken: it was drawn, and its table is not there; a retry puts it back; find out who wrote it.`,
    ]);
  });

  test('of a release that no ledger has charged', async () => {
    const planted = async ({ store }: Place) => {
      const other = { ...honest.run, version: 2 };
      await store.putIfAbsent(RELEASE_KEYS.execution(other, 1), jsonBytes({ execution: 'x' }));
      await store.putIfAbsent(RELEASE_KEYS.privatized(other, partition), Buffer.from('{}'));
    };
    expect(await found(planted)).toEqual([expect.stringContaining('no ledger holds a charge for them')]);
  });

  test('of a release that has ended is read when everything is', async () => {
    const ended = async ({ at, store }: Place) => {
      await appendToLedger(ledgerWriter(store), 'demo-people', () => ({
        kind: 'commit',
        charge: honest.input.charge,
        release: name(),
      }));
      await edit(at(table()), '91', '92');
    };
    expect(await found(ended)).toEqual([]);
    expect(await found(ended, true)).toEqual([expect.stringContaining('its receipt is about another table')]);
  });
});
