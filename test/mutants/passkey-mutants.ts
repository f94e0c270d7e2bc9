import type { Mutant } from './mutant.ts';

const CREDENTIAL = 'credential.test.ts';

/** A passkey, or its page, is believed in what it may not say. */
export const PASSKEY_MUTANTS: Mutant[] = [
  {
    id: 'user-not-verified',
    bug: 'A passkey signs for whoever has the device in hand: that its user was verified is not asked.',
    clause: 'C16',
    edits: [
      {
        in: 'mistakeInAuthenticator',
        from: '(flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0',
        to: '(flags & USER_PRESENT) !== 0',
      },
    ],
    killer: { file: CREDENTIAL, test: 'signs nothing with a user who was not verified' },
  },
  {
    id: 'page-of-anybody',
    bug: 'The page of somebody else may ask for a passkey: the beginning of the client data is not compared.',
    clause: 'C16',
    edits: [{ in: 'mistakeInClientData', from: 'text.startsWith(prefixOf(origin))', to: 'text.length > 0' }],
    killer: { file: CREDENTIAL, test: 'signs nothing on a page of somebody else' },
  },
  {
    id: 'member-there-twice',
    bug: 'Client data may say a member twice, and other readers see the second one.',
    clause: 'C16',
    edits: [{ in: 'mistakeInClientData', from: 'JSON.stringify(value) !== text', to: 'value === null' }],
    killer: { file: CREDENTIAL, test: 'signs nothing with a type that is there twice' },
  },
  {
    id: 'one-host-has-all',
    bug: 'Approvals that one host of pages had in hand count as made elsewhere.',
    clause: 'C16',
    edits: [
      {
        in: 'countElsewhere',
        from: 'Math.min(peopleOf(decisions), ...others)',
        to: 'peopleOf(decisions) - 0 * others.length',
      },
    ],
    killer: { file: CREDENTIAL, test: 'C16: what was decided elsewhere than at any one host' },
  },
  {
    id: 'approval-after-its-withdrawal',
    bug: 'An approval that is posted again after a withdrawal counts at the gate.',
    clause: 'C16',
    edits: [
      {
        in: 'decide',
        from: 'turn !== own && !decision.predicate.after.includes(turn)',
        to: 'turn === own && turn === null',
      },
    ],
    killer: {
      file: 'passkeys.test.ts',
      test: 'C16: an approval that is posted again after a withdrawal does not count',
    },
  },
  {
    id: 'cooling-not-asked',
    bug: 'Whoever asks for a publication skips the cooling time: its end is a matter of the workflow alone.',
    clause: 'C16',
    edits: [{ in: 'requireCooled', from: 'until === null', to: 'until !== undefined' }],
    killer: { file: 'cooling.test.ts', test: 'C16: a release is published after its cooling time' },
  },
  {
    id: 'arrival-of-anybody',
    bug: 'When an approval came is believed of whoever writes the release store: that a publisher signed it is not asked.',
    clause: 'C16',
    edits: [
      { in: 'arrivalOf', from: 'findSigners(arrival, publishers).size === 0', to: 'arrival.signatures.length === 0' },
    ],
    killer: { file: 'decide.test.ts', test: 'C16: when a decision came is what a publisher signed first' },
  },
  {
    id: 'own-release-approved',
    bug: 'Whoever started a release approves it too, whatever the trust file says.',
    clause: 'C16',
    edits: [
      {
        in: 'refusesOwn',
        from: "ownReleases === 'refused'",
        to: "ownReleases !== 'refused' && ownReleases !== undefined",
      },
    ],
    killer: { file: 'cooling.test.ts', test: 'C16: who started a release cannot approve it' },
  },
  {
    id: 'words-leave-out',
    bug: 'The words that a person reads before signing leave out the tip of the ledger.',
    clause: 'C16',
    edits: [{ in: 'decisionWords', from: 'ledger.digest', to: 'ledger.sequence' }],
    killer: { file: 'decision-words.test.ts', test: 'C16: one member that differs is in the words' },
  },
];
