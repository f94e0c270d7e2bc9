import type { Mutant } from './mutant.ts';

const ROUNDS = 'test/attack/rounds.test.ts';
const ENDED = 'test/attack/ended-releases.test.ts';
const CUSTODIAN = 'test/attack/custodian.test.ts';
const PUBLISH = 'activities/public/publish.test.ts';
const STACK = 'test/attack/attack.test.ts';

/** A defence of docs/security.md is taken out, and the attack on it gets through. */
export const ATTACK_MUTANTS: Mutant[] = [
  {
    id: 'web-page-starts-releases',
    bug: 'Any web page in the browser of an operator starts and ends releases of the embedded stack.',
    clause: 'C11a',
    edits: [
      {
        file: 'worker/embedded/temporal-server.ts',
        from: 'frontend.httpAllowedHosts=[]',
        to: 'frontend.httpAllowedHosts=["*"]',
      },
    ],
    killer: { file: 'worker/embedded/temporal-server.test.ts', test: 'a web page starts no workflow' },
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
        file: 'activities/private/source/one-input.ts',
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
        file: 'activities/private/custody/ended-charge.ts',
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
];
