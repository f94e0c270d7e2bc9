/** The two gates of a manifest: before it is public, and before it is taken back. */
export const GATES = ['publication', 'retraction'] as const;
export type GateKind = (typeof GATES)[number];

/** What opens a gate: to approve before a publication, to retract after it. */
export const FAVOUR = { publication: 'approve', retraction: 'retract' } as const satisfies Record<GateKind, string>;

/** What people can ask of a release. */
export const RELEASE_ACTIONS = [
  'approve',
  'reject',
  'reaudit',
  'withdraw',
  'reopen',
  'retryPartitions',
  'abandonPartitions',
  'retryStage',
  'proceed',
  'cancel',
] as const;
export type ReleaseAction = (typeof RELEASE_ACTIONS)[number];

type StateRow = {
  /** What the state means, for a release manager. */
  meaning: string;
  /** True when the workflow has ended: nothing can be asked of it any more. */
  final: boolean;
  actions: readonly ReleaseAction[];
};

const open = (meaning: string, actions: StateRow['actions']): StateRow => ({ meaning, final: false, actions });
const final = (meaning: string): StateRow => ({ meaning, final: true, actions: [] });

const STATES = {
  'waiting-for-objects': open(
    'The release waits for objects that the supplier has not delivered yet; nothing has been read.',
    ['proceed', 'cancel'],
  ),
  running: open('The stages before the audit are at work.', ['cancel']),
  'partitions-failed': open(
    'Some partitions could not be made; the others are finished. An operator mends the cause and retries them.',
    ['retryPartitions', 'abandonPartitions', 'cancel'],
  ),
  stalled: open('A stage failed again and again; the release waits for somebody to mend the cause and retry it.', [
    'retryStage',
    'cancel',
  ]),
  auditing: open('The audit attacks the release.', ['cancel']),
  waiting: open('The release waits at the gate for people to decide.', [
    'approve',
    'reject',
    'reaudit',
    'withdraw',
    'cancel',
  ]),
  'approved-waiting': open(
    'The release is approved and waits for its time of publication; until then approvers can withdraw it.',
    ['withdraw', 'cancel'],
  ),
  publishing: open('The approved bytes are being published.', []),
  'ending-stalled': open(
    'What ends the release, its publication or its entry in the ledger, failed; mend the cause and retry it.',
    ['retryStage'],
  ),
  published: final('The release is public.'),
  rejected: final('People refused the release; its charge stays.'),
  withdrawn: final('The release was withdrawn before it was public; its charge stays.'),
  expired: open('Nobody decided in time; the same release can be offered again.', ['reopen', 'withdraw', 'cancel']),
  cancelled: final('The release was cancelled.'),
  retracted: final('The release was public and has been retracted.'),
  failed: final('The release ended with an error; its code says which.'),
} satisfies Record<string, StateRow>;

export type ReleaseState = keyof typeof STATES;
export const RELEASE_STATES = Object.keys(STATES) as readonly ReleaseState[];

/** The states of a release. One table for workflow, command line and client. */
export const RELEASE_STATE_TABLE: Readonly<Record<ReleaseState, StateRow>> = STATES;

/** When a cooling time of `hours` that began at `since` is over, ISO 8601 with Z; null: there is none. */
export const coolingEnd = (since: string, hours: number): string | null =>
  hours > 0 ? new Date(Date.parse(since) + hours * 3_600_000).toISOString() : null;

/** When an approved release is published by itself, ISO 8601 with Z; null: at once. */
export function publicationTime(waits: Record<'publishNotBefore' | 'coolingUntil', string | null>): string | null {
  const moments = [waits.publishNotBefore, waits.coolingUntil].filter((moment) => moment !== null);
  return moments.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? null;
}

/** An action as people ask for it: the name of its command. */
const commandOf = (action: ReleaseAction): string => action.replace(/Partitions|Stage/, '');

/** A code, such as `partitions-failed`, `OBJECT_MISSING` or `retryStage`, as words. */
export const inWords = (code: string): string => code.replaceAll(/[-_]|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** Why an action is not offered in a state, and what is, for people; null when it is offered. */
export function whyNot(action: ReleaseAction, state: ReleaseState): string | null {
  const { actions, meaning } = RELEASE_STATE_TABLE[state];
  if (actions.includes(action)) return null;
  const offer = actions.length > 0 ? `, but ${actions.map(commandOf).join(', ')}` : '';
  return `A release that is ${inWords(state)} does not offer ${commandOf(action)}${offer}. ${meaning}`;
}
