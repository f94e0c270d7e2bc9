import type { Mutant } from './mutant.ts';

const CUSTODIAN = 'custodian.test.ts';

/** Defences of docs/security.md on the custodian side and at the gate: each is taken out. */
export const CUSTODY_MUTANTS: Mutant[] = [
  {
    id: 'series-of-anybody',
    bug: 'A series file that nobody of the policy has signed is run.',
    clause: 'C11a',
    edits: [
      {
        in: 'newestNumber',
        from: "isSignedByPolicy(policy, 'series', envelope)",
        to: 'policy.keys.length > 0 && envelope.signatures.length > 0',
      },
    ],
    killer: { file: CUSTODIAN, test: 'a series file that no key of the policy has signed' },
  },
  {
    id: 'revoked-series-runs',
    bug: 'A series file that the policy has revoked goes on to be run.',
    clause: 'C11a',
    edits: [
      {
        in: 'newestNumber',
        from: 'numbers.length > 0 && !policy.revokedSeries.includes(seriesDigest)',
        to: 'numbers.length > 0 && !policy.revokedSeries.includes(series)',
      },
    ],
    killer: { file: CUSTODIAN, test: 'a series file that no key of the policy has signed' },
  },
  {
    id: 'source-of-another-population',
    bug: 'A series reads the source store of other people than those it charges.',
    clause: 'C11a',
    edits: [{ in: 'requireRules', from: '!rules.sources.includes(source.store)', to: 'rules.sources.length === 0' }],
    killer: { file: CUSTODIAN, test: 'a window that is not over, a source of another population' },
  },
  {
    id: 'more-than-the-policy-allows',
    bug: 'A series asks for a greater ε of one release than the policy allows, and gets it.',
    clause: 'C11a',
    edits: [
      {
        in: 'requireRules',
        from: 'compare(parseRational(pair[1]), parseRational(pair[0])) > 0',
        to: "compare(parseRational('0'), parseRational(pair[0])) > 0",
      },
    ],
    killer: { file: CUSTODIAN, test: 'a window that is not over, a source of another population' },
  },
  {
    id: 'partition-outside-of-the-charge',
    bug: 'A partition is drawn that the charge is not for.',
    clause: 'C12',
    edits: [{ in: 'privatize', from: 'requireCharged(release, partitions);', to: 'requireCharged(release, []);' }],
    killer: { file: CUSTODIAN, test: 'a partition outside of the window, or of the charge' },
  },
  {
    id: 'old-window-without-an-order',
    bug: 'The first version of any window, however old, is charged on demand.',
    clause: 'C11a',
    edits: [{ in: 'leaveFor', from: 'run.version === 1 && isRecent && isWhole', to: 'run.version === 1 && isWhole' }],
    killer: { file: CUSTODIAN, test: 'an old window needs an order' },
  },
  {
    id: 'copies-ahead-not-seen',
    bug: 'A private store that was set back goes on as if what it has lost had never been charged.',
    clause: 'C12',
    edits: [{ in: 'reasonOf', from: 'ahead.length > 0', to: 'ahead.length > 1_000' }],
    killer: { file: CUSTODIAN, test: 'a private store that was set back is behind its copies' },
  },
  {
    id: 'older-policy-not-seen',
    bug: 'A policy or trust file that was set back is gone by, whatever the ledger has seen.',
    clause: 'C12',
    edits: [
      {
        in: 'olderThan',
        from: 'own.number > other.number || (own.number === other.number && own.digest === other.digest)',
        to: 'true',
      },
    ],
    killer: { file: CUSTODIAN, test: 'a policy and a trust file of a lower number' },
  },
  {
    id: 'copy-overwritten-unseen',
    bug: 'Whatever lies where a table should be copied to is left there and taken for the copy.',
    clause: 'C11',
    edits: [
      {
        in: 'putCopy',
        from: 'if (before.equals(bytes) || isSame(before)) return;',
        to: 'if (before.length > 0 || isSame(before)) return;',
      },
    ],
    killer: { file: CUSTODIAN, test: 'a table that was deleted or replaced never leads to a second draw' },
  },
  {
    id: 'one-retracts-alone',
    bug: 'One of two people who approved a publication takes it back alone.',
    clause: 'C16',
    edits: [
      {
        in: 'readPublished',
        from: 'const quorum = Math.max(attestation.required, quorumAt(gate));',
        to: 'const quorum = Math.min(1, attestation.required, quorumAt(gate));',
      },
      { in: 'requireDecisions', from: 'required = Math.max(required, decision.predicate.required);', to: '' },
    ],
    killer: { file: 'retract.test.ts', test: 'nothing is retracted with too few signatures' },
  },
  {
    id: 'older-window-shown',
    bug: 'The pointer of a series goes back to an older window when that is published late, or again.',
    clause: 'C16',
    edits: [{ in: 'moveLatest', from: 'if (current !== null && !isBefore(current, release)) return null;', to: '' }],
    killer: { file: 'latest.test.ts', test: 'the pointer shows the newest window' },
  },
  {
    id: 'decision-in-the-name-of-another',
    bug: 'A decision counts for the person whom it names, whoever has signed it.',
    clause: 'C16',
    edits: [
      {
        in: 'signerOf',
        from: 'const signer = own.find((one) => isSignedWith(envelope, one));',
        to: 'const signer = own.find((one) => isSignedWith(envelope, one)) ?? own[0];',
      },
    ],
    killer: { file: 'decide.test.ts', test: 'a record that was planted is not believed' },
  },
];
