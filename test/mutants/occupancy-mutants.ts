import type { Mutant } from './mutant.ts';

/** Wrong profiles and wrong statuses of occupancy: less private than is certified, or not drawn as is certified. */
export const OCCUPANCY_MUTANTS: Mutant[] = [
  {
    id: 'occupancy-neighbours-forgotten',
    bug: 'δ of a profile looks at one more passenger, and never at one fewer.',
    clause: 'exact-profile-delta',
    edits: [{ in: 'neighbours', from: 'yield [row + apart, row];', to: '' }],
    killer: { file: 'exact-delta.test.ts', test: 'exact-profile-delta' },
  },
  {
    id: 'occupancy-profile-breaks-delta',
    bug: 'A profile has 1 % more δ than is certified.',
    clause: 'certified-profile',
    edits: [
      {
        in: 'tryClosedForm',
        from: '{ ...privacy, delta: privacy.delta - room }',
        to: '{ ...privacy, delta: 1.01 * privacy.delta }',
      },
      { in: 'certifyDelta', from: 'isAtMost(exact, delta, epsilon) ? exact : null', to: 'exact' },
    ],
    killer: { file: 'profile.test.ts', test: 'profile-005' },
  },
  {
    id: 'occupancy-closed-form-always',
    bug: 'The closed form is taken where it is not the best: narrow categories with a small ε.',
    clause: 'C8',
    edits: [
      {
        in: 'isClosedFormOptimal',
        from: 'return above! <= growth * under! && under! <= growth * above!;',
        to: 'return above! > 0 && under! > 0 && growth > 0;',
      },
    ],
    killer: { file: 'profile.test.ts', test: 'profile-037' },
  },
  {
    id: 'occupancy-weights-not-certified',
    bug: 'δ is that of a table in floating point; the integer weights that are drawn from are not looked at.',
    clause: 'C7',
    edits: [
      {
        in: 'tryClosedForm',
        from: '{ ...privacy, delta: privacy.delta - room }',
        to: '{ ...privacy, delta: privacy.delta }',
      },
      { in: 'certifyDelta', from: 'isAtMost(exact, delta, epsilon) ? exact : null', to: 'exact' },
    ],
    killer: { file: 'profile.test.ts', test: 'profile-011' },
  },
  {
    id: 'occupancy-weights-rounded-apart',
    bug: 'Each weight is rounded by itself, so that rows do not add up to a power of two.',
    clause: 'C7',
    edits: [{ in: 'largestRemainder', from: 'remainders.slice(0, deficit)', to: 'remainders.slice(deficit)' }],
    killer: { file: 'occupancy/weights.test.ts', test: 'add up to a power of two' },
  },
  {
    id: 'occupancy-draw-off-by-one',
    bug: 'The draw takes the first cumulative weight that is not below the number, instead of the first above it.',
    clause: 'C7',
    edits: [{ in: 'categoryAt', from: 'cumulative > number', to: 'cumulative >= number' }],
    killer: { file: 'sampler.test.ts', test: 'is exact' },
  },
  {
    id: 'occupancy-ride-without-alighting',
    bug: 'D1 of a ride is that of its boarding: 6 instead of 10 for a tree over 32 departures.',
    clause: 'ride-sensitivity',
    edits: [
      {
        in: 'rideChange',
        from: 'most = Math.max(most, boarding.length + alighting.length - 2 * both);',
        to: 'most = Math.max(most, both);',
      },
    ],
    killer: { file: 'run-strategy.test.ts', test: 'a full binary tree over 32 departures' },
  },
  {
    id: 'occupancy-noise-drawn-again',
    bug: 'Each count of a run draws new noise for the sums that it shares with others, and pays for one draw.',
    clause: 'C11',
    edits: [
      {
        in: 'noisyCounts',
        from: 'total(changes.slice(from, to)) + noise.draw()',
        to: 'total(changes.slice(from, to))',
      },
      {
        in: 'noisyCounts',
        from: 'total(places.map((place) => noisy[place]!))',
        to: 'total(places.map((place) => noisy[place]! + noise.draw()))',
      },
    ],
    killer: { file: 'run-strategy.test.ts', test: 'one draw for each sum' },
  },
  {
    id: 'occupancy-replaced-ride-in-one-run',
    bug: 'A ride that is replaced is taken to stay on its run, so that each of two runs may lose all that is promised.',
    clause: 'ride-guarantee',
    edits: [
      {
        in: 'runGuarantee',
        from: "if (neighbours === 'add-remove') return { epsilon, delta };",
        to: "if (neighbours === 'add-remove' || counts !== null) return { epsilon, delta };",
      },
    ],
    killer: { file: 'ride-mechanism.test.ts', test: 'ride-guarantee' },
  },
  {
    id: 'occupancy-count-changes-by-one',
    bug: 'A ride that replaces another of its run is taken to change a door count by one at most: δ of a run is half of it.',
    clause: 'C1',
    edits: [
      {
        in: 'deltaFactor',
        from: "if (counts === 'passengers') return TWO;",
        to: "if (counts === 'passengers' || counts === 'doors') return TWO;",
      },
    ],
    killer: { file: 'replaced-rides.test.ts', test: '1 departures, ε = 8: door counts keep δ' },
  },
  {
    id: 'occupancy-check-forgets-counts',
    bug: 'The check of a certificate does not ask which counts were taken: half of δ goes through for door counts.',
    clause: 'C10',
    edits: [{ in: 'lossOfRide', from: "counts === 'doors'", to: 'counts === null' }],
    killer: { file: 'ride-check.test.ts', test: 'door counts, with half of δ' },
  },
  {
    id: 'occupancy-check-delta-not-summed',
    bug: 'The check of a certificate adds ε of the stops up, and not δ: each stop may have all of it.',
    clause: 'C10',
    edits: [
      {
        in: 'isWithin',
        from: 'compare(sum.epsilon, run.epsilon) <= 0 && compare(sum.delta, run.delta) <= 0',
        to: 'compare(sum.epsilon, run.epsilon) <= 0',
      },
    ],
    killer: { file: 'ride-check.test.ts', test: 'a stop with all of the δ' },
  },
  {
    id: 'occupancy-counts-not-in-the-cache',
    bug: 'Mechanisms are kept by privacy and vehicles alone: a series of door counts is drawn as one of passengers aboard.',
    clause: 'C1',
    edits: [
      {
        in: 'mechanismsOf',
        from: '{ privacy, numbers: countNumbers(series), vehicles, shapes }',
        to: '{ privacy, vehicles, shapes }',
      },
    ],
    killer: { file: 'occupancy/rules.test.ts', test: 'door counts and passengers aboard' },
  },
  {
    id: 'occupancy-refused-with-the-solver',
    bug: 'A series is refused when the linear program fails, though the closed form would do.',
    clause: 'C10',
    edits: [
      {
        in: 'tryProgram',
        from: 'mayFail && error instanceof OpalineError',
        to: '!mayFail && error instanceof OpalineError',
      },
    ],
    killer: { file: 'profile.test.ts', test: 'the closed form where the solver fails' },
  },
  {
    id: 'occupancy-empty-run-without-noise',
    bug: 'A run of more than three departures that nobody boards is published as it is.',
    clause: 'C8',
    edits: [
      {
        in: 'treeStatuses',
        from: 'const counts = noisyCounts(strategy, clampChanges(model, doors), noise);',
        to: `if (doors.boardings.length > 3 && doors.boardings.every((count) => count === 0)) return doors.boardings.map(() => 0);
  const counts = noisyCounts(strategy, clampChanges(model, doors), noise);`,
      },
    ],
    killer: { file: 'run-statuses.test.ts', test: 'of the same noisy sums are the same' },
  },
  {
    id: 'occupancy-check-trusts-the-change',
    bug: 'The check of a certificate takes D1 from the certificate that it checks.',
    clause: 'C10',
    edits: [{ in: 'treeProblem', from: 'BigInt(largestChange(one))', to: 'BigInt(one.change ?? largestChange(one))' }],
    killer: { file: 'ride-check.test.ts', test: 'another D1' },
  },
  {
    id: 'occupancy-events-added-up',
    bug: 'Two events of one departure are added up: a delivery that comes twice doubles what a ride changes.',
    clause: 'C1',
    edits: [
      {
        in: 'tallyEvent',
        from: 'Math.max(number, counts[place]![departure] ?? 0)',
        to: 'number + (counts[place]![departure] ?? 0)',
      },
    ],
    killer: { file: 'occupancy/bin.test.ts', test: 'of several events the largest count' },
  },
  {
    id: 'occupancy-large-numbers-rejected',
    bug: 'A number above the largest count makes its row a reject: a ride more then changes a count by all of it.',
    clause: 'C5',
    edits: [
      {
        in: 'clampNumber',
        from: 'digits.length > 9 ? most : Math.min(Number(digits), most)',
        to: 'Number(digits) > most ? null : Number(digits)',
      },
    ],
    killer: { file: 'occupancy/bin.test.ts', test: 'of several events the largest count' },
  },
  {
    id: 'occupancy-unicode-ends-a-line',
    bug: 'Lines end where Unicode says so, too: one row of an object becomes two events.',
    clause: 'C3',
    edits: [{ in: 'linesOf', from: "$text.split('\\n')", to: '$text.split(/[\\n\\u2028]/)' }],
    killer: { file: 'occupancy/bin.test.ts', test: 'only Unicode knows' },
  },
  {
    id: 'columns-of-statuses-swapped',
    bug: 'The definition of the statuses has stop and vehicle in the place of each other: what writes, reads, compares and describes the table goes by it, and agrees.',
    clause: 'C9',
    edits: [
      {
        in: 'status-table/text',
        from: "({ name: field, field, type: 'text', meaning })",
        to: "({ name: field, field: field === 'stop' ? 'vehicle' : field === 'vehicle' ? 'stop' : field, type: 'text', meaning })",
      },
    ],
    killer: {
      file: 'every-kind/readers.test.ts',
      test: 'occupancy: a reader with other code finds',
    },
  },
  {
    id: 'occupancy-feed-not-compared',
    bug: 'The audit compares CSV and Parquet, and a second draw in the feed goes through.',
    clause: 'C15',
    edits: [
      {
        in: 'checkFormats',
        from: 'canonicalJson([...byRun.values()].flat()) !== canonicalJson(feed)',
        to: 'canonicalJson([...byRun.values()].flat()) === null',
      },
    ],
    killer: { file: 'occupancy/audit.test.ts', test: 'a status is drawn again for the feed' },
  },
];
