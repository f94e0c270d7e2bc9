import type { Mutant } from './mutant.ts';

const ROUNDS = 'rounds.test.ts';
const ENDED = 'ended-releases.test.ts';
const CUSTODIAN = 'custodian.test.ts';
const PUBLISH = 'publish.test.ts';
const PLAN = 'public/plan.test.ts';
const PLAN_RUN = 'plan-run.test.ts';
const STACK = 'attack.test.ts';

/** A defence of docs/security.md is taken out, and the attack on it gets through. */
export const ATTACK_MUTANTS: Mutant[] = [
  {
    id: 'web-page-starts-releases',
    bug: 'Any web page in the browser of an operator starts and ends releases of the embedded stack.',
    clause: 'C11a',
    edits: [{ in: 'noHttpHosts', from: "'frontend.httpAllowedHosts=[]'", to: '\'frontend.httpAllowedHosts=["*"]\'' }],
    killer: { file: 'temporal-server.test.ts', test: 'a web page starts no workflow' },
  },
  {
    id: 'counted-before-a-charge',
    bug: 'Whoever asks has rows counted, though nothing was charged.',
    clause: 'C11a',
    edits: [
      {
        in: 'bin',
        from: `const release = await admitCharged(context, input);
  requireCharged(release, input.partitions);`,
        to: 'const release = await admit(context, input);',
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
        in: 'requireOneInput',
        from: 'meet(reach, [partition]) && meet(reach, draws)',
        to: 'meet(reach, [partition]) && draws.length < 0',
      },
    ],
    killer: { file: ROUNDS, test: 'two rounds that were counted before any draw are not mixed' },
    quick: true,
  },
  {
    id: 'rounds-mixed-at-once',
    bug: 'Rounds are compared before the draw record is written alone, so that two draws at once do not see each other.',
    clause: 'C11',
    edits: [
      {
        in: 'drawNow',
        from: `await requireOneInput(context, release, input);
  const bytes = encodeDraw(context.build, await counts.draw());`,
        to: 'const bytes = encodeDraw(context.build, await counts.draw());',
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
        in: 'requireOffered',
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
    edits: [{ in: 'requireOffered', from: 'day !== null', to: "day === ''" }],
    killer: { file: ENDED, test: 'nothing is published before its day' },
  },
  {
    id: 'commit-of-anybody',
    bug: 'The ledger says that a release was published on the word of whoever asks.',
    clause: 'C12',
    edits: [{ in: 'commit', from: 'findSigners(envelope, keys).size === 0', to: 'keys.length > sequence' }],
    killer: { file: CUSTODIAN, test: 'when a publisher has signed just that, and then no withhold' },
  },
  {
    id: 'withheld-after-commit',
    bug: 'The ledger says of a published release that nothing was published.',
    clause: 'C12',
    edits: [
      {
        in: 'endCharge',
        from: "if (before?.kind === 'commit' && end.kind === 'withhold') $refuse;",
        to: `if (before?.kind === 'commit' && end.kind === 'withhold') return { ...end, charge, release };
if (before === null) $refuse;`,
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
        in: 'publish',
        from: 'const statement = requireAttested(grounds, input, manifest, object);',
        to: `if (!object.equals(attestation)) throw refusal('it is public');
  const statement = requireAttested(grounds, input, manifest, object);`,
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
        in: 'findPublication',
        from: 'entry !== null',
        to: 'entry !== undefined',
      },
    ],
    killer: {
      file: 'restored-temporal.test.ts',
      test: 'that Temporal says is public, and that is not there',
    },
  },
  {
    id: 'unsigned-publications-compared',
    bug: 'The audit compares with publications that no publisher of the trust file signed.',
    clause: 'C15',
    edits: [
      {
        in: 'readSeriesRelease',
        from: 'if (trust) ensurePublisher(trust, place, attestation.publisher);',
        to: 'if (trust && release.version < 0) ensurePublisher(trust, place, attestation.publisher);',
      },
    ],
    killer: {
      file: 'past.test.ts',
      test: 'what no publisher of the trust file signed',
    },
  },
  {
    id: 'changed-file-fails-for-ever',
    bug: 'A staged file that was changed ends an approved release for ever.',
    clause: 'C16',
    edits: [{ in: 'fileError', from: "'COPY_DIFFERS'", to: "'VERIFICATION_FAILED'" }],
    killer: { file: PUBLISH, test: 'what was changed in a store stalls a release' },
  },
  {
    id: 'declaration-of-anybody',
    bug: 'A release is audited again under a declaration that anybody signed.',
    clause: 'C15',
    edits: [
      {
        in: 'signerOf',
        from: 'policy?.signers.find(isSignedBy)',
        to: 'policy?.signers.find(() => signatures.length > 0)',
      },
    ],
    killer: { file: 'reaudit.test.ts', test: 'when a key of the policy has signed it' },
  },
  {
    id: 'number-of-a-stranger',
    bug: 'The number of a signature counts whoever made it.',
    clause: 'C11a',
    edits: [
      {
        in: 'nextNumber',
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
        in: 'readBelow',
        from: 'mapAtOnce(keys, AT_ONCE, $read)',
        to: 'mapAtOnce(keys.slice(0, 1000), AT_ONCE, $read)',
      },
    ],
    killer: { file: PLAN_RUN, test: 'are found behind thousands of objects of others' },
  },
  {
    id: 'future-windows-marked',
    bug: 'Whoever may schedule a plan marks windows of the future as run.',
    clause: 'C11a',
    edits: [{ in: 'plan', from: 'await requireReady(context, run, series);', to: '' }],
    killer: { file: PLAN, test: 'no window of the future is marked' },
  },
  {
    id: 'mark-of-anybody-stands',
    bug: 'A mark that anybody put there keeps a release out that was never charged.',
    clause: 'C11a',
    edits: [
      {
        in: 'markExecution',
        from: 'reserveOfRelease(entries, run)',
        to: 'entries.length > -1 || reserveOfRelease(entries, run)',
      },
    ],
    killer: { file: PLAN, test: 'a mark that anybody put there' },
  },
  {
    id: 'unsigned-publication-retracted',
    bug: 'What anybody has put into the publication store can be retracted, under the name of the publisher.',
    clause: 'C16',
    edits: [{ in: 'readPublished', from: 'await context.trust()', to: 'null' }],
    killer: {
      file: 'retract.test.ts',
      test: 'what no publisher of the trust file signed is not retracted',
    },
  },
];
