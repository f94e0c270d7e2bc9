import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/process.fixture.ts';
import {
  FILES,
  PRIVATE_KEYS,
  PUBLIC_KEYS,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { readAttestation } from '../../services/publication/attestation-file.ts';
import { until } from '../observe/scrape.fixture.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import {
  type Edit,
  SMALL_DAYS,
  SMALL_WINDOW,
  type SmallSeries,
  writeSmallSeries,
  writeSmallTrips,
} from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { block } from './blocked-store.fixture.ts';
import { withEmbargo } from './embargo.fixture.ts';

/** Seconds until everything here is where it is waited for, on a machine that is busy with other tests. */
const PATIENCE = 200;
const LONG = { timeout: 2 * PATIENCE * 1000 };
/** Seconds that the gate of `expiring` is open. */
const GATE_SECONDS = 15;
/** Seconds until the embargo of `embargo` ends, at least; it ends with a full minute. */
const EMBARGO_SECONDS = 10;

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
  await writeSmallTrips(stack.source);
});
afterAll(() => stack?.end());

/** A series of its own people, with its file changed. */
const seriesOf = (name: string, edit?: Edit): Promise<SmallSeries> =>
  writeSmallSeries(join(stack.root, name), { series: name, population: name }, edit);

const release = (series: string): ReleaseReference => ({ series, window: SMALL_WINDOW, version: 1 });
const at = (series: string, ...states: Parameters<typeof reaches>[2]) =>
  reaches(stack.client, release(series), states, PATIENCE);
const cli = (...words: string[]) => run(words, { cwd: stack.root, deployment: stack.files.deployment('client') });
const entries = async (population: string) =>
  (await readLedger(stack.client.releaseStore, population)).entries
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'policy');
const published = (one: ReleaseReference, file: string) =>
  readFile(join(stack.files.publication, releasePath(one), file), 'utf8');

test.concurrent('a gate that has expired is offered again: the same manifest, at 0 ε', {
  ...LONG,
  tags: 'soak',
}, async () => {
  const series = await seriesOf('expiring', (text) =>
    text.replace('gate:\n', `gate:\n  expiresAfterDays: ${GATE_SECONDS / 86_400}\n`),
  );
  const started = await startSmall(stack.client, series);
  const expired = await at('expiring', 'expired');
  const charged = await entries('expiring');
  expect(await decideSmall(stack.client, series, started, 'approve')).toMatchObject({ code: 'ACTION_NOT_OFFERED' });
  // A slow machine may let it expire again between the two.
  for (let approved = false; !approved; ) {
    expect(await decideSmall(stack.client, series, started, 'reopen')).toMatchObject({ accepted: true });
    approved = (await decideSmall(stack.client, series, started, 'approve')).accepted;
  }
  const { manifestDigest, charge } = await at('expiring', 'published');
  expect({ manifestDigest, charge }).toEqual({ manifestDigest: expired.manifestDigest, charge: expired.charge });
  expect(charged).toEqual(['reserve']);
  expect(await entries('expiring')).toEqual(['reserve', 'commit']);
});

test.concurrent('an approved release waits for its day and is published then by itself', LONG, async () => {
  const end = Temporal.Now.instant().add({ seconds: EMBARGO_SECONDS });
  const series = await seriesOf('embargo', (text) => withEmbargo(text, end));
  const started: Run = await startSmall(stack.client, series);
  const { publishNotBefore } = await at('embargo', 'waiting');
  await decideSmall(stack.client, series, started, 'approve');
  await at('embargo', 'published');
  const { publishedAt } = readAttestation(JSON.parse(await published(started, FILES.attestation)));
  expect(Date.parse(publishNotBefore!)).toBeGreaterThanOrEqual(end.epochMilliseconds);
  expect(Date.parse(publishedAt)).toBeGreaterThanOrEqual(Date.parse(publishNotBefore!));
});

test.concurrent('an approved release is withdrawn before its day, and never public', {
  ...LONG,
  tags: 'soak',
}, async () => {
  const series = await seriesOf('held-back', (text) => withEmbargo(text, Temporal.Now.instant().add({ hours: 48 })));
  const started = await startSmall(stack.client, series);
  await at('held-back', 'waiting');
  await decideSmall(stack.client, series, started, 'approve');
  await at('held-back', 'approved-waiting');
  expect(await cli('show', releasePath(started))).toMatchObject({
    stdout: expect.stringContaining('It is published at'),
  });
  await writeFile(join(stack.root, 'held-back.pem'), series.key.privateKey);
  expect(await cli('withdraw', releasePath(started), '--key', 'held-back.pem')).toMatchObject({ code: 0 });
  await at('held-back', 'withdrawn');
  await expect(published(started, FILES.manifest)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(
    await until(
      () => entries('held-back'),
      (kinds) => kinds.length === 2,
    ),
  ).toEqual(['reserve', 'withhold']);
});

test.concurrent('stores that refuse at the gate and in publish: whoever decides is told, and a retry publishes', {
  ...LONG,
  tags: 'soak',
}, async () => {
  const series = await seriesOf('refused');
  const started = await startSmall(stack.client, series);
  await at('refused', 'waiting');
  const keepAgain = await block(stack.files.store('release'), RELEASE_KEYS.decision(started, 'ab'));
  const publishAgain = await block(stack.files.publication, PUBLIC_KEYS.file(started, FILES.manifest));
  const decide = () => decideSmall(stack.client, series, started, 'approve');
  expect(await decide()).toMatchObject({ accepted: false, code: 'CONFIGURATION_INVALID' });
  expect(await at('refused', 'waiting')).toMatchObject({ decisions: [], refusals: 0 });
  await keepAgain();
  expect(await decide()).toMatchObject({ accepted: true });

  const { stall } = await at('refused', 'ending-stalled');
  expect(stall).toMatchObject({ activity: 'publish', code: 'CONFIGURATION_INVALID', from: 'publishing' });
  const cancelled = await cli('cancel', releasePath(started));
  expect(cancelled).toMatchObject({ code: 4, stderr: expect.stringContaining('does not offer cancel, but retry.') });
  await publishAgain();
  expect(await cli('retry', releasePath(started))).toMatchObject({ code: 0 });
  expect(await at('refused', 'published')).toMatchObject({ stall: null });
  expect(await entries('refused')).toEqual(['reserve', 'commit']);
});

test.concurrent('cancelled at ingest, nothing is charged', { ...LONG, tags: 'soak' }, async () => {
  const series = await seriesOf('not-read');
  await block(stack.files.store('private'), PRIVATE_KEYS.inventory(release('not-read'), 0));
  const started = await startSmall(stack.client, series);
  await at('not-read', 'running');
  expect(await cli('cancel', releasePath(started))).toMatchObject({ code: 0 });
  const { charge } = await at('not-read', 'cancelled');
  expect(charge).toBeNull();
  expect(await entries('not-read')).toEqual([]);
});

test.concurrent('cancelled while it draws, its charge stays and is withheld', LONG, async () => {
  const series = await seriesOf('half-drawn');
  await block(
    stack.files.store('release'),
    RELEASE_KEYS.privatized(release('half-drawn'), { part: 'bus', day: SMALL_DAYS[0]! }),
  );
  const started = await startSmall(stack.client, series);
  await until(
    () => stack.client.status(started),
    ({ charge }) => charge !== null,
  );
  expect(await cli('cancel', releasePath(started))).toMatchObject({ code: 0 });
  await at('half-drawn', 'cancelled');
  expect(
    await until(
      () => entries('half-drawn'),
      (kinds) => kinds.length === 2,
    ),
  ).toEqual(['reserve', 'withhold']);
});
