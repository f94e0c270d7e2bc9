import type { Mutant } from './mutant.ts';

const DRAW_ONCE = 'test/fault/draw-once.test.ts';
const EVERY = 'test/fault/every-activity.test.ts';
const CHARGES = 'test/fault/charges.test.ts';
const LEDGER = 'services/ledger/ledger.test.ts';

const CUSTODIAN = 'test/attack/custodian.test.ts';

/** Drawn twice, charged twice, or not charged at all. */
export const ONCE_MUTANTS: Mutant[] = [
  {
    id: 'second-noise-in-the-activity',
    bug: 'The activity adds a tap to some cells after they were drawn; the mechanism by itself is as it should be.',
    clause: 'C15',
    edits: [
      {
        file: 'activities/private/privatize.ts',
        from: '  return drawOnce(context, release, {',
        to: `  const counts = async (...asked) => {
    const honest = await release.kind.counts(...asked);
    const draw = async () => {
      const table = JSON.parse(String(await honest.draw()));
      for (const cell of table.cells) cell[3] += Math.round(Math.random());
      return jsonBytes(table);
    };
    return { ...honest, draw };
  };
  return drawOnce(context, { ...release, kind: { ...release.kind, counts } }, {`,
      },
    ],
    killer: { file: 'kinds/taps/private/shadow.test.ts', test: 'what the stage does between the draw and the store' },
  },
  {
    id: 'drawn-again-on-retry',
    bug: 'A retry draws again and answers with its own draw.',
    clause: 'C11',
    edits: [
      {
        file: 'activities/private/privatize.ts',
        from: 'return putOnce(context.privateStore, PRIVATE_KEYS.privatized(input, input.partition), await counts.draw());',
        to: 'return counts.draw().then((bytes) => putOnce(context.privateStore, PRIVATE_KEYS.privatized(input, input.partition), bytes).then(() => bytes));',
      },
      {
        file: 'activities/private/privatize.ts',
        from: 'known ?? (await drawnNow(context, release, input))',
        to: 'await drawnNow(context, release, input)',
      },
    ],
    killer: { file: EVERY, test: 'run twice, and all of them a third time' },
  },
  {
    id: 'loser-keeps-its-own-draw',
    bug: 'Of two that write at once, the one that lost goes on with what it had.',
    clause: 'C11',
    edits: [
      {
        file: 'services/stores/json-objects.ts',
        from: "return outcome === 'created' ? Buffer.from(bytes) : readBytes(store, key);",
        to: 'return outcome ? Buffer.from(bytes) : readBytes(store, key);',
      },
    ],
    killer: { file: DRAW_ONCE, test: '50 rounds: one table is written' },
  },
  {
    id: 'drawn-before-it-is-recorded',
    bug: 'The record that ties a release to its input is written after the draw, or not at all when the process stops.',
    clause: 'C11',
    edits: [
      {
        file: 'activities/private/privatize.ts',
        from: '  await recordDraw(context, release, input, counts.input);\n  await requireOneInput(context, release, input); // of two draws at once, one sees the other’s record\n  return putOnce(context.privateStore, PRIVATE_KEYS.privatized(input, input.partition), await counts.draw());',
        to: '  const bytes = await putOnce(context.privateStore, PRIVATE_KEYS.privatized(input, input.partition), await counts.draw());\n  await recordDraw(context, release, input, counts.input);\n  return bytes;',
      },
    ],
    killer: { file: DRAW_ONCE, test: 'a process that is not killed writes the charge, a record and a table' },
  },
  {
    id: 'store-that-overwrites',
    bug: 'A file is put in place by rename, which overwrites silently, after a look whether it is there.',
    clause: 'put-once',
    edits: [
      {
        file: 'services/stores/folder-store.ts',
        from: '() => link(from, to)',
        to: '() => rename(from, to)',
      },
    ],
    killer: { file: 'services/stores/folder-store.test.ts', test: 'racing writers exactly one wins' },
  },
  {
    id: 'lost-swap-told-as-won',
    bug: 'Who loses the race for the next generation of a mutable object is told that the swap was made.',
    clause: 'swap-once',
    edits: [
      {
        file: 'services/stores/folder-store.ts',
        from: "if (outcome === 'exists') return false;",
        to: "if (outcome === 'exists') return true;",
      },
    ],
    killer: { file: 'services/stores/folder-store.test.ts', test: 'swap-once: of' },
  },
  {
    id: 'mark-with-a-clock',
    bug: 'The mark that a release has run holds the time, so that a retry takes its own mark for that of another run.',
    clause: 'safe-to-retry',
    edits: [
      {
        file: 'activities/public/plan.ts',
        from: 'jsonBytes({ execution })',
        to: 'jsonBytes({ execution, at: performance.now() })',
      },
    ],
    killer: { file: EVERY, test: 'run twice, and all of them a third time' },
  },
  {
    id: 'repeated-charge-charged-again',
    bug: 'A reserve that is repeated is charged again (seen in a public budget manager).',
    clause: 'C12',
    edits: [
      {
        file: 'custodian/custody/standing.ts',
        from: "entry.kind === 'reserve' && entry.release === release",
        to: "entry.kind === 'reserve' && entry.release === release.toUpperCase()",
      },
      {
        file: 'activities/private/reserve.ts',
        from: "entry.kind === 'reserve' && entry.release === release",
        to: "entry.kind === 'reserve' && entry.release === release.toUpperCase()",
      },
    ],
    killer: { file: CHARGES, test: 'a reserve that is repeated gives the charge that is there' },
    quick: true,
  },
  {
    id: 'charge-ended-twice',
    bug: 'A commit that is repeated is written again.',
    clause: 'C12',
    edits: [
      {
        file: 'custodian/custody/ended-charge.ts',
        from: 'return standing ? null : { ...end, charge, release };',
        to: 'return { ...end, charge, release };',
      },
    ],
    killer: { file: EVERY, test: 'run twice, and all of them a third time' },
  },
  {
    id: 'check-then-append',
    bug: 'Whoever loses the race for a place in the ledger believes that it was written (check-then-append).',
    clause: 'C12',
    edits: [
      {
        file: 'services/ledger/ledger.ts',
        from: "if ((await store.putIfAbsent(key, bytes)) !== 'created') continue;",
        to: 'await store.putIfAbsent(key, bytes);',
      },
    ],
    killer: { file: LEDGER, test: 'twenty writers at once lose and double nothing' },
  },
  {
    id: 'cap-not-asked',
    bug: 'Charges are written down, and nobody asks the caps.',
    clause: 'C12',
    edits: [
      {
        file: 'activities/private/reserve.ts',
        from: 'refusal = overCap(before, draft);',
        to: 'refusal = overCap([], draft);',
      },
    ],
    killer: { file: CHARGES, test: 'a charge over the cap of a block is refused' },
  },
  {
    id: 'refund-of-withheld-charges',
    bug: 'A charge that was withheld is given back, though its draws may exist.',
    clause: 'C12',
    edits: [
      {
        file: 'core/ledger/budget.ts',
        from: "if (entry.kind === 'reserve') return [entry];",
        to: "if (entry.kind === 'reserve') return entries.some((other) => other.kind === 'withhold' && other.charge === entry.charge) ? [] : [entry];",
      },
    ],
    killer: { file: 'core/ledger/budget.test.ts', test: 'a withheld charge stays spent' },
  },
  {
    id: 'ledger-delta-uncapped',
    bug: 'The caps look at δ only when ε is over: δ alone is never too much.',
    clause: 'C12',
    edits: [
      {
        file: 'core/ledger/budget.ts',
        from: 'if (compare(total.delta, cap.delta) > 0)',
        to: 'if (compare(total.epsilon, cap.epsilon) > 0 && compare(total.delta, cap.delta) > 0)',
      },
    ],
    killer: { file: 'core/ledger/budget.test.ts', test: 'is held against the cap of a block' },
    quick: true,
  },
  {
    id: 'ledger-year-delta-uncapped',
    bug: 'The cap over 365 days holds ε and lets any δ through.',
    clause: 'C12',
    edits: [
      {
        file: 'core/ledger/budget.ts',
        from: 'exceeds(yearPeak([...charged, draft], days), amountOf(draft.caps.year))',
        to: 'exceeds({ ...yearPeak([...charged, draft], days), delta: ZERO }, amountOf(draft.caps.year))',
      },
    ],
    killer: { file: 'core/ledger/budget.test.ts', test: 'is held against the cap over 365 days' },
  },
  {
    id: 'chain-not-checked',
    bug: 'Entries of the ledger can be altered: nobody looks at the digest of the one before.',
    clause: 'C12',
    edits: [{ file: 'services/ledger/ledger.ts', from: 'entry.previous === tip;', to: 'entry.sequence > 0;' }],
    killer: { file: LEDGER, test: 'the chain breaks on an altered entry' },
  },
  {
    id: 'asynchronous-validator',
    bug: 'The validator of an Update is asynchronous: the SDK never awaits it, and it refuses nothing.',
    clause: 'C16',
    edits: [
      {
        file: 'workflows/requests.ts',
        from: 'validator: (...sent: unknown[]) => {',
        to: 'validator: async (...sent: unknown[]) => {',
      },
    ],
    killer: { file: 'test/tidy/style.test.ts', test: 'validators of Updates are synchronous' },
  },
  {
    id: 'signature-of-anybody',
    bug: 'A series file is run when anybody has signed it.',
    clause: 'C11a',
    edits: [
      {
        file: 'custodian/custody/admission.ts',
        from: "    isSignedByPolicy(policy, 'series', envelope),",
        to: "    policy !== null || isSignedByPolicy(policy, 'series', envelope),",
      },
    ],
    killer: { file: CUSTODIAN, test: 'a series file that no key of the policy has signed is not looked at' },
  },
  {
    id: 'told-without-a-charge',
    bug: 'Activities answer for a release that does not stand in the ledger.',
    clause: 'C11a',
    edits: [
      {
        file: 'activities/private/bin.ts',
        from: '  const release = await charged(context, input);\n  requireCharged(release, input.partitions);',
        to: '  const release = await charged(context, input).catch(() => admitted(context, input));\n  if ("charged" in release) requireCharged(release, input.partitions);',
      },
      {
        file: 'activities/private/bin.ts',
        from: "import type { PrivateContext } from './context.ts';",
        to: "import type { PrivateContext } from './context.ts';\nimport { admitted } from './custody/admission.ts';",
      },
    ],
    killer: { file: CUSTODIAN, test: 'before a charge, nothing is told of rows' },
  },
  {
    id: 'order-of-anybody',
    bug: 'An order that anybody has put into the release store is carried out.',
    clause: 'C11a',
    edits: [
      {
        file: 'custodian/custody/given-orders.ts',
        from: '&& isSignedByPolicy(policy.policy, power, envelope)',
        to: '&& (isSignedByPolicy(policy.policy, power, envelope) || power !== null)',
      },
    ],
    killer: { file: CUSTODIAN, test: 'sixty further versions are refused' },
  },
  {
    id: 'planted-copy-taken',
    bug: 'What lies where the private worker puts a copy is taken for the copy.',
    clause: 'C11',
    edits: [
      {
        file: 'custodian/custody/copies.ts',
        from: 'if (stored.equals(bytes) || isSame(stored)) return;',
        to: 'if (stored.length >= 0 || isSame(stored)) return;',
      },
    ],
    killer: { file: CUSTODIAN, test: 'a table that was planted before the draw is not taken' },
  },
  {
    id: 'mark-not-asked',
    bug: 'Nobody asks whether the ledger is as far as it was: both stores can be set back.',
    clause: 'C12',
    edits: [
      {
        file: 'custodian/custody/population-ledger.ts',
        from: 'const isLost = mark !== null &&',
        to: 'const isLost = mark === undefined && mark !== null &&',
      },
    ],
    killer: { file: CUSTODIAN, test: 'both stores set back are noticed by the mark of the worker' },
  },
];
