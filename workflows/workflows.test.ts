import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { Backfill } from '../contracts/backfill.ts';
import type { Partition } from '../contracts/names.ts';
import type { Answer, ReleasePlan, ReleaseStatus } from '../contracts/stages.ts';
import { addDays } from '../core/calendar/civil-day.ts';
import {
  ada,
  backfill,
  ben,
  DAYS,
  DIGEST,
  decisionOf,
  eve,
  fails,
  PLAN,
  type Script,
  SMOOTH,
  startScriptedWorker,
  WINDOW,
} from './scripted-worker.fixture.ts';

const world = await startScriptedWorker();
afterAll(() => world.end());

const planned = (change: Partial<ReleasePlan>): Script => ({ plan: () => ({ ...PLAN, ...change }) });
const faults = (code: string) => [{ object: 'a.csv', code, partitions: [DAYS[1]!] }];
const subject = 'ops';

test.concurrent('the story: charged before a row is read, audited before people decide, public before the ledger ends', async () => {
  const release = await world.release('story');
  await release.at('waiting');
  await release.ask('approve', release.decision(ada, 'approve'));
  expect(await release.handle.result()).toMatchObject({ state: 'published', location: 'here', charge: 'charge' });
  expect(release.names().filter((name) => name !== 'shadow')).toEqual([
    ...['plan', 'ingest', 'reserve', 'bin', 'privatize', 'privatize', 'derive', 'audit', 'changedObjects', 'openGate'],
    ...['approvers', 'decide', 'publish', 'updatePages', 'commit'],
  ]);
});

describe('a release that goes on from the stores', () => {
  const opened = (openedAt: string, ...decisions: object[]): Script => ({
    openGate: () => ({ openedAt, decisions, isWithdrawn: false }),
  });
  const now = () => new Date().toISOString();

  test.concurrent('stays withdrawn, whoever has approved it', async () => {
    const openGate = () => ({ openedAt: now(), decisions: [decisionOf(ada.subject)], isWithdrawn: true });
    const release = await world.release('taken-back', { openGate });
    expect(await release.handle.result()).toMatchObject({ state: 'withdrawn' });
    expect(release.names()).not.toContain('publish');
    expect(release.asked.at(-1)).toMatchObject(['withhold', { reason: 'withdrawn' }]);
  });

  test.concurrent('waits for nothing, charges nothing, and draws in the rounds of its draw records', async () => {
    const [drawn, fresh] = DAYS as [Partition, Partition];
    const hole = { part: 'ferry', day: drawn.day, code: 'OBJECT_MISSING' };
    const plan = { charge: 'kept', completeness: { waitHours: 1, otherwise: 'fail' as const } };
    const release = await world.release('goes-on', {
      ...planned({ ...plan, partitions: [...DAYS, { part: hole.part, day: hole.day }] }),
      ingest: () => ({ faults: [], round: 3, earlier: [{ partition: drawn, round: 1 }], holes: [hole] }),
    });
    expect(await release.at('waiting')).toMatchObject({ charge: 'kept' });
    expect(release.names()).not.toContain('missingObjects');
    expect(release.names()).not.toContain('reserve');
    const inputs = (name: string) => release.asked.flatMap(([asked, input]) => (asked === name ? [input] : []));
    expect(inputs('bin')).toMatchObject([{ round: 3, partitions: [fresh] }]);
    expect(inputs('privatize')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ partitions: [drawn], round: 1, charge: 'kept' }),
        expect.objectContaining({ partitions: [fresh], round: 3, charge: 'kept' }),
      ]),
    );
    const { partitions } = await release.at('waiting');
    expect(partitions.find(({ part }) => part === hole.part)).toMatchObject({ state: 'abandoned', code: hole.code });
  });

  test.concurrent('counts what people have signed before', async () => {
    const approved = await world.release('signed', opened(now(), decisionOf(ada.subject)));
    expect(await approved.handle.result()).toMatchObject({ state: 'published', decisions: [{ subject: ada.subject }] });
    expect(approved.names()).not.toContain('decide');
    const rejected = await world.release('refused', opened(now(), decisionOf(ben.subject, 'reject')));
    expect(await rejected.handle.result()).toMatchObject({ state: 'rejected' });
    const two = await world.release('half-signed', {
      ...planned({ required: 2 }),
      ...opened(now(), decisionOf(ada.subject)),
    });
    await two.at('waiting');
    await two.ask('approve', two.decision(ben, 'approve'));
    expect(await two.handle.result()).toMatchObject({ state: 'published' });
  });

  test.concurrent('expires by the time at which its gate was opened first', async () => {
    const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
    const late = await world.release('late-gate', opened(days(2)));
    await late.at('expired');
    expect(await late.ask('reopen', late.decision(ada, 'reopen'))).toMatchObject({ accepted: true });
    await late.at('waiting');
    const since = days(0.5);
    const { expiresAt } = await (await world.release('half-way', opened(since))).at('waiting');
    expect(Date.parse(expiresAt!) - Date.parse(since)).toBe(86_400_000);
    // Enough has been signed: then it does not expire.
    const signed = await world.release('signed-late', opened(days(2), decisionOf(ada.subject)));
    expect(await signed.handle.result()).toMatchObject({ state: 'published' });
  });
});

