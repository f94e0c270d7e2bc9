import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { releasePath, releaseWorkflowId } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { demoKey } from '../../stack/demo-trust.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { signDecision } from '../support/sign-decision.ts';
import { type SmallStack, startSmallStack } from '../support/small-stack.ts';
import { reaches } from '../support/test-stack.ts';
import { TEST_APPROVER } from '../support/test-trust.ts';
import { ANY_BASIS } from '../support/trust-files.ts';
import { feedGate } from './gate.fixture.ts';
import { JUNK, json, nested, type RawPayload, Stranger } from './temporal-junk.fixture.ts';

let small: SmallStack;
let stranger: Stranger;
let run: Run;
beforeAll(async () => {
  small = await startSmallStack();
  stranger = new Stranger(small.stack);
  run = await startSmall(small.stack.client, small.series);
  await reaches(small.stack.client, run, ['waiting'], 120);
});
afterAll(() => small?.stack.end());

const client = () => small.stack.client;
const kept = async (prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of client().releaseStore.list(prefix)) keys.push(key);
  return keys;
};

describe('crafted starts end at once, with a code', () => {
  const types = [
    'releaseWorkflow',
    'retractWorkflow',
    'sourceCheckWorkflow',
    'scheduledReleaseWorkflow',
    'backfillWorkflow',
  ];
  test.each(types)('%s', async (type) => {
    const ids = await Promise.all(JUNK.map(([, payloads]) => stranger.start(type, payloads)));
    const endings = await Promise.all(ids.map((id) => stranger.ending(id)));
    expect(endings).toEqual(JUNK.map(() => 'USAGE'));
  });

  const like = (changes: object): RawPayload[] => [json({ ...run, correction: null, ...changes })];
  const odd: [what: string, RawPayload[], code: string][] = [
    ['version 0', like({ version: 0 }), 'USAGE'],
    ['version 1.5', like({ version: 1.5 }), 'USAGE'],
    ['version "1"', like({ version: '1' }), 'USAGE'],
    ['version 1e21', like({ version: 1e21 }), 'USAGE'],
    ['a way out of the store', like({ series: '../../etc' }), 'USAGE'],
    ['a digest of other letters', like({ seriesDigest: 'z'.repeat(64) }), 'USAGE'],
    ['a correction of nothing', like({ correction: {} }), 'USAGE'],
    [
      'a correction with a partition of nothing',
      like({ correction: { of: 1, partitions: [null], reason: 'object-late' } }),
      'USAGE',
    ],
  ];
  test.each(odd)('a release with %s', async (_, payloads, code) => {
    expect(await stranger.ending(await stranger.start('releaseWorkflow', payloads))).toBe(code);
  });
});

test('junk signals are passed over: a back-fill answers, and does what it is asked', async () => {
  const { series, seriesDigest } = run;
  const windows = [{ window: '2026-03-09', state: 'to-do' }];
  const backfill = { id: 'small/x', series, seriesDigest, atOnce: 1, state: 'paused', windows };
  const id = await stranger.start('backfillWorkflow', [json(backfill)]);
  for (const name of ['releaseMoved', 'stillThere', 'nothing'])
    for (const [, payloads] of JUNK) await stranger.signal(id, name, payloads);
  await stranger.signal(id, 'releaseMoved', [json({ window: '2026-03-09', state: 'no such state' })]);
  const handle = client().temporal.workflow.getHandle(id);
  expect(await handle.query('status')).toEqual(backfill);
  expect(await stranger.update(id, 'resume', [nested(10_000)])).toBe('USAGE');
  expect(await handle.executeUpdate('cancel', { args: [] })).toBe('cancelled');
  expect(await stranger.ending(id)).toBe('completed');
});

test('a release of a series that is not there ends with a code', async () => {
  const other = { ...run, series: 'nobody', correction: null };
  const id = await stranger.start('releaseWorkflow', [json(other)]);
  expect(await client().temporal.workflow.getHandle(id).result()).toMatchObject({
    state: 'failed',
    ending: { code: 'OBJECT_MISSING' },
  });
});

