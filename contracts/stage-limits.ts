import { ERRORS, type ErrorCode } from './errors.ts';
import type { PrivateActivities, PublicActivities } from './stages.ts';

/** Refusals that one release records; its gate takes no more decisions after them. */
export const REFUSALS_MAX = 50;

/**
 * Codes of stores, disks and keys that another host does not have, or that pass: attempts are not counted while an
 * activity is patient.
 */
const PATIENT_CODES: readonly ErrorCode[] = ['STORE_UNAVAILABLE', 'OUT_OF_SCRATCH', 'TRUST_BEHIND'];

/** How long an activity may take and how often it is tried before the release waits for people. */
export type StageLimits = {
  /**
   * Longest time of one attempt, with the wait for a turn in the worker; time in which no worker takes the task up is not
   * counted. The worker itself ends what computes for longer than its deployment allows (process.minutes).
   */
  minutes: number;
  /** Most attempts. The pauses between them are 1, 2, 4, … seconds, up to `pauseSeconds`. */
  attempts: number;
  pauseSeconds: number;
  /** For so long, since it was first scheduled, it is repeated when a store or disk fails it, whatever the attempts. */
  patienceMinutes: number;
};

/**
 * Every other activity of the private worker. Six hours: a month of a large city on a slow disk, and the wait for a turn.
 * After five attempts partitions wait, marked as failed, and nothing is lost.
 */
const PRIVATE_LIMITS: StageLimits = { minutes: 360, attempts: 5, pauseSeconds: 30, patienceMinutes: 30 };

/** Twelve attempts: six minutes of pauses, so that they outlast a machine that is started again. */
const PUBLIC = { attempts: 12, pauseSeconds: 60, patienceMinutes: 30 };

/** Reads and writes a few small objects, at most a ledger of many years entry by entry. */
const SMALL = { ...PUBLIC, minutes: 10 };

/** Activities of the private worker that write the ledger, and touch no source. */
const LEDGER_LIMITS = { reserve: SMALL, commit: SMALL, withhold: SMALL } satisfies {
  [Name in keyof PrivateActivities]?: StageLimits;
};

/** Copies or writes every byte of a publication: 2 GB at one megabyte a second, and as long again for its turn. */
const COPIES = { ...PUBLIC, minutes: 60 };

/**
 * Activities of the public worker. An attempt that has used up its time is not repeated, as it would use it up again:
 * the times are ten times and more what the largest release needs on an idle machine.
 */
const PUBLIC_LIMITS: Readonly<Record<keyof PublicActivities, StageLimits>> = {
  plan: SMALL,
  carry: COPIES,
  derive: COPIES,
  // A fortnight of thirty million trips takes it a minute, and a year a quarter of an hour.
  audit: { ...PUBLIC, minutes: 120 },
  reaudit: { ...PUBLIC, minutes: 120 },
  publish: COPIES,
  planRetraction: SMALL,
  retract: SMALL,
  // A weekly series of ten years has some five hundred pages.
  updatePages: { ...PUBLIC, minutes: 30 },
  // A person waits for the answer, and can ask again.
  decide: { minutes: 1, attempts: 5, pauseSeconds: 60, patienceMinutes: 0 },
  approvers: { minutes: 1, attempts: 5, pauseSeconds: 60, patienceMinutes: 0 },
  openGate: SMALL,
  noticeChannels: { minutes: 1, attempts: 12, pauseSeconds: 60, patienceMinutes: 0 },
  // Two hours without a mail server. A release that has failed is open in Temporal until then.
  notify: { minutes: 5, attempts: 20, pauseSeconds: 600, patienceMinutes: 0 },
  // A day: nobody may be there in the night in which a schedule starts a release.
  scheduledWindow: { minutes: 10, attempts: 150, pauseSeconds: 600, patienceMinutes: 0 },
};

const LIMITS = new Map<string, StageLimits>(Object.entries({ ...LEDGER_LIMITS, ...PUBLIC_LIMITS }));

/** The limits of an activity, by its name. */
export const limitsOf = (activity: string): StageLimits => LIMITS.get(activity) ?? PRIVATE_LIMITS;

/** For how many minutes an activity is repeated that fails with a code; 0: its attempts are counted. */
export const patienceOf = (activity: string, code: ErrorCode): number =>
  PATIENT_CODES.includes(code) ? limitsOf(activity).patienceMinutes : 0;

/** Whether an attempt that failed with a code is followed by another; `minutes`: since the first was scheduled. */
export const isRepeated = (activity: string, code: ErrorCode, attempt: number, minutes: number): boolean =>
  ERRORS[code].retryable && (attempt < limitsOf(activity).attempts || minutes < patienceOf(activity, code));

/** The most attempts that Temporal makes, also when each takes its worker with it: as many as patience needs. */
export const mostAttempts = ({ attempts, pauseSeconds, patienceMinutes }: StageLimits): number =>
  attempts + Math.ceil((60 * patienceMinutes) / pauseSeconds);
