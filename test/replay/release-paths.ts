import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Temporal } from 'temporal-polyfill';
import { resumeRelease } from '../../client/lost-work.ts';
import { FILES, PRIVATE_KEYS, RELEASE_KEYS, type ReleaseReference, releaseWorkflowId } from '../../contracts/names.ts';
import { block } from '../e2e/blocked-store.fixture.ts';
import { brokenLedger } from '../e2e/broken-ledger.fixture.ts';
import { withEmbargo } from '../e2e/embargo.fixture.ts';
import { terminated } from '../e2e/terminated-release.fixture.ts';
import { correctRelease } from '../support/correct-release.ts';
import { decideSmall } from '../support/releases.ts';
import { SMALL_WINDOW, smallKey, writeTruncatedTrips } from '../support/small-series.ts';
import { STACK_BUILD } from '../support/stack-build.ts';
import { reaches } from '../support/test-stack.ts';
import { type Recording, releaseOf, smallOf } from './recording.ts';

const DAY = '2026-03-03';
const SECONDS_PER_DAY = 86_400;
/** Seconds after which the gate of `expired-and-reopened` closes; enough for a slow machine to decide in. */
const GATE_SECONDS = 20;
/** Seconds that `embargo` has at least to come to the gate and be approved. */
const EMBARGO_SECONDS = 50;

/** Until then ingest has begun, and is repeated because of what it meets. */
const CANCEL_MS = 3000;

