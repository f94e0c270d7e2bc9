import { expect, test } from 'vitest';
import { FILES, PUBLIC_KEYS } from '../../contracts/names.ts';
import { readRetraction } from '../../services/publication/retraction.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import { readMutable } from '../../services/stores/mutable-json.ts';
import { publishRelease } from '../../test/support/publish-release.ts';
import { putSigned } from '../../test/support/signed-publication.ts';
import { anotherRelease, type TestRelease, testDecision, testRelease } from '../../test/support/test-release.ts';
import { ada, ben } from '../../test/support/trust-files.ts';
import { decide } from './decide.ts';
import { planRetraction } from './plan-retraction.ts';
import { retract } from './retract.ts';

async function publication() {
  const release = await testRelease();
  const manifestDigest = await publishRelease(release);
  return { ...release, manifestDigest };
}

/** Signed decisions of the people, kept as the gate keeps them; gives the input of the activity. */
async function signed(
  { context, run, manifestDigest }: Awaited<ReturnType<typeof publication>>,
  people: (typeof ada)[],
  terms: Parameters<typeof testDecision>[3] = { decision: 'retract', reason: 'data-wrong' },
) {
  const decisions: string[] = [];
  for (const person of people) {
    const answer = await decide(context, testDecision(run, manifestDigest, person, terms));
    if (!answer.accepted) throw new Error(answer.code);
    decisions.push(answer.digest);
  }
  return { ...run, manifestDigest, decisions, retractedAt: '2026-04-01T10:00:00.000Z' };
}

const latest = async ({ context }: TestRelease) =>
  (await readMutable(context.publicationStore, PUBLIC_KEYS.latest('demo')))?.value.path;

test('C13: a tombstone beside the files, which stay as they are; nothing is drawn or charged', async () => {
  const release = await publication();
  expect(await planRetraction(release.context, release.run)).toEqual({
    audit: { manifestDigest: release.manifestDigest, verdict: 'pass', attention: [] },
    required: 2,
    elsewhere: 1,
    expiresAfterDays: 21,
  });
  const sentence = 'Bus counts of 3 March are those of another day.';
  const terms = { decision: 'retract', reason: 'data-wrong', sentence } as const;
  const { decisions } = await signed(release, [ada], terms);
  const input = await signed(release, [ben]);
  await retract(release.context, { ...input, decisions: [...decisions, ...input.decisions] });
  const { publicationStore, releaseStore } = release.context;
  const bytes = await readBytes(publicationStore, PUBLIC_KEYS.file(release.run, FILES.retraction));
  const { publisher, approvals } = readRetraction(JSON.parse(bytes.toString()));
  expect(publisher.statement).toMatchObject({
    release: 'demo/2026-03-02/v1',
    manifestDigest: release.manifestDigest,
    reasons: ['data-wrong'],
    // C16: what a person signed for everybody, and nothing of the note beside it.
    sentences: [sentence],
  });
  expect(approvals.map(({ subject }) => subject)).toEqual([ada.subject, ben.subject]);
  expect(bytes.includes('a free text')).toBe(false);
  expect(await latest(release)).toBeNull();
  const ledger: string[] = [];
  for await (const { key } of releaseStore.list('ledger/')) ledger.push(key);
  expect(ledger).toHaveLength(1);
});

test('C16: what no publisher of the trust file signed is not retracted, and moves no pointer', async () => {
  const release = await publication();
  const { publicationStore } = release.context;
  const strange = { ...release.run, window: '2026-03-16' };
  await putSigned(publicationStore, strange, new Map(), ada);
  await expect(planRetraction(release.context, strange)).rejects.toMatchObject({ code: 'RELEASE_UNKNOWN' });
  const later = await anotherRelease(release, { window: '2026-03-09' });
  const digest = await publishRelease(later);
  // A tombstone of a stranger, beside the earlier one: the pointer comes back to it all the same.
  await publicationStore.putIfAbsent(PUBLIC_KEYS.file(release.run, FILES.retraction), Buffer.from('{}'));
  expect(await latest(release)).toBe('demo/2026-03-09/v1');
  await retract(later.context, await signed({ ...later, manifestDigest: digest }, [ada, ben]));
  expect(await latest(release)).toBe('demo/2026-03-02/v1');
});

test('safe-to-retry: a second run leaves the first tombstone and the pointer as they are', async () => {
  const release = await publication();
  const input = await signed(release, [ada, ben]);
  await retract(release.context, input);
  const key = PUBLIC_KEYS.file(release.run, FILES.retraction);
  const first = await readBytes(release.context.publicationStore, key);
  await retract(release.context, { ...input, retractedAt: '2026-05-01T10:00:00.000Z' });
  expect(await readBytes(release.context.publicationStore, key)).toEqual(first);
});

test('C16: nothing is retracted with too few signatures, with approvals of its publication, or of another one', async () => {
  const release = await publication();
  const approvals = await signed(release, [ada, ben], {});
  for (const input of [
    await signed(release, [ada]),
    approvals,
    { ...(await signed(release, [ada, ben])), manifestDigest: 'ab'.repeat(32) },
  ])
    await expect(retract(release.context, input)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  expect(await release.context.publicationStore.head(PUBLIC_KEYS.file(release.run, FILES.retraction))).toBeNull();
});

test('what is not public is not retracted', async () => {
  const release = await testRelease();
  await expect(planRetraction(release.context, release.run)).rejects.toMatchObject({ code: 'RELEASE_UNKNOWN' });
});
