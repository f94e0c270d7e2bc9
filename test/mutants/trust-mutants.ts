import type { Mutant } from './mutant.ts';

const PUBLISH = 'activities/public/publish.test.ts';
const DECIDE = 'activities/public/decide.test.ts';
const VERIFY = 'client/verify/verify-publication.test.ts';
const CHAIN = 'activities/trust/trust-chain.test.ts';

/** Somebody is believed who should not be. */
export const TRUST_MUTANTS: Mutant[] = [
  {
    id: 'version-signed-by-its-own-roots',
    bug: 'A version of the trust file is checked against the roots that it names itself, so that anybody can write the next one.',
    clause: 'C16',
    edits: [{ file: 'activities/trust/trust-chain.ts', from: '(before ?? version).roots;', to: 'version.roots;' }],
    killer: { file: CHAIN, test: 'look-alike: a second version signed by its own roots alone' },
  },
  {
    id: 'pin-not-looked-at',
    bug: 'A worker takes whatever trust file lies there, the pin of its deployment or not.',
    clause: 'C16',
    edits: [
      {
        file: 'activities/trust/trust-file.ts',
        from: 'if (configuration.pin) requirePin(chain, configuration.pin);',
        to: '',
      },
    ],
    killer: { file: 'activities/trust/trust-file.test.ts', test: 'the reader of a deployment follows the file' },
  },
  {
    id: 'demo-keys-taken',
    bug: 'A worker takes the keys of a trial, which anybody on that computer has.',
    clause: 'C16',
    edits: [
      {
        file: 'activities/trust/trust-file.ts',
        from: '.demo && !allowDemoKeys',
        to: '.demo && allowDemoKeys === null',
      },
    ],
    killer: { file: 'activities/trust/trust-file.test.ts', test: 'the reader of a deployment follows the file' },
  },
  {
    id: 'key-of-two-people',
    bug: 'One key stands under two names, so that one person approves twice.',
    clause: 'C16',
    edits: [
      { file: 'activities/trust/trust-chain.ts', from: 'new Set(ids).size < ids.length', to: 'new Set(ids).size < 1' },
    ],
    killer: { file: CHAIN, test: 'a version with an approver with the key of another' },
  },
  {
    id: 'key-of-small-order',
    bug: 'A point of small order is taken for a key: a signature under it holds for texts that nobody signed.',
    clause: 'C16',
    edits: [{ file: 'activities/signing/curve-point.ts', from: ' && !SMALL_ORDER.has(y)', to: '' }],
    killer: { file: 'activities/signing/curve-point.test.ts', test: 'y = ' },
  },
  {
    id: 'retired-key-believed',
    bug: 'A key that was retired is believed for what came after it.',
    clause: 'C16',
    edits: [
      {
        file: 'activities/trust/trusted-keys.ts',
        from: ' && sequence <= (interval?.until ?? Number.MAX_SAFE_INTEGER)',
        to: '',
      },
    ],
    killer: { file: DECIDE, test: 'with ada until before' },
  },
  {
    id: 'tip-of-the-past',
    bug: 'A decision may name a tip from before the charge of its release, as the thief of a retired key would.',
    clause: 'C16',
    edits: [{ file: 'activities/decisions/gate.ts', from: 'predicate.ledger.sequence < gate.chargedAt || ', to: '' }],
    killer: { file: DECIDE, test: 'C16: a tip from before the charge is refused' },
  },
  {
    id: 'series-edited-in-its-place',
    bug: 'A stored series file is believed by its name, so that one that was edited to a greater ε runs.',
    clause: 'C16',
    edits: [
      {
        file: 'activities/stores/series-objects.ts',
        from: 'if (RELEASE_KEYS.series(series.series, sha256(bytes)) === key) return frozen(series);',
        to: 'if (key !== sha256(bytes)) return frozen(series);',
      },
    ],
    killer: { file: 'activities/public/plan.test.ts', test: 'a stored series file that was edited in its place' },
  },
  {
    id: 'receipt-of-anybody',
    bug: 'A privatized table is taken with a receipt that anybody has signed.',
    clause: 'C11',
    edits: [
      {
        file: 'activities/draws/draw-receipt.ts',
        from: 'if (signingKeys(envelope, keysValidAt(newestVersion(trust).ledgers, place)).size > 0) return receipt;',
        to: 'if (keysValidAt(newestVersion(trust).ledgers, place).length > 0) return receipt;',
      },
    ],
    killer: { file: PUBLISH, test: 'C11, C16: with a receipt that a stranger signed' },
  },
  {
    id: 'receipt-of-another-table',
    bug: 'The receipt of one table is taken for another.',
    clause: 'C11',
    edits: [{ file: 'activities/draws/draw-receipt.ts', from: 'receipt.table === digest && ', to: '' }],
    killer: { file: PUBLISH, test: 'C11, C16: with a receipt of other bytes' },
  },
  {
    id: 'carried-without-receipt',
    bug: 'A correction carries a table over that nobody signed.',
    clause: 'C11',
    edits: [
      {
        file: 'activities/public/carry.ts',
        from: 'await requireCarriable(releaseStore, believed, earlier, draw);',
        to: '',
      },
    ],
    killer: { file: 'activities/public/carry.test.ts', test: 'a table which is not the one of the receipt' },
  },
  {
    id: 'files-looked-at-one-by-one',
    bug: 'Staged files are looked at when they are copied, so that the first ones are public when a later one is found changed.',
    clause: 'C16',
    edits: [
      {
        file: 'activities/public/publish.ts',
        from: 'for (const { name } of manifest.files) await readStaged(context, manifest, name);',
        to: '',
      },
    ],
    killer: { file: PUBLISH, test: 'C11, C16: with another byte in a staged file' },
  },
  {
    id: 'required-of-the-attestation-alone',
    bug: 'How many approvals are needed stands on the word of the publisher, so that one is enough for a publication of two people.',
    clause: 'C16',
    edits: [
      {
        file: 'client/verify/checks.ts',
        from: 'Math.max(required, ...approvals.map(({ envelope }) => readDecision(envelope).predicate.required))',
        to: 'required',
      },
    ],
    killer: { file: VERIFY, test: 'one approval under an attestation that asks for one' },
  },
  {
    id: 'strangers-verify',
    bug: 'A reader who names a trust file is not told that the keys of a publication are not in it.',
    clause: 'C16',
    edits: [
      {
        file: 'client/verify/verify-publication.ts',
        from: 'trust === null ? [] : trustChecks(trust);',
        to: 'trust === null ? trustChecks([]) : [];',
      },
    ],
    killer: { file: VERIFY, test: "a stranger's whole forgery" },
  },
  {
    id: 'separators-not-counted',
    bug: 'SHA256SUMS may be written in other ways, so that two texts stand for one publication.',
    clause: 'C10',
    edits: [{ file: 'client/verify/checks.ts', from: 'text === checksumLines(listed)', to: "text !== ''" }],
    killer: { file: VERIFY, test: 'another separator in the checksums' },
  },
  {
    id: 'terminal-obeys-names',
    bug: 'A name in a publication moves the cursor of whoever verifies it, or turns its text around.',
    clause: 'C16',
    edits: [{ file: 'core/text/plain-text.ts', from: 'const UNSHOWN = /[\\p{Cc}', to: 'const UNSHOWN = /[' }],
    killer: { file: 'core/text/plain-text.test.ts', test: 'no character that a terminal obeys' },
  },
];