test.concurrent('an object at fault holds back its partition; abandoned, it is a hole, and the rest is audited', async () => {
  const release = await world.release('holes', { ingest: () => ({ faults: faults('OBJECT_MISSING') }) });
  const failed = await release.at('partitions-failed');
  expect(failed.partitions.map(({ state }) => state)).toEqual(['drawn', 'failed']);
  await expect(release.ask('abandonPartitions', { subject, partitions: [DAYS[0]] })).rejects.toThrow();
  expect(await release.ask('abandonPartitions', { subject, partitions: [] })).toMatchObject({ accepted: true });
  const { partitions } = await release.at('waiting');
  expect(partitions[1]).toMatchObject({ state: 'abandoned', code: 'OBJECT_MISSING', object: 'a.csv' });
  // What was drawn, and what is a hole, the receipts say to it.
  const audited = release.asked.find(([name]) => name === 'audit')?.[1];
  expect(audited).toEqual({ ...release.run, correction: null, charge: 'charge' });
});

test.concurrent('a retry reads what was at fault as a further round, and draws the others from their own', async () => {
  let isBroken = true;
  const release = await world.release('rounds', {
    ingest: () => ({ faults: faults('OBJECT_UNREADABLE') }),
    privatize: ({ partitions }) => {
      if (isBroken && partitions[0]!.day === DAYS[0]!.day) fails('OBJECT_CHANGED')();
      return partitions.map((partition) => ({ partition, digest: DIGEST }));
    },
  });
  // A draw may exist, so people are not shown that an object holds it back.
  expect((await release.at('partitions-failed')).partitions[0]).toMatchObject({ state: 'failed', code: 'UNEXPECTED' });
  isBroken = false;
  await release.ask('retryPartitions', { subject, partitions: [] });
  await release.at('waiting');
  const asked = release.asked.filter(([name]) => /^(reingest|bin|privatize)$/.test(name));
  const rounds = asked.map(([name, { round }]) => `${name} ${round}`);
  expect(rounds.slice(0, 4)).toEqual(['bin 0', 'privatize 0', 'reingest 1', 'bin 1']);
  expect(rounds.slice(4).sort()).toEqual(['privatize 0', 'privatize 1']);
  expect(release.asked.find(([name]) => name === 'reingest')?.[1].partitions).toEqual([DAYS[1]]);
});

