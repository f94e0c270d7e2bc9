import type { Mutant } from './mutant.ts';

const PAGES = 'update-pages.test.ts';

/** Something of another build is read as one's own, or a ledger begins at zero beside it. */
export const GENERATION_MUTANTS: Mutant[] = [
  {
    id: 'decision-of-any-type',
    bug: 'A decision counts whatever type it was signed as, so that what was signed for another purpose is an approval.',
    clause: 'C16',
    edits: [{ in: 'decisionSchema', from: 'z.literal(DECISION_TYPE)', to: 'z.string()' }],
    killer: { file: 'decide.test.ts', test: 'a decision of a type that was given up' },
  },
  {
    id: 'retired-name-again',
    bug: 'A form takes a name under which something else was signed before.',
    clause: 'C16',
    edits: [{ in: 'MANIFEST_FORMAT', from: "'opaline-manifest/5'", to: "'opaline-manifest/1'" }],
    killer: { file: 'forms.test.ts', test: 'no format of production has a name that was given up' },
    quick: true,
  },
  {
    id: 'tombstone-of-anybody',
    bug: 'A tombstone counts that names the publisher and is not signed by it, and the publisher signs it into the head.',
    clause: 'C16',
    edits: [
      {
        in: 'ensureTombstone',
        from: "ensure(isSignedBy(publisher.envelope, publisher.publicKey), 'No publisher has signed the tombstone.');",
        to: '',
      },
    ],
    killer: { file: PAGES, test: 'C16: a tombstone that its publisher did not sign' },
  },
  {
    id: 'site-lists-strangers',
    bug: 'Pages that a reader makes with a trust file list releases of publishers that it does not name.',
    clause: 'C16',
    edits: [
      { in: 'readSeriesRelease', from: 'if (trust) ensurePublisher(trust, place, attestation.publisher);', to: '' },
    ],
    killer: { file: PAGES, test: 'C16: anyone who makes the pages with a trust file' },
  },
  {
    id: 'unknown-form-is-broken',
    bug: 'An entry of another build is called a damaged one, so that people put a backup back instead of a takeover.',
    clause: 'C12',
    edits: [{ in: 'extend', from: 'formatIn(bytes) !== LEDGER_FORMAT', to: "formatIn(bytes) === ''" }],
    killer: { file: 'ledger.test.ts', test: 'C12: an entry of an older form is behind' },
  },
  {
    id: 'ledger-begins-beside-charges',
    bug: 'An empty ledger begins at zero though copies or staged manifests say that something was charged.',
    clause: 'C12',
    edits: [
      { in: 'lookAt', from: '(ledger.tip === null ? await whyNotEmpty(context, population) : null)', to: 'null' },
    ],
    killer: { file: 'unknown-forms.test.ts', test: 'C12: a mark alone, or a staged manifest of any form' },
  },
  {
    id: 'ledger-begins-beside-publications',
    bug: 'A series that was published before is charged in a ledger that holds none of it.',
    clause: 'C12',
    edits: [{ in: 'requireLedger', from: 'ledger.tip !== null', to: 'ledger.tip === null' }],
    killer: { file: 'public/plan.test.ts', test: 'C12: a series with publications and an empty ledger' },
  },
  {
    id: 'takeover-of-the-first-part',
    bug: 'A takeover charges the first part of a population alone, so that the others may be drawn again.',
    clause: 'C12',
    edits: [
      {
        in: 'takeoverOfShown',
        from: 'near.flatMap((group) => group.parts)',
        to: 'near.flatMap((group) => group.parts.slice(0, 1))',
      },
    ],
    killer: { file: 'takeover-order.test.ts', test: '@contract C12: charges that are taken over' },
  },
];
