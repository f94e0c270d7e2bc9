import { ERRORS, type ErrorCode, OpalineError } from '../../contracts/errors.ts';
import {
  type Partition,
  partitionPath,
  type ReleaseReference,
  releasePath,
  releaseWorkflowId,
  type Stage,
} from '../../contracts/names.ts';
import { publicationTime, RELEASE_STATE_TABLE } from '../../contracts/release-state.ts';
import type { PartitionStatus, ReleaseStatus, Stall } from '../../contracts/stages.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { partitionSpans } from '../../core/calendar/partition-spans.ts';
import { clockText } from '../../services/calendar/local-time.ts';
import { correctionCommand } from '../../services/notices/correction-command.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { nearText } from '../series/near-names.ts';
import { type FailingStage, listFailingStages, reportFailure } from './failing-stages.ts';
import { reportAbsence } from './publications.ts';
import { type Retractable, statusWithRetraction } from './retractions.ts';
import { findCharge } from './stored-status.ts';

export type Explanation = ReturnType<typeof explainStatus>;

/** Workflow tasks of a healthy release succeed at once; after n attempts its code and its history do not fit. */
const ATTEMPTS_MAX = 3;

/** The status of a release, with its retraction and with what is tried again at the moment. */
export type Explainable = ReleaseStatus & Partial<Retractable<unknown>> & { failing?: FailingStage[] };

/**
 * The status of a release, or an explanation when it cannot give one. Throws RELEASE_UNKNOWN with the names of releases
 * that are near.
 */
export async function explainRelease(
  client: OpalineClient,
  release: ReleaseReference,
): Promise<Explainable | Explanation> {
  const name = releasePath(release);
  const handle = client.temporal.workflow.getHandle(releaseWorkflowId(release));
  const run = await handle.describe().catch(() => null); // what is wrong is found out by asking for the status
  const attempts = run?.raw.pendingWorkflowTask?.attempt ?? 0;
  if (run?.status.name === 'RUNNING' && attempts >= ATTEMPTS_MAX)
    return {
      release: name,
      what: `${name} does not go on: the public worker fails on its workflow.`,
      causes: ['Its history was made by other code than the worker now runs. Nothing is lost. The platform team acts.'],
      commands: ['opaline doctor'],
    };
  try {
    return { ...(await statusWithRetraction(client, release)), failing: run ? listFailingStages(run) : [] };
  } catch (error) {
    if (!(error instanceof OpalineError)) throw error;
    if (error.code === 'RELEASE_ENDED_OUTSIDE') return explainLost(client, release);
    if (error.code !== 'RELEASE_UNKNOWN') throw error;
    const near = nearText(name, (await client.list()).map(releasePath));
    throw near === '' ? error : new OpalineError('RELEASE_UNKNOWN', `There is no release ${name}.${near}`);
  }
}

/** A release that has not ended, and of which no workflow is open. */
async function explainLost(client: OpalineClient, release: ReleaseReference): Promise<Explanation> {
  const name = releasePath(release);
  const isCharged = (await findCharge(client, release)) !== null;
  const next = isCharged ? 'It goes on from the stores, at 0 ε.' : 'Nothing was charged.';
  return {
    release: name,
    what: `${name} has not ended, and no workflow of it is open in Temporal.`,
    causes: [`${ERRORS.RELEASE_ENDED_OUTSIDE.cause} ${next}`],
    commands: isCharged ? [`opaline resume ${name}`] : runCommands(release),
  };
}

/** What a status says to people who have to act; times as the clock of a zone shows them. */
export function explainStatus(status: Explainable, timeZone = 'UTC') {
  const release = releasePath(status);
  const { causes, commands } = ACTS[status.state](status, release, (moment) => clockText(moment, timeZone));
  return {
    release,
    what: `${release} is ${status.state}. ${RELEASE_STATE_TABLE[status.state].meaning}`,
    /** Likely causes in plain words, with who acts and what it costs. */
    causes: [...causes, ...(status.failing ?? []).map((one) => `${reportFailure(one)} ${causeOf(one.code)}`)],
    /** Commands that mend it, the first choice first; none when nothing is to be done. */
    commands,
  };
}

export type Clock = (moment: string) => string;

type Acts = { causes: string[]; commands: string[] };

const nothing = (cause: string): Acts => ({ causes: [cause], commands: [] });

/** What runs a version of a window: every version but the first needs an order. */
function runCommands(release: ReleaseReference): string[] {
  const run = `opaline run SERIES.yaml --window ${release.window}`;
  if (release.version === 1) return [run];
  const order = `${releasePath(release).replaceAll('/', '-')}.order.json`;
  return [
    `opaline order version ${releasePath(release)} --series SERIES.yaml --key KEY.pem --out ${order}`,
    `${run} --release-version ${release.version} --order ${order}`,
  ];
}

/**
 * How the window is released again: under the same version while nothing was charged. Of a correction it is the same
 * correction, as a run draws and charges every partition. Not after a refusal by a cap: a correction keeps the caps of
 * the file that it began with, a run takes those that were raised.
 */
