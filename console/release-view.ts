import {
  type Clock,
  causeOf,
  type Explainable,
  explainStatus,
  retryCost,
  stallText,
} from '../client/release/explain-release.ts';
import { reportFailure } from '../client/release/failing-stages.ts';
import { publicationWords } from '../client/release/release-briefing.ts';
import type { Retractable } from '../client/release/retractions.ts';
import { releasePath, STAGES, type Stage } from '../contracts/names.ts';
import { publicationTime, RELEASE_STATE_TABLE, type ReleaseAction } from '../contracts/release-state.ts';
import type { PartitionState, PartitionStatus, ReleaseStatus } from '../contracts/stages.ts';
import { when, wholeHour } from './safe-text.ts';
import type { Role } from './sessions.ts';

/**
 * What operators ask for by a form: its button, the message when it is done, and what a person confirms when it cannot
 * be taken back. Decisions are no forms: they are signed.
 */
export const FORM_ACTIONS = {
  retryPartitions: { label: 'Retry what failed (0 ε)', done: 'What failed is tried again.', sure: null },
  retryStage: { label: 'Retry the stage (0 ε)', done: 'It goes on.', sure: null },
  abandonPartitions: {
    label: 'Abandon what failed (0 ε)',
    done: 'What failed stays without data; the release goes on.',
    sure: 'They stay without data, for ever',
  },
  proceed: {
    label: 'Go on without what is missing',
    done: 'The release goes on without what is missing.',
    sure: null,
  },
  cancel: {
    label: 'Cancel the release',
    done: 'The release was cancelled.',
    sure: 'What was charged stays charged',
  },
} as const satisfies Partial<Record<ReleaseAction, { label: string; done: string; sure: string | null }>>;
export type FormAction = keyof typeof FORM_ACTIONS;
export const isFormAction = (name: string): name is FormAction => Object.hasOwn(FORM_ACTIONS, name);

/** Stages whose timing is that of reading and drawing. */
const PRIVATE_STAGES: readonly Stage[] = ['ingest', 'bin', 'privatize'];

/** The three private stages are one step for everybody but operators. */
const STEPS = ['count and draw', ...STAGES.filter((stage) => !PRIVATE_STAGES.includes(stage))];

export type Step = { name: string; is: 'done' | 'now' | 'to do' };

/** A release as a person of these roles may see it. */
export type ReleaseView = ReturnType<typeof releaseView>;

/**
 * What of a status a person may see. Durations, attempts, start times and the order in which partitions were finished are
 * left out of it for everybody but operators: out of pages, JSON and events alike.
 *
 * @contract C18
 */
export function releaseView(status: Retractable<ReleaseStatus>, roles: readonly Role[], timeZone: string) {
  const isOperator = roles.includes('operator');
  const { state, verdict, firstVerdict, attention, decisions, required, refusals, ending, waitingFor } = status;
  const at: Clock = (moment) => when(moment, timeZone);
  const actions = RELEASE_STATE_TABLE[state].actions;
  const failures = status.partitions.filter((one) => one.state === 'failed');
  const isApprover = roles.includes('approver');
  const gateOfRetraction = status.retraction ? RELEASE_STATE_TABLE[status.retraction.state].actions : [];
  return {
    release: releasePath(status),
    series: status.series,
    window: status.window,
    version: status.version,
    timeZone,
    state,
    meaning: RELEASE_STATE_TABLE[state].meaning,
    steps: stepsOf(status, isOperator),
    partitions: partitionsFor(status, isOperator),
    isCharged: status.charge !== null,
    correction: status.correction,
    manifestDigest: status.manifestDigest,
    verdict,
    firstVerdict: firstVerdict ?? null,
    attention,
    decisions,
    required,
    refusals,
    ending: ending && { ...ending, mend: causeOf(ending.code) },
    gateOpenUntil: deadline(status.expiresAt, isOperator),
    publishNotBefore: status.publishNotBefore,
    publishedAt: state === 'approved-waiting' ? publicationTime(status) : null,
    afterApproval: publicationWords(status),
    waitingFor: waitingFor && { names: waitingFor.names, total: waitingFor.total, until: waitingFor.until },
    sourceChanges: status.sourceChanges,
    location: status.publication?.isThere ? status.publication.place : status.location,
    isMissing: status.publication?.isThere === false,
    retraction: status.retraction && {
      state: status.retraction.state,
      by: status.retraction.by,
      signed: status.retraction.signed,
      required: status.retraction.required,
      reasons: status.retraction.reasons,
    },
    stall: status.stall && {
      code: status.stall.code,
      sentence: isOperator ? stallText(status.stall, status.stage, at) : `The stage ${stepOf(status.stage)} failed.`,
      mend: causeOf(status.stall.code),
    },
    retryCost: failures.length > 0 ? retryCost(failures) : [],
    actions: isOperator ? actions.filter(isFormAction) : [],
    canSign: {
      approve: isApprover && actions.includes('approve') && verdict !== 'fail',
      reject: isApprover && actions.includes('reject'),
      withdraw: isApprover && actions.includes('withdraw'),
      reopen: isApprover && actions.includes('reopen'),
      retract: isApprover && state === 'published',
      withdrawRetraction: isApprover && gateOfRetraction.includes('withdraw'),
    },
    operator: isOperator ? operatorPart(status, at) : null,
  };
}

/** What operators alone are shown. */
function operatorPart(status: Explainable & Retractable<ReleaseStatus>, at: Clock) {
  const { causes, commands } = explainStatus(status);
  return {
    stage: status.stage,
    since: status.since ? at(status.since) : null,
    causes,
    commands,
    failing: (status.failing ?? []).map(reportFailure),
    unread: status.unread ?? [],
  };
}

/** A deadline as a role may see it. */
export const deadline = (moment: string | null, isOperator: boolean): string | null =>
  moment === null || isOperator ? moment : wholeHour(moment);

const stepOf = (stage: Stage): string => (PRIVATE_STAGES.includes(stage) ? STEPS[0]! : stage);

const OVER: readonly string[] = ['published', 'retracted'];

function stepsOf({ stage, state }: ReleaseStatus, isOperator: boolean): Step[] {
  const names: readonly string[] = isOperator ? STAGES : STEPS;
  const now = names.indexOf(isOperator ? stage : stepOf(stage));
  const isOver = OVER.includes(state);
  return names.map((name, place) => ({ name, is: isOver || place < now ? 'done' : place === now ? 'now' : 'to do' }));
}

/**
 * What each partition is to people: its state, and what holds it up. While they are being made, which are finished says
 * how long each took: that is for operators (C18).
 */
function partitionsFor({ partitions, stage, state: whole }: ReleaseStatus, isOperator: boolean) {
  // A release that is held up by what failed has finished all others: its state says so to everybody.
  const isMade = whole === 'partitions-failed' || !PRIVATE_STAGES.includes(stage);
  const stateOf = ({ state }: PartitionStatus): PartitionState =>
    isOperator || isMade || state === 'failed' || state === 'abandoned' ? state : 'pending';
  return partitions.map((one) => ({
    part: one.part,
    day: one.day,
    state: stateOf(one),
    code: one.code ?? null,
    object: one.object ?? null,
    message: one.message ?? null,
    mend: one.code ? causeOf(one.code) : null,
  }));
}
