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

const STATES = {
  'waiting-for-objects': {
    meaning: 'The release waits for objects that the supplier has not delivered yet; nothing has been read.',
    final: false,
    actions: ['proceed', 'cancel'],
  },
  running: { meaning: 'The stages before the audit are at work.', final: false, actions: ['cancel'] },
  'partitions-failed': {
    meaning: 'Some partitions could not be made; the others are finished. Mend the cause and retry them.',
    final: false,
    actions: ['retryPartitions', 'abandonPartitions', 'cancel'],
  },
  stalled: {
    meaning: 'A stage failed again and again; the release waits for somebody to mend the cause and retry it.',
    final: false,
    actions: ['retryStage', 'cancel'],
  },
  auditing: { meaning: 'The audit attacks the release.', final: false, actions: ['cancel'] },
  waiting: {
    meaning: 'The release waits at the gate for people to decide.',
    final: false,
    actions: ['approve', 'reject', 'reaudit', 'withdraw', 'cancel'],
  },
  'approved-waiting': {
    meaning: 'The release is approved and waits for its day of publication.',
    final: false,
    actions: ['withdraw', 'cancel'],
  },
  publishing: { meaning: 'The approved bytes are being published.', final: false, actions: [] },
  'ending-stalled': {
    meaning: 'What ends the release, its publication or its entry in the ledger, failed; mend the cause and retry it.',
    final: false,
    actions: ['retryStage'],
  },
  published: { meaning: 'The release is public.', final: true, actions: [] },
  rejected: { meaning: 'People refused the release; its charge stays.', final: true, actions: [] },
  withdrawn: { meaning: 'The release was withdrawn before it was public; its charge stays.', final: true, actions: [] },
  expired: {
    meaning: 'Nobody decided in time; the same release can be offered again.',
    final: false,
    actions: ['reopen', 'withdraw', 'cancel'],
  },
  cancelled: { meaning: 'The release was cancelled.', final: true, actions: [] },
  retracted: { meaning: 'The release was public and has been retracted.', final: true, actions: [] },
  failed: { meaning: 'The release ended with an error; its code says which.', final: true, actions: [] },
} satisfies Record<string, StateRow>;

export type ReleaseState = keyof typeof STATES;
export const RELEASE_STATES = Object.keys(STATES) as readonly ReleaseState[];

/** The states of a release. One table for workflow, command line and client. */
export const RELEASE_STATE_TABLE: Readonly<Record<ReleaseState, StateRow>> = STATES;

/** An action as people ask for it: the name of its command. */
const commandOf = (action: ReleaseAction): string => action.replace(/Partitions|Stage/, '');

/** Why an action is not offered in a state, and what is, for people; null when it is offered. */
export function whyNot(action: ReleaseAction, state: ReleaseState): string | null {
  const { actions, meaning } = RELEASE_STATE_TABLE[state];
  if (actions.includes(action)) return null;
  const offered = actions.length > 0 ? `, but ${actions.map(commandOf).join(', ')}` : '';
  return `A release that is ${state} does not offer ${commandOf(action)}${offered}. ${meaning}`;
}