test.concurrent('of 6,000 partitions 500 activities draw at once, all in the end, in a history that stays short', {
  tags: 'soak',
  timeout: 240_000,
}, async () => {
  const { promise: drawing, resolve: go } = Promise.withResolvers<void>();
  const partitions = Array.from({ length: 6000 }, (_, place) => ({
    part: `line-${place % 240}`,
    day: addDays(WINDOW, Math.floor(place / 240)),
  }));
  const release = await world.release('many', {
    plan: () => ({ ...PLAN, partitions }),
    privatize: async ({ partitions: own }) => {
      await drawing;
      return own.map((partition) => ({ partition, digest: DIGEST }));
    },
  });
  const pending = async () => (await release.handle.describe()).raw.pendingActivities?.length ?? 0;
  while ((await pending()) < 500) await delay(25);
  expect(await pending()).toBe(500);
  go();
  while ((await pending()) > 0) await delay(250); // a query waits for the workflow task, which has much to do
  const { partitions: drawn } = await release.at('waiting');
  expect(drawn.filter(({ state }) => state === 'drawn')).toHaveLength(6000);
  const { historyLength, historySize = Infinity } = await release.handle.describe();
  expect(historyLength).toBeLessThan(2000);
  expect(historySize).toBeLessThan(2_000_000);
  const payloads = payloadsIn((await release.handle.fetchHistory()).events ?? []).sort((a, b) => b - a);
  expect(payloads[0]).toBeLessThan(LARGEST_PAYLOAD);
  // The list of partitions is there: what is measured is what is sent.
  expect(payloads[0]).toBeGreaterThan(6000 * 30);
});

/** Bytes that a payload of a release of any size may have: Temporal warns of more. */
const LARGEST_PAYLOAD = 262_144;

/** Bytes of every payload in a history. */
const payloadsIn = (value: unknown): number[] => {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('data' in value && value.data instanceof Uint8Array) return [value.data.length];
  return Object.values(value).flatMap(payloadsIn);
};

test.concurrent('what people can mend stalls a stage, which a retry begins again', async () => {
  let tries = 0;
  const release = await world.release('stalled', {
    derive: () => {
      tries += 1;
      if (tries === 1) fails('COPY_DIFFERS')();
    },
  });
  const { stall, stage } = await release.at('stalled');
  expect(stall).toMatchObject({ activity: 'derive', code: 'COPY_DIFFERS', attempts: 1, from: 'running' });
  expect(stage).toBe('derive');
  await release.ask('retryStage', { subject });
  await release.at('waiting');
  expect(tries).toBe(2);
});

test.concurrent('what nobody can mend ends the release, and its charge is withheld', async () => {
  const release = await world.release('failed', { derive: fails('CERTIFICATE_IMPOSSIBLE') });
  expect(await release.handle.result()).toMatchObject({ state: 'failed', ending: { code: 'CERTIFICATE_IMPOSSIBLE' } });
  expect(release.asked.at(-1)).toMatchObject(['withhold', { charge: 'charge', reason: 'failed' }]);
});

test.concurrent('what is public is committed in the end, whatever the ledger answers first', async () => {
  let tries = 0;
  const release = await world.release('committed', {
    commit: () => {
      tries += 1;
      if (tries === 1) fails('VERIFICATION_FAILED')();
    },
  });
  await release.at('waiting');
  await release.ask('approve', release.decision(ada, 'approve'));
  await release.at('ending-stalled');
  await expect(release.ask('cancel', { subject })).rejects.toThrow();
  await release.ask('retryStage', { subject });
  expect(await release.handle.result()).toMatchObject({ state: 'published' });
});

test.concurrent('cancelled while it draws: nothing is published, and the charge is withheld', async () => {
  const { promise: drawing, resolve: go } = Promise.withResolvers<void>();
  const release = await world.release('cancelled', { privatize: () => drawing });
  while (!release.names().includes('privatize')) await release.at('running');
  await release.ask('cancel', { subject });
  go();
  expect(await release.handle.result()).toMatchObject({ state: 'cancelled' });
  expect(release.asked.at(-1)).toMatchObject(['withhold', { reason: 'cancelled' }]);
});

