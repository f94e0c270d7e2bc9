import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { createPrivateActivities } from '../../activities/private/private-activities.ts';
import type { createPublicActivities } from '../../activities/public/public-activities.ts';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import { type Partition, partitionPath, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { Notice } from '../../contracts/notices.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { AuditResult, Correction, DecideInput, DeriveInput, Draw, Run } from '../../contracts/stages.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { putSignature } from '../../services/orders/series-signature.ts';
import { usualGate } from '../../services/signing/decision-statement.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { newestVersion, pinOf } from '../../services/trust/trust-chain.ts';
import type { ReleaseBench } from '../support/release-bench.ts';
import { signDecision } from '../support/sign-decision.ts';
import { smallKey } from '../support/small-series.ts';
import { ordered, POLICY_KEY } from '../support/test-custody.ts';
import { approverKey, TEST_APPROVER } from '../support/test-trust.ts';
import { publishedStatement, TEST_CHAIN } from '../support/trust-files.ts';

export type Registry = ReturnType<typeof createPrivateActivities> & ReturnType<typeof createPublicActivities>;

/** What the workflow would remember between two activities. */
export type Memory = {
  charge: string;
  draws: Draw[];
  audit: AuditResult | null;
  decisions: string[];
};

export const emptyMemory = (): Memory => ({ charge: '', draws: [], audit: null, decisions: [] });

/** One call of an activity, in the order of a release. */
export type Step = {
  activity: keyof Registry;
  /** The partition of a privatize step. */
  partition?: Partition;
  /** What people do before the step. */
  prepare?: () => Promise<void>;
  call(activities: Registry, memory: Memory): Promise<unknown>;
};

const AT_THE_GATE: Notice = {
  about: 'release',
  state: 'waiting',
  at: '2026-03-10T00:00:00.000Z',
  verdict: 'pass',
  attention: [],
  code: null,
  failed: 0,
  expiresAt: '2026-03-31T00:00:00.000Z',
};

/** A correction of the partition that fell out at first. */
const correctionOf = (partition: Partition): Correction => ({
  of: 1,
  partitions: [partition],
  reason: 'object-corrected',
});

/** A step whose answer goes into the memory. */
function remembering<T>(
  step: Omit<Step, 'call'> & {
    ask: (activities: Registry, memory: Memory) => Promise<T>;
    keep: (memory: Memory, answer: T) => void;
  },
): Step {
  const { ask, keep, ...rest } = step;
  return {
    ...rest,
    call: async (activities, memory) => {
      const answer = await ask(activities, memory);
      keep(memory, answer);
      return answer;
    },
  };
}

/**
 * Every activity of both registries in the order of a release that meets a missing object, waits for its repair, is
 * published, retracted, and then corrected; the correction is withheld. `late` is the partition whose object is missing
 * at first.
 */
export function releaseSteps(release: ReleaseBench, late: Partition, deliver: () => Promise<void>): Step[] {
  const run = release.run();
  const next = release.run(2);
  const correction = correctionOf(late);
  const stored = JSON.parse(release.loaded.seriesBytes.toString('utf8'));
  const declared = jsonBytes({ ...stored, audit: { equalTruth: [] } });
  const carried = release.partitions.filter((partition) => partitionPath(partition) !== partitionPath(late));
  const staged = ({ charge, draws }: Memory): DeriveInput => ({ ...run, correction: null, charge, draws, holes: [] });
  const plan = (version: typeof run): Step => ({
    activity: 'plan',
    call: ({ plan }) => plan({ ...version, correction: null, execution: `execution-${version.version}` }),
  });
  const reserve = (version: typeof run, partitions: Partition[], corrects: Correction | null = null): Step =>
    remembering({
      activity: 'reserve',
      ask: ({ reserve }) => reserve({ ...version, partitions, correction: corrects }),
      keep: (memory, { charge }) => {
        memory.charge = charge;
      },
    });
  const privatize = (partition: Partition, round: number): Step =>
    remembering({
      activity: 'privatize',
      partition,
      ask: ({ privatize }, { charge }) => privatize({ ...run, round, partitions: [partition], charge }),
      keep: (memory, drawn) => {
        const others = memory.draws.filter((one) => partitionPath(one.partition) !== partitionPath(partition));
        memory.draws = [...others, ...drawn];
      },
    });
  const decide = (action: 'approve' | 'retract'): Step =>
    remembering({
      activity: 'decide',
      ask: async ({ decide }, { audit }) => decide(await decisionOn(release, audit!, action)),
      keep: (memory, answer) => {
        memory.decisions = answer.accepted ? [answer.digest] : [];
      },
    });
  return [
    {
      activity: 'scheduledWindow',
      call: ({ scheduledWindow }) => scheduledWindow({ series: run.series, scheduledAt: '2026-03-06T00:00:00.000Z' }),
    },
    plan(run),
    { activity: 'missingObjects', call: ({ missingObjects }) => missingObjects(run) },
    { activity: 'ingest', call: ({ ingest }) => ingest({ ...run, round: 0 }) },
    reserve(run, release.partitions),
    { activity: 'bin', call: ({ bin }) => bin({ ...run, round: 0, partitions: release.partitions }) },
    ...carried.map((partition) => privatize(partition, 0)),
    {
      activity: 'reingest',
      prepare: deliver,
      call: ({ reingest }) => reingest({ ...run, round: 1, partitions: [late] }),
    },
    { activity: 'bin', call: ({ bin }) => bin({ ...run, round: 1, partitions: [late] }) },
    privatize(late, 1),
    { activity: 'changedObjects', call: ({ changedObjects }) => changedObjects(run) },
    { activity: 'derive', call: ({ derive }, memory) => derive(staged(memory)) },
    { activity: 'shadow', call: ({ shadow }) => shadow(run) },
    remembering({
      activity: 'audit',
      ask: ({ audit }, memory) => audit(staged(memory)),
      keep: (memory, audit) => {
        memory.audit = audit;
      },
    }),
    remembering({
      activity: 'reaudit',
      prepare: async () => {
        const store = release.store('release');
        await store.putIfAbsent(RELEASE_KEYS.series(run.series, sha256(declared)), declared);
        const file = { series: { series: run.series }, digest: sha256(declared), signature: null };
        await putSignature(store, file, POLICY_KEY.privateKey);
      },
      ask: ({ reaudit }, memory) => reaudit({ ...staged(memory), declaration: sha256(declared) }),
      keep: (memory, audit) => {
        memory.audit = audit;
      },
    }),
    {
      activity: 'openGate',
      call: ({ openGate }, { audit }) => openGate({ ...run, ...audit!, openedAt: '2026-03-10T00:00:00.000Z' }),
    },
    {
      activity: 'approvers',
      call: ({ approvers }) => approvers(run),
    },
    { activity: 'noticeChannels', call: ({ noticeChannels }) => noticeChannels(run) },
    { activity: 'notify', call: ({ notify }) => notify({ ...run, notice: AT_THE_GATE, channel: 'email' }) },
    decide('approve'),
    {
      activity: 'publish',
      call: async ({ publish }, { audit, decisions }) => {
        const publishedAt = '2026-03-20T00:00:00.000Z';
        // The answer says where the store is, which differs from folder to folder.
        await publish({ ...run, manifestDigest: audit!.manifestDigest, decisions, publishedAt });
      },
    },
    {
      activity: 'commit',
      call: ({ commit }, { charge }) => commit({ ...run, charge, statement: publishedStatement(run) }),
    },
    { activity: 'planRetraction', call: ({ planRetraction }) => planRetraction(run) },
    decide('retract'),
    {
      activity: 'retract',
      call: async ({ retract }, { audit, decisions }) => {
        const retractedAt = '2026-03-27T00:00:00.000Z';
        await retract({ ...run, manifestDigest: audit!.manifestDigest, decisions, retractedAt });
      },
    },
    { activity: 'updatePages', call: ({ updatePages }) => updatePages(run) },
    plan(next),
    { activity: 'carry', call: ({ carry }) => carry({ ...next, correction, partitions: carried }) },
    { ...reserve(next, [late], correction), prepare: () => ordered(release.store('release'), next, correction) },
    {
      activity: 'ingest',
      prepare: () => rm(join(release.folder('source'), smallKey(late.day, late.part))),
      call: ({ ingest }) => ingest({ ...next, round: 0 }),
    },
    { activity: 'abandon', call: ({ abandon }) => abandon({ ...next, partitions: [late] }) },
    {
      activity: 'withhold',
      call: ({ withhold }, { charge }) => withhold({ ...next, charge, reason: 'withdrawn' }),
    },
  ];
}

/** The approver's decision on a manifest, as the workflow hands it on. */
export async function decisionOn(
  release: { run(): Run; store(name: 'release'): ObjectStore; loaded: Pick<LoadedSeries, 'series'> },
  { manifestDigest, verdict, attention }: AuditResult,
  action: 'approve' | 'retract',
): Promise<DecideInput> {
  const run = release.run();
  const ledger = await readLedger(release.store('release'), release.loaded.series.population);
  // A person who decides again signs the same: the tip is that of the charge, whatever came later.
  const charged = 1 + ledger.entries.findIndex((one) => one.kind === 'reserve' && one.release === releasePath(run));
  const terms = {
    subject: TEST_APPROVER,
    decision: action,
    reason: action === 'approve' ? ('audit-passed' as const) : ('data-wrong' as const),
    acknowledged: attention,
    trust: pinOf(newestVersion(TEST_CHAIN)),
    ledger: { sequence: charged, digest: ledger.entries[charged]?.previous ?? ledger.tip! },
    required: 1,
    elsewhere: 0,
    after: [],
  };
  const gate = usualGate(action);
  const envelope = signDecision({ release: run, manifestDigest, ...terms }, approverKey(TEST_APPROVER).privateKey);
  return {
    ...run,
    gate,
    action,
    manifestDigest,
    verdict,
    attention,
    envelope,
    note: 'a note',
    decided: [],
    refusals: 0,
  };
}