function again({ series, window, version, correction, charge, ending }: ReleaseStatus): string[] {
  if (!correction || ending?.code === 'BUDGET_EXCEEDED')
    return runCommands({ series, window, version: charge === null ? version : version + 1 });
  const { of, partitions, reason } = correction;
  return [correctionCommand({ series, window, version: of }, partitions, reason)];
}

/** The decision that the verdict at the gate leaves to people, as the command line takes it. */
export function decisionCommand({ verdict, attention, ...release }: ReleaseStatus): string {
  const [command, ...points] =
    verdict === 'fail' ? ['reject'] : ['approve', ...(attention.length > 0 ? ['--acknowledge', ...attention] : [])];
  return [command, releasePath(release), '--key KEY.pem --reason "…"', ...points].join(' ');
}

const ACTS: Record<ReleaseStatus['state'], (status: Explainable, release: string, at: Clock) => Acts> = {
  'waiting-for-objects': ({ waitingFor }, release, at) => ({
    causes: [
      waitingFor
        ? `Missing: ${waitingFor.names.join(', ')} (${waitingFor.total} in all). It goes on by itself when they come, at the latest at ${at(waitingFor.until)}.`
        : 'The source does not answer; it is asked again.',
    ],
    commands: [`opaline proceed ${release}`],
  }),
  running: ({ stage }) =>
    nothing(`It is at the stage ${stage}. If that does not change, a worker is down: opaline doctor.`),
  'partitions-failed': explainFailed,
  stalled: (status, release, at) => ({
    causes: [stallCause(status, at), ...(mayBeOfFile(status) ? [FILE_IS_KEPT] : []), STAGE_RETRY_COST],
    commands: [`opaline retry ${release}`, `opaline cancel ${release}`, ...(mayBeOfFile(status) ? again(status) : [])],
  }),
  auditing: () => nothing('It needs both workers. If that does not change, one is down: opaline doctor.'),
  waiting: (status, _, at) => ({
    causes: [
      `${status.decisions.length} of ${status.required} approvals are there; the gate is open until ${status.expiresAt ? at(status.expiresAt) : 'it expires'}.`,
      ...(status.attention.length > 0
        ? [`The audit asks for attention: ${status.attention.join(', ')}. An approver acknowledges each.`]
        : []),
      ...(status.verdict === 'fail' ? [FAILED_AUDIT] : []),
    ],
    commands: [`opaline ${decisionCommand(status)}`, ...againAfter(status)],
  }),
  'approved-waiting': (status, release, at) => {
    const moment = publicationTime(status);
    return {
      causes: [`It is published by itself${moment ? ` at ${at(moment)}, unless somebody withdraws it before` : ''}.`],
      commands: [`opaline withdraw ${release} --key me.pem`],
    };
  },
  publishing: () => nothing('The public worker copies the approved files. If that does not change: opaline doctor.'),
  'ending-stalled': (status, release, at) => ({
    causes: [stallCause(status, at), ...endingCauses(status)],
    commands: [`opaline retry ${release}`],
  }),
  published: (status, release, at) => {
    const { location, retraction, publication } = status;
    if (publication?.isThere === false)
      return { causes: [reportAbsence(status, publication), STAGE_RETRY_COST], commands: [`opaline retry ${release}`] };
    const causes = [`It is at ${publication?.place ?? location}.`];
    if (!retraction?.stall) return { causes, commands: [`opaline show ${release} --sources`] };
    const { stall } = retraction;
    const why = `It is to be retracted. ${stallText(stall, 'publish', at)} ${causeOf(stall.code)}`;
    return { causes: [...causes, why], commands: [`opaline retry ${release}`] };
  },
  rejected: (status) => ({ causes: ['A new version is a new charge.'], commands: again(status) }),
  withdrawn: (status) => ({ causes: ['A new version is a new charge.'], commands: again(status) }),
  expired: (_, release) => ({
    causes: ['Nobody decided in time. The same manifest is offered again at 0 ε.'],
    commands: [`opaline reopen ${release} --key me.pem`, `opaline withdraw ${release} --key me.pem`],
  }),
  cancelled: (status) => ({
    causes: [status.charge ? 'Its charge stays; a new version is a new charge.' : 'Nothing was charged.'],
    commands: again(status),
  }),
  retracted: () => nothing('A signed tombstone is next to its files.'),
  failed: (status) => {
    if (!status.ending) return nothing('It ended without a code.');
    const { code, message } = status.ending;
    // A run alone would be refused again.
    const before = code === 'BUDGET_EXCEEDED' ? ['opaline ledger show'] : [];
    return { causes: [`${code}: ${message}`, causeOf(code)], commands: [...before, ...again(status)] };
  },
};

const FAILED_AUDIT =
  'Nobody can approve it while the audit fails. Where the series declares a service or a timetable wrongly, correct that and audit it again, at 0 ε; where the release itself is at fault, reject it: a new version is a new charge.';