test.concurrent('the gate: junk leaves no trace, one person counts once, and two approvals open it', async () => {
  const release = await world.release('gate', planned({ required: 2 }));
  await release.at('waiting');
  const odd = [release.decision(eve, 'approve'), release.decision(ada, 'approve', 'cd'.repeat(32)), {}, undefined];
  for (const request of odd) await expect(release.ask('approve', request)).rejects.toThrow();
  await expect(release.ask('reject', release.decision(ada, 'approve'))).rejects.toThrow();
  const { events } = await release.handle.fetchHistory();
  expect(events?.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toBe(false);
  await release.ask('approve', release.decision(ada, 'approve'));
  expect((await release.at('waiting')).decisions).toHaveLength(1);
  await expect(release.ask('approve', release.decision(ada, 'approve'))).rejects.toThrow();
  await expect(release.ask('reaudit', { subject, declaration: DIGEST })).rejects.toThrow();
  await release.ask('approve', release.decision(ben, 'approve'));
  expect(await release.handle.result()).toMatchObject({ state: 'published' });
});

test.concurrent('one rejection ends it', async () => {
  const release = await world.release('rejected', planned({ required: 2 }));
  await release.at('waiting');
  await release.ask('approve', release.decision(ada, 'approve'));
  await release.ask('reject', release.decision(ben, 'reject'));
  expect(await release.handle.result()).toMatchObject({ state: 'rejected' });
  expect(release.names()).not.toContain('publish');
});

test.concurrent('of an approval and a rejection that are judged in one moment one is taken', async () => {
  // Whether both come back in one task is up to the server: of 12 releases, some do.
  const races = Array.from({ length: 12 }, async (_, place) => {
    const [together, asked] = [Promise.withResolvers<void>(), new Set<string>()];
    const decide: Script['decide'] = (input) => {
      if (asked.add(input.action).size === 2) together.resolve();
      return together.promise.then(() => SMOOTH.decide!(input));
    };
    const release = await world.release(`both-${place}`, { decide });
    await release.at('waiting');
    const ask = (action: 'approve' | 'reject') => release.ask(action, release.decision(ada, action)) as Promise<Answer>;
    const [{ accepted }, rejection] = await Promise.all([ask('approve'), ask('reject')]);
    expect(rejection.accepted).toBe(!accepted);
    expect(await release.handle.result()).toMatchObject({ state: accepted ? 'published' : 'rejected' });
  });
  await Promise.all(races);
});

/** A script in which a release waits for this number of seconds after its last approval. */
const cooling = (seconds: number): Script => ({
  ...planned({ coolingHours: seconds / 3600 }),
  decide: ({ action }) => ({
    ...decisionOf('ada', action),
    accepted: true,
    arrivedAt: new Date().toISOString(),
    coolingHours: seconds / 3600,
  }),
});

test.concurrent('C16: the cooling time follows from the last approval that was needed; it is published then', async () => {
  const release = await world.release('cooling', cooling(4));
  await release.at('waiting');
  await release.ask('approve', release.decision(ada, 'approve'));
  const { state, coolingUntil } = (await release.handle.result()) as ReleaseStatus;
  expect([state, coolingUntil]).toEqual(['published', expect.any(String)]);
  const [, { publishedAt }] = release.asked.find(([name]) => name === 'publish')!;
  expect(Date.parse(publishedAt as string)).toBeGreaterThanOrEqual(Date.parse(coolingUntil!));
});

test.concurrent('C16: somebody withdraws within the cooling time, and nothing is published', async () => {
  const release = await world.release('cooled', cooling(3600));
  await release.at('waiting');
  await release.ask('approve', release.decision(ada, 'approve'));
  await release.at('approved-waiting');
  await release.ask('withdraw', release.decision(ben, 'withdraw'));
  expect(await release.handle.result()).toMatchObject({ state: 'withdrawn' });
  expect(release.names()).not.toContain('publish');
});

test.concurrent('C16: a release that goes on from the stores comes to the same end of its cooling time', async () => {
  const [early, late] = ['2026-03-20T01:00:00.000Z', '2036-03-20T02:00:00.000Z'];
  const approvalOf = (subject: string, arrivedAt: string) => ({ ...decisionOf(subject), arrivedAt, coolingHours: 2 });
  const going = (series: string, ...decisions: object[]) =>
    world.release(series, {
      ...planned({ required: 2, coolingHours: 2 }),
      openGate: () => ({ openedAt: early, decisions, isWithdrawn: false }),
    });
  // In whatever order the store lists them; an approval that came when there were enough restarts nothing.
  const three = [approvalOf('eve', '2036-03-20T09:00:00.000Z'), approvalOf('ben', late), approvalOf('ada', early)];
  const resumed = await going('resumed', ...three);
  expect((await resumed.at('approved-waiting')).coolingUntil).toBe('2036-03-20T04:00:00.000Z');
  await resumed.handle.cancel();
  // Temporal was away for longer than the cooling time.
  const over = await going('resumed-late', approvalOf('ada', early), approvalOf('ben', early));
  expect(await over.handle.result()).toMatchObject({ state: 'published' });
});

test.concurrent('a gate that nobody passed in time is reopened as it was', async () => {
  const release = await world.release('expired', planned({ expiresAfterDays: 1 / 86_400 }));
  await release.at('expired');
  await release.ask('reopen', release.decision(ada, 'reopen'));
  await release.ask('withdraw', release.decision(ada, 'withdraw'));
  expect(await release.handle.result()).toMatchObject({ state: 'withdrawn', manifestDigest: DIGEST });
  expect(release.asked.at(-1)).toMatchObject(['withhold', { reason: 'withdrawn' }]);
});

test.concurrent('what has not come in time is a hole, where the series says so, after the charge', async () => {
  const release = await world.release('late', {
    ...planned({ completeness: { waitHours: 1 / 3600, otherwise: 'holes' } }),
    missingObjects: () => ({ names: ['a.csv'], total: 1 }),
    ingest: () => ({ faults: faults('OBJECT_MISSING') }),
  });
  expect((await release.at('waiting')).partitions.map(({ state }) => state)).toEqual(['drawn', 'abandoned']);
  const names = release.names();
  expect(names.indexOf('missingObjects')).toBeLessThan(names.indexOf('ingest'));
  expect(names.indexOf('reserve')).toBeLessThan(names.indexOf('abandon'));
});

test.concurrent('a workflow that is started with something else ends at once, with a code', async () => {
  const odd = await world.start('releaseWorkflow', 'odd', {}, { series: '../odd' });
  await expect(odd.handle.result()).rejects.toMatchObject({ cause: { type: 'USAGE' } });
  expect(odd.asked).toEqual([]);
});

test.concurrent('a retraction needs a signed word to retract; then the tombstone comes, and the pages', async () => {
  const plan = {
    audit: { manifestDigest: DIGEST, verdict: 'pass', attention: [] },
    required: 1,
    elsewhere: 0,
    expiresAfterDays: 1,
  };
  const script: Script = { planRetraction: () => plan };
  const run = { series: 'retracted', window: WINDOW, version: 1, seriesDigest: DIGEST };
  const retraction = await world.start('retractWorkflow', 'retracted', script, run);
  await retraction.at('waiting');
  await expect(retraction.ask('approve', retraction.decision(ada, 'approve'))).rejects.toThrow();
  await retraction.ask('approve', retraction.decision(ada, 'retract'));
  expect(await retraction.handle.result()).toMatchObject({ state: 'retracted' });
  expect(retraction.names()).toEqual(['planRetraction', 'approvers', 'decide', 'retract', 'updatePages']);
});

test.concurrent('a back-fill starts a release when the one before has come to its gate', async () => {
  const { handle, asked } = await world.start('backfillWorkflow', 'filled', {}, backfill('filled'));
  const done = (await handle.result()) as Backfill;
  expect([done.state, ...done.windows.map(({ state }) => state)]).toEqual(['done', 'waiting', 'waiting', 'waiting']);
  const planned = asked.filter(([name]) => name === 'plan').map(([, { window }]) => window);
  expect(planned).toEqual(['2026-03-02', '2026-03-09', '2026-03-16']);
});

test.concurrent('a back-fill that is paused and resumed finds the release that was terminated', async () => {
  const { promise: planning, resolve: go } = Promise.withResolvers<void>();
  const { handle, asked, ask } = await world.start(
    'backfillWorkflow',
    'cut',
    { plan: () => planning },
    backfill('cut'),
  );
  while (asked.length === 0) await delay(20);
  await ask('pause');
  await world.client.workflow.getHandle('release/cut/2026-03-02/v1').terminate();
  await expect(ask('pause')).rejects.toThrow();
  await ask('resume');
  const state = async () => ((await handle.query('status')) as Backfill).windows.map((one) => one.state).join();
  while ((await state()) !== 'ended-outside,running,to-do') await delay(20);
  expect(await ask('cancel')).toBe('cancelled');
  expect(await handle.result()).toMatchObject({ state: 'cancelled' });
  await world.client.workflow.getHandle('release/cut/2026-03-09/v1').terminate();
  go();
});
