import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { audit } from '../../activities/public/audit.ts';
import { decide } from '../../activities/public/decide.ts';
import { derive } from '../../activities/public/derive.ts';
import { publish } from '../../activities/public/publish.ts';
import { RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import { appendToLedger } from '../../services/ledger/ledger.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { ledgerWriter } from '../support/test-custody.ts';
import { type TestRelease, testDecision, testRelease, testSeries } from '../support/test-release.ts';
import { ada, approver, ben, trustChain } from '../support/trust-files.ts';

/**
 * Whoever may start activities of the public worker, at a release that enough people have approved: a publication that
 * its workflow would not make.
 */
let release: TestRelease;

/** Approved by two; gives what the workflow would send. */
async function approved(changes: Record<string, unknown> = {}) {
  release = await testRelease(testSeries(changes));
  await derive(release.context, release.input);
  const { manifestDigest, verdict, attention } = await audit(release.context, release.input);
  const decisions: string[] = [];
  for (const person of [ada, ben]) {
    const told = { verdict, attention };
    const answer = await decide(
      release.context,
      testDecision(release.run, manifestDigest, person, { acknowledged: attention }, told),
    );
    if (answer.accepted) decisions.push(answer.digest);
  }
  expect(decisions).toHaveLength(2);
  return { ...release.run, manifestDigest, decisions, publishedAt: '2026-03-20T01:02:03.000Z' };
}

const withheld = () =>
  appendToLedger(ledgerWriter(release.context.releaseStore), 'demo-people', () => ({
    kind: 'withhold',
    charge: release.input.charge,
    release: releasePath(release.run),
    reason: 'withdrawn',
  }));
const isPublic = async ({ publicationStore }: PublicContext): Promise<boolean> => {
  for await (const _ of publicationStore.list('')) return true;
  return false;
};
const refused = { code: expect.stringMatching('VERIFICATION_FAILED|COPY_DIFFERS') };

describe('C16 publish called directly', () => {
  test('a release that was withdrawn, rejected or cancelled after its approvals is not published', async () => {
    const input = await approved();
    await withheld();
    await expect(publish(release.context, input)).rejects.toMatchObject(refused);
    expect(await isPublic(release.context)).toBe(false);
  });

  test('nothing is published before its day, whatever time the payload says', async () => {
    const publication = { ...testSeries().publication, at: { daysAfterWindow: 30, time: '09:00' } };
    const input = await approved({ publication });
    const at = (now: string): PublicContext => ({ ...release.context, now: () => new Date(now) });
    await expect(publish(at('2026-03-20T00:00:00Z'), input)).rejects.toMatchObject(refused);
    expect(await isPublic(release.context)).toBe(false);
    await publish(at('2026-05-20T00:00:00Z'), input);
    expect(await isPublic(release.context)).toBe(true);
  });
});

describe('C16 keys that change between approval and publication', () => {
  const until = (sequence: number) => ({ 'demo-people': { until: sequence } });

  test('an approval before a rotation counts, one of a key that was stolen does not', async () => {
    const input = await approved();
    // Ben's key is retired at the entry that he signed at: he was entitled then.
    const rotated = trustChain({}, { approvers: [approver(ada), approver(ben, until(1))] });
    const stolen = trustChain({}, { approvers: [approver(ada)], required: 1 });
    await expect(publish({ ...release.context, trust: async () => stolen }, input)).rejects.toMatchObject(refused);
    expect(await isPublic(release.context)).toBe(false);
    await publish({ ...release.context, trust: async () => rotated }, input);
    expect(await isPublic(release.context)).toBe(true);
  });

  test('a decision after the last entry of a retired key does not count', async () => {
    const input = await approved();
    const retired = trustChain({}, { approvers: [approver(ada), approver(ben, until(0))] });
    await expect(publish({ ...release.context, trust: async () => retired }, input)).rejects.toMatchObject(refused);
    expect(await isPublic(release.context)).toBe(false);
  });

  test('a trust file that was set back names nothing that the manifest does', async () => {
    const input = await approved();
    const other = trustChain({ organisation: 'An older file, or of somebody else' });
    await expect(publish({ ...release.context, trust: async () => other }, input)).rejects.toMatchObject(refused);
    expect(await isPublic(release.context)).toBe(false);
  });
});

describe('C16 an open gate, and stores that others write', () => {
  test('a planted decision, unsigned or in the name of an approver, is no approval', async () => {
    const input = await approved();
    const [one, two] = input.decisions as [string, string];
    const key = (digest: string) => join(release.folder, 'release', RELEASE_KEYS.decision(release.run, digest));
    const record = JSON.parse(await readFile(key(two), 'utf8'));
    await writeFile(key(two), JSON.stringify({ ...record, envelope: { ...record.envelope, payload: 'e30=' } }));
    await expect(publish(release.context, input)).rejects.toMatchObject(refused);
    await writeFile(key('cd'.repeat(32)), await readFile(key(one)));
    await expect(publish(release.context, { ...input, decisions: [one, 'cd'.repeat(32)] })).rejects.toMatchObject(
      refused,
    );
    expect(await isPublic(release.context)).toBe(false);
  });
});
