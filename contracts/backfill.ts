import type { ReleaseState } from './release-state.ts';

/** The states of a back-fill; `done` and `cancelled` are final. */
export type BackfillState = 'running' | 'paused' | 'done' | 'cancelled';

export const BACKFILL_ACTIONS = ['pause', 'resume', 'cancel'] as const;
/** What people can ask of a back-fill. `cancel` starts no more releases; those that were started go on. */
export type BackfillAction = (typeof BACKFILL_ACTIONS)[number];

/** Which action is offered in which state. */
export const BACKFILL_STATE_TABLE: Readonly<Record<BackfillState, readonly BackfillAction[]>> = {
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  done: [],
  cancelled: [],
};

/**
 * One window of a back-fill. `started-before`: its release was there already, and this back-fill only names it.
 * `ended-outside`: its release was ended in Temporal, terminated or timed out, before it could report anything.
 */
export type BackfillWindow = { window: string; state: 'to-do' | 'started-before' | 'ended-outside' | ReleaseState };

/**
 * A back-fill: the argument of backfillWorkflow, what it carries over when it continues as new, and the answer of its
 * Query `status`. Plain JSON. Each window is released as version 1.
 */
export type Backfill = {
  id: string;
  series: string;
  seriesDigest: string;
  /** Releases at work at the same time; one at the gate, or with failed partitions, is not at work. */
  atOnce: number;
  state: BackfillState;
  windows: BackfillWindow[];
};

/** Signal of a release to the back-fill that started it, whenever it frees its slot or ends. */
export const RELEASE_MOVED = 'releaseMoved';
export type ReleaseMoved = { window: string; state: ReleaseState };

/** Signal of a back-fill to a release that it thinks at work: only a release that is there takes it; it does nothing. */
export const STILL_THERE = 'stillThere';

/** Names the back-fill of the windows from one first day to another. */
export const backfillId = (series: string, from: string, to: string): string => `${series}/${from}..${to}`;

const PREFIX = 'backfill/';
export const backfillWorkflowId = (id: string): string => `${PREFIX}${id}`;
/** The id of the back-fill that `backfillWorkflowId` wrote. */
export const backfillIdOf = (workflowId: string): string => workflowId.slice(PREFIX.length);
export const isBackfillWorkflowId = (workflowId: string): boolean => workflowId.startsWith(PREFIX);