/** Every way through releaseWorkflow. */
export const RELEASE_PATHS: Record<string, (recording: Recording) => Promise<void>> = {
  embargo: async (recording) => {
    const release = await releaseOf(
      recording,
      await smallOf(recording, (text) => withEmbargo(text, inSeconds(EMBARGO_SECONDS))),
    );
    await release.at('waiting');
    await release.decide('approve');
    await release.at('approved-waiting');
    await release.at('published');
    await release.record();
  },
  published: async (recording) => {
    const release = await releaseOf(recording, await smallOf(recording));
    await release.at('waiting');
    await release.decide('approve');
    await release.record();
  },
  'waiting-at-the-gate': async (recording) => {
    const release = await releaseOf(recording, await smallOf(recording));
    await release.at('waiting');
    await release.record(false);
  },
  'expired-and-reopened': async (recording) => {
    const gate = `gate:\n  expiresAfterDays: ${GATE_SECONDS / SECONDS_PER_DAY}\n`;
    const release = await releaseOf(recording, await smallOf(recording, (text) => text.replace('gate:\n', gate)));
    await release.at('expired');
    await release.decide('reopen');
    await release.decide('approve');
    await release.at('published');
    await release.record();
  },
  resumed: async (recording) => {
    const release = await releaseOf(recording, await smallOf(recording));
    await release.at('waiting');
    await terminated(recording.stack.client, release.run);
    await resumeRelease(recording.stack.client, release.run);
    await release.at('waiting');
    await release.decide('approve');
    await release.record();
  },
  rejected: async (recording) => {
    const release = await releaseOf(recording, await smallOf(recording));
    await release.at('waiting');
    await release.decide('reject');
    await release.record();
  },
  withdrawn: async (recording) => {
    const release = await releaseOf(recording, await smallOf(recording));
    await release.at('waiting');
    await release.decide('withdraw');
    await release.record();
  },
  cancelled: async (recording) => {
    const release = await releaseOf(recording, await smallOf(recording));
    await release.at('waiting');
    await release.ask('cancel');
    await release.record();
  },
  'withdrawn-in-embargo': async (recording) => {
    const series = await smallOf(recording, (text) => withEmbargo(text, inSeconds(2 * SECONDS_PER_DAY)));
    const release = await releaseOf(recording, series);
    await release.at('waiting');
    await release.decide('approve');
    await release.at('approved-waiting');
    await release.decide('withdraw');
    await release.record();
  },
  'cancelled-at-ingest': async (recording) => {
    const series = await smallOf(recording);
    await block(recording.stack.files.store('private'), PRIVATE_KEYS.inventory(ownRelease(recording), 0));
    const release = await releaseOf(recording, series);
    await release.at('running');
    await delay(CANCEL_MS);
    await release.ask('cancel');
    await release.record();
  },
  'cancelled-while-drawing': async (recording) => {
    const series = await smallOf(recording);
    const partition = { part: 'bus', day: DAY };
    await block(recording.stack.files.store('release'), RELEASE_KEYS.privatized(ownRelease(recording), partition));
    const release = await releaseOf(recording, series);
    while (!(await release.at('running')).charge) await delay(100);
    await release.ask('cancel');
    await release.record();
  },
  retried: async (recording) => {
    const series = await smallOf(recording);
    await writeTruncatedTrips(recording.source, DAY, 'bus');
    const release = await releaseOf(recording, series);
    await release.at('partitions-failed');
    await release.deliver(DAY);
    await release.ask('retryPartitions');
    await release.at('waiting');
    await release.decide('approve');
    await release.record();
  },
  abandoned: async (recording) => {
    const series = await smallOf(recording);
    await writeTruncatedTrips(recording.source, DAY, 'bus');
    const release = await releaseOf(recording, series);
    await release.at('partitions-failed');
    await release.ask('abandonPartitions');
    await release.at('waiting');
    await release.decide('withdraw');
    await release.record();
  },
  correction: async (recording) => {
    const { client } = recording.stack;
    const series = await smallOf(recording);
    const release = await releaseOf(recording, series);
    await release.at('waiting');
    await release.decide('withdraw');
    await release.at('withdrawn');
    const named = [{ part: 'bus', day: DAY }];
    const second = await correctRelease(client, release.run, named, 'object-corrected');
    await reaches(client, second, ['waiting']);
    await decideSmall(client, series, { ...release.run, ...second }, 'withdraw');
    await recording.record(recording.path, { workflowId: releaseWorkflowId(second) }, true);
  },
  /** The second charge is over the cap of the year. */
  failed: async (recording) => {
    const series = await smallOf(recording, (text) => text.replace('year: { epsilon: 1000', 'year: { epsilon: 12'));
    const first = await releaseOf(recording, series);
    await first.at('waiting');
    await first.decide('withdraw');
    const second = await releaseOf(recording, series, 2);
    await second.at('failed');
    await second.record();
  },
  'stalled-and-retried': async (recording) => {
    const { release, unblock } = await stalledInDerive(recording);
    await unblock();
    await release.ask('retryStage');
    await release.at('waiting');
    await release.decide('withdraw');
    await release.record();
  },
  'stalled-and-cancelled': async (recording) => {
    const { release } = await stalledInDerive(recording);
    await release.ask('cancel');
    await release.record();
  },
  /** The ledger is broken when it should say that the release is public. */
  'commit-stalled': async (recording) => {
    const release = await releaseOf(recording, await smallOf(recording));
    await release.at('waiting');
    const mend = await brokenLedger(recording.stack.files.store('private'), recording.path);
    await release.decide('approve');
    await release.at('ending-stalled');
    await mend();
    await release.ask('retryStage');
    await release.record();
  },
  'withhold-stalled': async (recording) => {
    const release = await releaseOf(recording, await smallOf(recording));
    await release.at('waiting');
    const mend = await brokenLedger(recording.stack.files.store('private'), recording.path);
    await release.decide('withdraw');
    await release.at('ending-stalled');
    await mend();
    await release.ask('retryStage');
    await release.record();
  },
  'waited-for-objects': async (recording) => {
    const release = await late(recording, 1, 'fail');
    await release.at('waiting-for-objects');
    await release.deliver(DAY);
    await release.at('waiting');
    await release.decide('withdraw');
    await release.record();
  },
  'waited-and-left-holes': async (recording) => {
    const release = await late(recording, 0.001, 'holes');
    await release.at('waiting');
    await release.decide('withdraw');
    await release.record();
  },
  'waited-in-vain': async (recording) => {
    const release = await late(recording, 0.001, 'fail');
    await release.at('partitions-failed');
    await release.ask('cancel');
    await release.record();
  },
  proceeded: async (recording) => {
    const release = await late(recording, 1, 'fail');
    await release.at('waiting-for-objects');
    await release.ask('proceed');
    await release.at('partitions-failed');
    await release.ask('cancel');
    await release.record();
  },
};

/** A release whose stage cannot write its files, and what lets it. */
async function stalledInDerive(recording: Recording) {
  const series = await smallOf(recording);
  const blocked = RELEASE_KEYS.staged(ownRelease(recording), STACK_BUILD, FILES.privacy);
  const unblock = await block(recording.stack.files.store('release'), blocked);
  const release = await releaseOf(recording, series);
  await release.at('stalled');
  return { release, unblock };
}

const ownRelease = ({ path }: Recording): ReleaseReference => ({ series: path, window: SMALL_WINDOW, version: 1 });

const inSeconds = (seconds: number) => Temporal.Now.instant().add({ seconds });

/** A release that waits `hours` hours for one object. */
async function late(recording: Recording, hours: number, otherwise: 'fail' | 'holes') {
  const completeness = `  completeness: { waitHours: ${hours}, otherwise: ${otherwise} }\n`;
  const series = await smallOf(recording, (text) => text.replace('  rows: trips\n', `  rows: trips\n${completeness}`));
  await rm(join(recording.source, smallKey(DAY, 'bus')));
  return releaseOf(recording, series);
}
