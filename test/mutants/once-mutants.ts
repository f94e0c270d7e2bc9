import type { Mutant } from './mutant.ts';

const DRAW_ONCE = 'draw-once.test.ts';
const EVERY = 'every-activity.test.ts';
const CHARGES = 'charges.test.ts';
const LEDGER = 'ledger.test.ts';

const CUSTODIAN = 'custodian.test.ts';

/** Drawn twice, charged twice, or not charged at all. */
export const ONCE_MUTANTS: Mutant[] = [
  {
    id: 'second-noise-in-the-activity',
    bug: 'The activity adds a tap to some cells after they were drawn; the mechanism by itself is as it should be.',
    clause: 'C15',
    edits: [
      {
        in: 'privatize',
        from: `return mapAtOnce(partitions, 1, ({ part, day }) =>
    drawOnce(context, release, { ...release.run, round, charge, partition: { part, day } }),
  );`,
        to: `const counts = async (...asked) => {
    const honest = await release.kind.counts(...asked);
    const draw = async () => {
      const table = JSON.parse(String(await honest.draw()));
      for (const cell of table.cells) cell[3] += Math.round(Math.random());
      return jsonBytes(table);
    };
    return { ...honest, draw };
  };
  const twice = { ...release, kind: { ...release.kind, counts } };
  return mapAtOnce(partitions, 1, ({ part, day }) =>
    drawOnce(context, twice, { ...release.run, round, charge, partition: { part, day } }),
  );`,
      },
    ],
    killer: { file: 'taps/shadow.test.ts', test: 'what the stage does between the draw and the store' },
  },
  {
    id: 'drawn-again-on-retry',
    bug: 'A retry draws again and answers with its own draw.',
    clause: 'C11',
    edits: [
      {
        in: 'drawNow',
        from: 'return putOnce(context.privateStore, PRIVATE_KEYS.privatized(input, input.partition), bytes);',
        to: 'return putOnce(context.privateStore, PRIVATE_KEYS.privatized(input, input.partition), bytes).then(() => bytes);',
      },
      {
        in: 'drawOnce',
        from: 'before ?? (await drawNow(context, release, input))',
        to: 'await drawNow(context, release, input)',
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
        in: 'putOnce',
        from: "outcome === 'created'",
        to: 'outcome',
      },
    ],
    killer: { file: DRAW_ONCE, test: 'rounds: one table is written' },
  },
  {
    id: 'drawn-before-it-is-recorded',
    bug: 'The record that ties a release to its input is written after the draw, or not at all when the process stops.',
    clause: 'C11',
    edits: [
      {
        in: 'drawNow',
        from: `await recordDraw(context, release, input, counts);
  await requireOneInput(context, release, input);
  const bytes = encodeDraw(context.build, await counts.draw());
  return putOnce(context.privateStore, PRIVATE_KEYS.privatized(input, input.partition), bytes);`,
        to: `const bytes = encodeDraw(context.build, await counts.draw());
  const first = await putOnce(context.privateStore, PRIVATE_KEYS.privatized(input, input.partition), bytes);
  await recordDraw(context, release, input, counts);
  return first;`,
      },
    ],
    killer: { file: DRAW_ONCE, test: 'a process that is not killed writes the charge, a record and a table' },
  },
  {
    id: 'store-that-overwrites',
    bug: 'A file is put in place by rename, which overwrites silently, after a look whether it is there.',
    clause: 'put-once',
    edits: [{ in: 'linkDurably', from: '() => link(from, to)', to: '() => rename(from, to)' }],
    killer: { file: 'folder-store.test.ts', test: 'racing writers exactly one wins' },
  },
  {
    id: 'lost-swap-told-as-won',
    bug: 'Who loses the race for the next generation of a mutable object is told that the swap was made.',
    clause: 'swap-once',
    edits: [
      {
        in: 'FolderStore.#claim',
        from: "if (outcome === 'exists') return false;",
        to: "if (outcome === 'exists') return true;",
      },
    ],
    killer: { file: 'folder-store.test.ts', test: 'swap-once: of' },
  },
  {
    id: 'mark-with-a-clock',
    bug: 'The mark that a release has run holds the time, so that a retry takes its own mark for that of another run.',
    clause: 'safe-to-retry',
    edits: [
      { in: 'executionMark', from: 'jsonBytes({ execution })', to: 'jsonBytes({ execution, at: performance.now() })' },
    ],
    killer: { file: EVERY, test: 'run twice, and all of them a third time' },
  },
  {
    id: 'repeated-charge-charged-again',
    bug: 'A reserve that is repeated is charged again (seen in a public budget manager).',
    clause: 'C12',
    edits: [
      {
        in: 'findReserve',
        from: 'reserveOfRelease(entries, run)',
        to: 'reserveOfRelease(entries, { ...run, series: run.series.toUpperCase() })',
      },
      {
        in: 'ownReserve',
        from: 'reserveOfRelease(entries, run)',
        to: 'reserveOfRelease(entries, { ...run, series: run.series.toUpperCase() })',
      },
    ],
    killer: { file: CHARGES, test: 'a reserve that is repeated gives the charge that is there' },
  },
  {
    id: 'charge-ended-twice',
    bug: 'A commit that is repeated is written again.',
    clause: 'C12',
    edits: [
      {
        in: 'endCharge',
        from: 'return before ? null : { ...end, charge, release };',
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
        in: 'appendToLedger',
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
    edits: [{ in: 'reserve', from: 'refusal = overCap(before, draft);', to: 'refusal = overCap([], draft);' }],
    killer: { file: CHARGES, test: 'a charge over the cap of a block is refused' },
  },
  {
    id: 'refund-of-withheld-charges',
    bug: 'A charge that was withheld is given back, though its draws may exist.',
    clause: 'C12',
    edits: [
      {
        in: 'listCharges',
        from: "if (entry.kind === 'reserve') return [{ ...entry, reserve: entry }];",
        to: "if (entry.kind === 'reserve') return entries.some((other) => other.kind === 'withhold' && other.charge === entry.charge) ? [] : [{ ...entry, reserve: entry }];",
      },
    ],
    killer: { file: 'budget.test.ts', test: 'a withheld charge stays spent' },
  },
  {
    id: 'ledger-delta-uncapped',
    bug: 'The caps look at δ only when ε is over: δ alone is never too much.',
    clause: 'C12',
    edits: [
      {
        in: 'exceeds',
        from: 'measuresOf(total, cap).find(({ pair: [spent, most] }) => compare(spent, most) > 0)',
        to: "measuresOf(total, cap).find(({ sign, pair: [spent, most] }) => sign !== 'δ' && compare(spent, most) > 0)",
      },
    ],
    killer: { file: 'budget.test.ts', test: 'is held against the cap of a block' },
    quick: true,
  },
  {
    id: 'ledger-year-delta-uncapped',
    bug: 'The cap over 365 days holds ε and lets any δ through.',
    clause: 'C12',
    edits: [
      {
        in: 'overCapOf',
        from: 'exceeds(yearPeak([...history, draft], draft.blocks), readCharged(draft.caps.year))',
        to: 'exceeds({ ...yearPeak([...history, draft], draft.blocks), delta: ZERO } as Charged, readCharged(draft.caps.year))',
      },
    ],
    killer: { file: 'budget.test.ts', test: 'is held against the cap over 365 days' },
  },
  {
    id: 'chain-not-checked',
    bug: 'Entries of the ledger can be altered: nobody looks at the digest of the one before.',
    clause: 'C12',
    edits: [{ in: 'extend', from: 'entry.previous === tip', to: 'entry.sequence > 0' }],
    killer: { file: LEDGER, test: 'the chain breaks on an altered entry' },
  },
  {
    id: 'asynchronous-validator',
    bug: 'The validator of an Update is asynchronous: the SDK never awaits it, and it refuses nothing.',
    clause: 'C16',
    edits: [
      {
        in: 'offerUpdate',
        from: '(...args: unknown[]) => { $body; }',
        to: 'async (...args: unknown[]) => { $body; }',
      },
    ],
    killer: { file: 'style.test.ts', test: 'validators of Updates are synchronous' },
  },
  {
    id: 'signature-of-anybody',
    bug: 'A series file is run when anybody has signed it.',
    clause: 'C11a',
    edits: [
      {
        in: 'newestNumber',
        from: "isSignedByPolicy(policy, 'series', envelope)",
        to: "policy !== null || isSignedByPolicy(policy, 'series', envelope)",
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
        in: 'bin',
        from: `const release = await admitCharged(context, input);
  requireCharged(release, input.partitions);`,
        to: `const release = await admitCharged(context, input).catch(() => admit(context, input));
  if ("charged" in release) requireCharged(release, input.partitions);`,
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
        in: 'ordersBelow',
        from: 'isSignedByPolicy(policy.policy, power, envelope)',
        to: '(isSignedByPolicy(policy.policy, power, envelope) || power !== null)',
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
        in: 'putCopy',
        from: 'if (before.equals(bytes) || isSame(before)) return;',
        to: 'if (before.length >= 0 || isSame(before)) return;',
      },
    ],
    killer: { file: CUSTODIAN, test: 'a table that was planted before the draw is not taken' },
  },
  {
    id: 'mark-not-asked',
    bug: 'Nobody asks whether the ledger is as far as it was: both stores can be set back.',
    clause: 'C12',
    edits: [{ in: 'gapOf', from: 'mark !== null', to: 'mark === undefined && mark !== null' }],
    killer: { file: CUSTODIAN, test: 'both stores set back are noticed by the mark of the worker' },
  },
  {
    id: 'purged-while-it-may-go-on',
    bug: 'What a release needs to go on is taken away when Temporal knows nothing of it, though its charge is open.',
    clause: 'C11',
    edits: [{ in: 'whyNeeded', from: "charge === 'open'", to: 'false' }],
    killer: { file: 'retention.test.ts', test: 'of a release whose charge has ended' },
  },
  {
    id: 'ledger-may-be-deleted',
    bug: 'The policy of the private bucket lets whoever has a right to delete take entries of the ledger away.',
    clause: 'C12',
    edits: [{ in: 'below', from: 'prefixes.map($each)', to: "prefixes.filter((one) => one !== 'ledger').map($each)" }],
    killer: { file: 'set-up-stores.test.ts', test: 'refuse to write over ledger' },
  },
  {
    id: 'no-race-of-parts',
    bug: 'The canary lets nobody race with uploads in parts, so that a server that loses such races passes.',
    clause: 'C11',
    edits: [{ in: 'refuseUnsafeStore', from: 'race < PARTS_RACES', to: 'race < 0' }],
    killer: { file: 'canary.test.ts', test: 'a store that lets two uploads in parts win' },
  },
  {
    id: 'upgraded-server-not-tested',
    bug: 'The mark of the canary counts for whatever server answers, also after an upgrade.',
    clause: 'C11',
    edits: [
      { in: 'hasPassed', from: "mark !== null && mark.value.server === (store.server ?? '')", to: 'mark !== null' },
    ],
    killer: { file: 'canary.test.ts', test: 'a server that calls itself otherwise' },
  },
];