const againAfter = ({ verdict, firstVerdict, ...release }: ReleaseStatus): string[] =>
  verdict === 'fail' && !firstVerdict ? [`opaline reaudit ${releasePath(release)} --series SERIES.yaml`] : [];

export const STAGE_RETRY_COST = 'A retry costs 0 ε: a stage that is run again draws and charges nothing.';

/** Does it stall for what its series file says? A retry reads the same file again. */
export const mayBeOfFile = ({ stall }: Pick<ReleaseStatus, 'stall'>): boolean => stall?.code === 'POLICY_REFUSED';

/** What helps a release whose series file asks for what it may not have. */
const FILE_IS_KEPT =
  'A release keeps the series file that it was started with. A retry helps when the custodian has changed the policy; where the file is at fault, cancel this release and start the next version with the changed file.';

/** The stage and the code that a release is held up by, since when, and what mends it. */
const stallCause = ({ stall, stage }: ReleaseStatus, at: Clock): string =>
  stall ? `${stallText(stall, stage, at)} ${causeOf(stall.code)}` : 'It has been retried, and goes on.';

/** What failed, how often, and since when, in one sentence or two. */
export function stallText({ activity, code, message, attempts, since }: Stall, stage: Stage, at: Clock): string {
  const where = activity === stage ? stage : `${stage} (${activity})`;
  return `At the stage ${where} ${attempts === 1 ? '1 attempt' : `${attempts} attempts`} failed, the last at ${at(since)}, with ${code}: ${message}`;
}

/** What is done already of a release whose end is held up. */
function endingCauses({ stall, location }: ReleaseStatus): string[] {
  if (location) return [`It is public, at ${location}. Only the pages of its series or its ledger do not say so yet.`];
  if (stall?.from === 'publishing') return ['It is approved, and may be public in part: it can only go on.'];
  return stall ? [`It is ${stall.from}; only the ledger does not say yet that nothing was published.`] : [];
}

function explainFailed({ partitions }: ReleaseStatus, release: string): Acts {
  const failures = partitions.filter(({ state }) => state === 'failed');
  const byCode = [...Map.groupBy(failures, codeOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const causes = byCode.map(([code, group]) => {
    const objects = [...new Set(group.flatMap(({ object }) => object ?? []))].sort();
    const where = objects.length > 0 ? ` in ${objects.join(', ')}` : '';
    const text = [...new Set(group.flatMap(({ message }) => message ?? []))].map((message) => `${message} `).join('');
    return `${code}${where} holds back ${partitionSpans(group)}. ${besideText(group)}${text}${causeOf(code)}`;
  });
  const commands = [`opaline retry ${release}`, ...withoutObjects(partitions, release)];
  return { causes: [...causes, ...retryCost(failures)], commands };
}

/** Why a day waits for the object of the day before; empty where the names of the objects do not say so. */
export function besideText(list: readonly (Partition & { object?: string | null })[]): string {
  const isNamed = (name: string, day: string) => name.includes(day) || name.includes(day.replaceAll('-', ''));
  const beside = list.filter(({ object, day }) => object && !isNamed(object, day) && isNamed(object, addDays(day, -1)));
  return beside.length > 0 ? `It holds back ${partitionSpans(beside)} too, as a trip may begin the day before. ` : '';
}

/** How a release goes on when objects do not come: holes in what is drawn, or not at all when nothing is (C16). */
function withoutObjects(partitions: readonly PartitionStatus[], release: string): string[] {
  const gaps = partitions.filter((one) => one.state === 'failed' && lacksObject(one));
  if (gaps.length === 0) return [];
  return partitions.some(({ state }) => state === 'drawn')
    ? [`opaline abandon ${release} --partition ${gaps.map(partitionPath).join(' ')}`]
    : [`opaline cancel ${release}`];
}

const codeOf = ({ code }: PartitionStatus): ErrorCode => code ?? 'UNEXPECTED';

/** The likely cause of a code, what mends it and who acts, in plain words. */
export function causeOf(code: ErrorCode): string {
  const { cause, mend, actor } = ERRORS[code] ?? ERRORS.UNEXPECTED;
  return `${cause} ${mend} ${actor === 'nobody' ? 'Nobody has to act.' : `The ${actor} acts.`}`;
}

const lacksObject = (one: PartitionStatus): boolean => codeOf(one).startsWith('OBJECT_');

/** What it costs to retry failed partitions, and why: nothing, whether or not a draw of them exists. */
export function retryCost(failures: readonly PartitionStatus[]): string[] {
  const line = (group: readonly PartitionStatus[], why: string): string[] =>
    group.length > 0 ? [`A retry of ${partitionSpans(group)} costs 0 ε: ${why}.`] : [];
  const { absent = [], others = [] } = Object.groupBy(failures, (one) => (lacksObject(one) ? 'absent' : 'others'));
  return [
    ...line(absent, 'nothing was drawn, and the charge of the release covers it'),
    ...line(others, 'a draw that exists is read again, never made again'),
  ];
}