/** Writes the next version of the trust file, in which a person has another key. */
async function renewKey(person: string, publicKey: string): Promise<void> {
  const { files } = small.stack;
  const file = JSON.parse(await readFile(files.trust, 'utf8'));
  const version = JSON.parse(Buffer.from(file.versions.at(-1).payload, 'base64').toString());
  const approvers = version.approvers.map((one: { subject: string }) =>
    one.subject === person ? { ...one, key: publicKey } : one,
  );
  const next = { ...version, number: version.number + 1, previous: sha256(canonicalJson(version)), approvers };
  file.versions.push(signDocument(next, (await demoKey(files, 'root')).privateKey));
  await writeFile(files.trust, JSON.stringify(file));
}

describe('junk at a gate', () => {
  /** Signed by somebody, over the right manifest, in the name of the approver. */
  const forged = () => {
    const { privateKey } = generateSigningKey();
    const terms = {
      subject: 'manager@example.org',
      decision: 'approve',
      reason: 'audit-passed',
      acknowledged: [],
      ...ANY_BASIS,
    } as const;
    return signDecision({ release: run, manifestDigest: 'ab'.repeat(32), ...terms }, privateKey);
  };

  test('leaves nothing in the history and nothing in the store, and closes no gate', async () => {
    const id = releaseWorkflowId(run);
    const before = await stranger.events(id);
    for (const name of ['approve', 'reject', 'withdraw', 'cancel', 'retryPartitions', 'readApprovers', 'nothing'])
      for (const [what, payloads] of JUNK) {
        // The one that takes nothing may be sent nothing.
        if (name === 'readApprovers' && (payloads.length === 0 || what === 'null')) continue;
        expect(await stranger.update(id, name, payloads), `${name} ${what}`).not.toBe('accepted');
      }
    for (let sent = 0; sent < 60; sent += 1)
      expect(await stranger.update(id, 'approve', [json({ envelope: forged(), note: '' })])).toBe('SUBJECT_UNKNOWN');
    expect(await stranger.update(id, 'withdraw', [json({ subject: 'x' }), nested(10_000)])).toBe('USAGE');
    expect(await stranger.events(id)).toBe(before);
    expect(await kept(`refusals/${releasePath(run)}/`)).toEqual([]);
    expect((await client().status(run)).refusals).toBe(0);
  });

  test('forty mutated Updates at the gate: none is accepted, and none leaves a trace; the soak sends two thousand', async () => {
    await feedGate(stranger, run, 40, 1);
  });

  test('a flood of wishes to read the approvers is read once', async () => {
    const id = releaseWorkflowId(run);
    const answers: string[] = [];
    for (let sent = 0; sent < 30; sent += 1) answers.push(await stranger.update(id, 'readApprovers', []));
    expect(answers.filter((answer) => answer === 'accepted').length).toBeLessThanOrEqual(2);
  });

  test('an approver whose key is new is known without anybody waiting for a worker, and the release is published', async () => {
    const key = generateSigningKey();
    await renewKey(TEST_APPROVER, key.publicKey);
    const old = await decideSmall(client(), small.series, run, 'approve').catch((error) => error);
    expect(old).toMatchObject({ code: 'SUBJECT_UNKNOWN' });
    const renewed = { ...small.series, key };
    let answer = await decideSmall(client(), renewed, run, 'approve');
    // At most the pause between two readings.
    for (let tries = 0; !answer.accepted && tries < 15; tries += 1) {
      expect(answer.code).toBe('SUBJECT_UNKNOWN');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      answer = await decideSmall(client(), renewed, run, 'approve');
    }
    expect(answer).toMatchObject({ accepted: true });
    await reaches(client(), run, ['published'], 60);
    expect(await kept(`decisions/${releasePath(run)}/`)).toHaveLength(1);
  });
});
