import type { Mutant } from './mutant.ts';

const ROUNDS = 'test/attack/rounds.test.ts';
const ENDED = 'test/attack/ended-releases.test.ts';
const CUSTODIAN = 'test/attack/custodian.test.ts';
const PUBLISH = 'activities/public/publish.test.ts';
const PLAN = 'activities/public/plan.test.ts';
const PLAN_RUN = 'client/release/plan-run.test.ts';
const STACK = 'test/attack/attack.test.ts';

/** A defence of docs/security.md is taken out, and the attack on it gets through. */
export const ATTACK_MUTANTS: Mutant[] = [
  {
    id: 'web-page-starts-releases',
    bug: 'Any web page in the browser of an operator starts and ends releases of the embedded stack.',
    clause: 'C11a',
    edits: [
      {
        file: 'stack/temporal-server.ts',
        from: 'frontend.httpAllowedHosts=[]',
        to: 'frontend.httpAllowedHosts=["*"]',
      },
    ],
    killer: { file: 'stack/temporal-server.test.ts', test: 'a web page starts no workflow' },
  },
  {
    id: 'counted-before-a-charge',
    bug: 'Whoever asks has rows counted, though nothing was charged.',
    clause: 'C11a',
    edits: [
      {
        file: 'activities/private/bin.ts',
        from: "import { charged, requireCharged } from './custody/standing.ts';",
        to: "import { admitted } from './custody/admission.ts';",
      },
      {
        file: 'activities/private/bin.ts',
        from: '  const release = await charged(context, input);\n  requireCharged(release, input.partitions);\n',
        to: '  const release = await admitted(context, input);\n',
      },
    ],
    killer: { file: STACK, test: 'before a charge the private worker tells names of objects' },
  },
  {
    id: 'rounds-mixed',
    bug: 'Partitions of one release are drawn from two deliveries of an object that feeds both.',
    clause: 'C11',
    edits: [
      {
        file: 'custodian/source/one-input.ts',
        from: 'meet(fed, [partition]) && meet(fed, drawn)',
        to: 'meet(fed, [partition]) && drawn.length < 0',
      },
    ],
    killer: { file: ROUNDS, test: 'a second ingest that is no retry' },
    quick: true,
  },
  {
    id: 'rounds-mixed-at-once',
    bug: 'Rounds are compared before the draw record is written alone, so that two draws at once do not see each other.',
    clause: 'C11',
    edits: [
      {
        file: 'activities/private/privatize.ts',
        from: '  await requireOneInput(context, release, input); // of two draws at once, one sees the other’s record\n',
        to: '',
      },
    ],
    killer: { file: ROUNDS, test: 'two draws at once' },
  },
  {
    id: 'withdrawn-and-published',
    bug: 'A release that was withdrawn after its approvals is published by whoever calls publish.',
    clause: 'C16',
    edits: [
      {
        file: 'activities/public/publish.ts',
        from: "entry.kind === 'withhold' && entry.charge === manifest.charge",
        to: "entry.kind === 'withhold' && entry.charge === ''",
      },
    ],
    killer: { file: ENDED, test: 'a release that was withdrawn, rejected or cancelled' },
  },
  {
    id: 'embargo-of-the-workflow-alone',
    bug: 'Nobody but the workflow looks at the day of publication.',
    clause: 'C16',
    edits: [{ file: 'activities/public/publish.ts', from: 'day !== null && now()', to: "day === '' && now()" }],
    killer: { file: ENDED, test: 'nothing is published before its day' },
  },
  {
    id: 'commit-of-anybody',
    bug: 'The ledger says that a release was published on the word of whoever asks.',
    clause: 'C12',
    edits: [
      {
        file: 'activities/private/commit.ts',
        from: ' || signingKeys(envelope, keys).size === 0)',
        to: ' || keys.length > sequence)',
      },
    ],
    killer: { file: CUSTODIAN, test: 'when a publisher has signed just that, and then no withhold' },
  },
  {
    id: 'withheld-after-commit',
    bug: 'The ledger says of a published release that nothing was published.',
    clause: 'C12',
    edits: [
      {
        file: 'custodian/custody/ended-charge.ts',
        from: "if (standing?.kind === 'commit' && end.kind === 'withhold')",
        to: "if (standing?.kind === 'commit' && end.kind === 'withhold') return { ...end, charge, release };\n    if (standing === null)",
      },
    ],
    killer: { file: CUSTODIAN, test: 'when a publisher has signed just that, and then no withhold' },
  },
  {
    id: 'published-once-and-never-again',
    bug: 'A release that is public fails when another execution of it is approved by others.',
    clause: 'C16',
    edits: [
      {
        file: 'activities/public/publish.ts',
        from: '  const statement = requireAttested(believed, input, manifest, attested);',
        to: "  if (!attested.equals(attestation)) throw refusal('it is public');\n  const statement = requireAttested(believed, input, manifest, attested);",
      },
    ],
    killer: { file: PUBLISH, test: 'what another execution of the release has published is done' },
  },
  {
    id: 'missing-publication-not-seen',
    bug: 'A release is public when Temporal says so.',
    clause: 'C16',
    edits: [
      {
        file: 'client/release/publications.ts',
        from: '(await readSeriesRelease(store, release, await trust())) !== null;',
        to: '(await readSeriesRelease(store, release, await trust())) !== undefined;',
      },
    ],
    killer: {
      file: 'test/fault/restored-temporal.test.ts',
      test: 'that Temporal says is public, and that is not there',
    },
  },
  {
    id: 'unsigned-publications-compared',
    bug: 'The audit compares with publications that no publisher of the trust file signed.',
    clause: 'C15',
    edits: [
      {
        file: 'services/series-pages/series-release.ts',
        from: 'if (trust) ensurePublisher(trust, charged, attestation.publisher);',
        to: 'if (trust && release.version < 0) ensurePublisher(trust, charged, attestation.publisher);',
      },
    ],
    killer: {
      file: 'kinds/taps/public/audit-subject/past.test.ts',
      test: 'what no publisher of the trust file signed',
    },
  },
  {
    id: 'changed-file-fails-for-ever',
    bug: 'A staged file that was changed ends an approved release for ever.',
    clause: 'C16',
    edits: [
      {
        file: 'activities/public/publish.ts',
        from: "'COPY_DIFFERS',\n    `The staged file ",
        to: "'VERIFICATION_FAILED',\n    `The staged file ",
      },
    ],
    killer: { file: PUBLISH, test: 'what was changed in a store stalls a release' },
  },
  {
    id: 'declaration-of-anybody',
    bug: 'A release is audited again under a declaration that anybody signed.',
    clause: 'C15',
    edits: [
      {
        file: 'activities/public/reaudit.ts',
        from: 'policy?.signers.find(isSignedBy)',
        to: 'policy?.signers.find(() => signatures.length > 0)',
      },
    ],
    killer: { file: 'activities/public/reaudit.test.ts', test: 'when a key of the policy has signed it' },
  },
  {
    id: 'number-of-a-stranger',
    bug: 'The number of a signature counts whoever made it.',
    clause: 'C11a',
    edits: [
      {
        file: 'services/orders/series-signature.ts',
        from: 'await seriesSignatures(store, series, isOwnKey)',
        to: 'await seriesSignatures(store, series)',
      },
    ],
    killer: { file: PLAN_RUN, test: 'a number that a stranger signed counts for nothing' },
  },
  {
    id: 'hidden-behind-junk',
    bug: 'A thousand objects of strangers hide a signature and an order.',
    clause: 'C11a',
    edits: [
      {
        file: 'services/signing/signed-objects.ts',
        from: 'mapAtOnce(keys, AT_ONCE',
        to: 'mapAtOnce(keys.slice(0, 1000), AT_ONCE',
      },
    ],
    killer: { file: PLAN_RUN, test: 'are found behind thousands of objects of others' },
  },
  {
    id: 'future-windows-marked',
    bug: 'Whoever may schedule a plan marks windows of the future as run.',
    clause: 'C11a',
    edits: [
      {
        file: 'activities/public/plan.ts',
        from: '  await requireReady(context, run, series);\n',
        to: '',
      },
    ],
    killer: { file: PLAN, test: 'no window of the future is marked' },
  },
  {
    id: 'mark-of-anybody-stands',
    bug: 'A mark that anybody put there keeps a release out that was never charged.',
    clause: 'C11a',
    edits: [
      {
        file: 'activities/public/plan.ts',
        from: '    if (entries.some((entry) =>',
        to: '    if (entries.length > -1 || entries.some((entry) =>',
      },
    ],
    killer: { file: PLAN, test: 'a mark that anybody put there' },
  },
  {
    id: 'unsigned-publication-retracted',
    bug: 'What anybody has put into the publication store can be retracted, under the name of the publisher.',
    clause: 'C16',
    edits: [{ file: 'services/release/published.ts', from: 'run, await context.trust())', to: 'run, null)' }],
    killer: {
      file: 'activities/public/retract.test.ts',
      test: 'what no publisher of the trust file signed is not retracted',
    },
    quick: true,
  },
];
