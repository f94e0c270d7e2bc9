import type { Mutant } from './mutant.ts';

const PIPELINE = 'pipeline.test.ts';

/** Wrong thresholds, scales and shares: the guarantee is not the one that is stated. */
export const CERTIFICATE_MUTANTS: Mutant[] = [
  {
    id: 'accounts-for-greater-than',
    bug: 'Keeps counts of at least T, but δ is computed for counts above T (OpenDP, issue 2922).',
    clause: 'C8',
    edits: [
      {
        in: 'publicationProbability',
        from: 'rational(BigInt(count) - BigInt(threshold))',
        to: 'rational(BigInt(count) - BigInt(threshold) - 1n)',
      },
    ],
    killer: { file: PIPELINE, test: 'stability-histogram tap  add-remove on ε 2' },
    quick: true,
  },
  {
    id: 'checker-accounts-for-greater-than',
    bug: 'The independent checker makes the same mistake, so that nobody outside would notice.',
    clause: 'C10',
    edits: [{ in: 'loneCellDelta', from: 'threshold - taps', to: 'threshold - taps + 1n' }],
    killer: { file: 'check-certificate.test.ts', test: 'whatever is certified is good' },
  },
  {
    id: 'threshold-truncated',
    bug: 'The threshold is cut to the integer below (Google’s Go library, pull request 101).',
    clause: 'C10',
    edits: [{ in: 'smallestThreshold', from: 'return threshold;', to: 'return threshold - 1;' }],
    killer: { file: 'threshold.test.ts', test: 'T is the smallest' },
    quick: true,
  },
  {
    id: 'threshold-not-smallest',
    bug: 'The threshold is one higher than it has to be: safe, but more is suppressed than was paid for.',
    clause: 'C10',
    edits: [{ in: 'smallestThreshold', from: 'return threshold;', to: 'return threshold + 1;' }],
    killer: { file: 'threshold.test.ts', test: 'T is the smallest' },
  },
  {
    id: 'replacement-counted-once',
    bug: 'D1 is that of add-remove when a unit is replaced: it is wrong by a factor of 2.',
    clause: 'C1',
    edits: [{ in: 'partsOfChange', from: "neighbours === 'replace-one' ? 2 : 1", to: 'neighbours ? 1 : 2' }],
    killer: { file: PIPELINE, test: 'stability-histogram tap  replace-one on ε 3' },
  },
  {
    id: 'tap-of-a-trip-alone',
    bug: 'A tap of a trip is taken to come alone, though a value that nobody can use takes the other end away: δ is half of the true one.',
    clause: 'C1',
    edits: [{ in: 'patternsOfUnit', from: 'bringsOtherTap(rule) ? ENDS_PUBLISHED[rule.publish] : taps', to: 'taps' }],
    killer: { file: PIPELINE, test: 'stability-histogram tap  replace-one on+off' },
  },
  {
    id: 'checker-takes-a-tap-of-a-trip-alone',
    bug: 'The independent checker makes the same mistake, and refuses the threshold that is right.',
    clause: 'C10',
    edits: [{ in: 'loneCells', from: 'fillsTwoCells(certificate) ? 2n : BigInt(taps)', to: 'BigInt(taps)' }],
    killer: { file: 'check-certificate.test.ts', test: 'tap of a trip is good' },
  },
  {
    id: 'other-neighbours-at-the-same-delta',
    bug: 'A draw for taps that come and go is charged its own δ where they are replaced, and both ends of a trip can appear.',
    clause: 'C12',
    edits: [
      {
        in: 'costUnder',
        from: 'Math.max(1, cellsUnder(neighbours) / cellsUnder(parameters.neighbours))',
        to: 'Math.min(1, cellsUnder(neighbours) / cellsUnder(parameters.neighbours))',
      },
    ],
    killer: { file: 'other-neighbours.test.ts', test: 'a tap of a trip that is replaced' },
  },
  {
    id: 'lines-are-rows-unsaid',
    bug: 'The certificate does not say that each line of a text file is a row: a record of fifty lines counts fifty taps, and nobody is told.',
    clause: 'C10',
    edits: [
      {
        in: 'assumptionStatements',
        from: "'In text files each line is a row of its own: a line end inside a field, quoted or not, ends the row.'",
        to: '',
      },
    ],
    killer: { file: 'check-certificate.test.ts', test: 'every one says that each line' },
  },
  {
    id: 'trip-is-one-tap',
    bug: 'A trip is taken for one tap, though its on and its off are counted: D1 is wrong by a factor of 2.',
    clause: 'C1',
    edits: [{ in: 'units/UNITS', from: 'ENDS_PUBLISHED', to: "{ on: 1, off: 1, 'on+off': 1 }" }],
    killer: { file: PIPELINE, test: 'stability-histogram trip  add-remove' },
  },
  {
    id: 'scale-without-sensitivity',
    bug: 'b = 1/ε whatever D1 is: at ε = 1 the true δ of replacing a trip is 0.338.',
    clause: 'C8',
    edits: [{ in: 'laplaceScales', from: 'over(cells, d1)', to: 'over(cells, 1)' }],
    killer: { file: PIPELINE, test: 'stability-histogram trip  add-remove' },
  },
  {
    id: 'left-out-taps-move-as-counted-ones',
    bug: 'The noise on left-out taps is made for D1, and not for the clamp.',
    clause: 'C1',
    edits: [{ in: 'laplaceScales', from: 'over(bounded, change ?? 0)', to: 'over(bounded, d1)' }],
    killer: { file: 'brute-force/left-out.test.ts', test: 'complete-domain on add-remove clamp 2' },
  },
  {
    id: 'left-out-taps-without-noise',
    bug: 'The exact number of left-out taps is published.',
    clause: 'C8',
    edits: [
      { in: 'noisyLeftOut', from: 'checked(exact.get(tap) ?? 0) + draws[at]!', to: 'checked(exact.get(tap) ?? 0)' },
    ],
    killer: { file: 'brute-force/left-out.test.ts', test: 'stability-histogram on add-remove clamp 1' },
  },
  {
    id: 'one-reject-of-a-unit',
    bug: 'The noise on rejects is made for one of a unit, where a trip can make two.',
    clause: 'C1',
    edits: [{ in: 'REJECTS_OF_ROWS', from: 'const REJECTS_OF_ROWS = 2;', to: 'const REJECTS_OF_ROWS = 1;' }],
    killer: { file: 'brute-force/left-out.test.ts', test: 'complete-domain on add-remove trip' },
  },
  {
    id: 'card-pattern-forgotten',
    bug: 'δ of a card is that of k cells with one tap each; k taps in one cell are forgotten.',
    clause: 'C10',
    edits: [
      {
        in: 'patternsOfUnit',
        from: 'UNITS[rule.unit].mayMeet && taps > 1 ? [spread, { cells: 1, taps }] : [spread]',
        to: 'UNITS[rule.unit].mayMeet && taps > 1 ? [spread] : [spread]',
      },
    ],
    killer: { file: PIPELINE, test: 'stability-histogram card-day 2 add-remove on ε 4' },
  },
  {
    id: 'one-cell-for-all',
    bug: 'δ of a unit that fills several cells is that of one of them.',
    clause: 'C10',
    edits: [{ in: 'anyOf', from: 'if (n === 1) return p;', to: 'if (n >= 1) return p;' }],
    killer: { file: PIPELINE, test: 'stability-histogram trip  add-remove' },
  },
  {
    id: 'margins-not-charged',
    bug: 'The shares of the margins are not taken off what the cells get.',
    clause: 'C8',
    edits: [{ in: 'readSplit', from: 'const rest = subtract(whole, others);', to: 'const rest = whole;' }],
    killer: { file: PIPELINE, test: 'stability-histogram tap  replace-one on ε 16 {"time":"8"} 2×1: at ε the' },
  },
  {
    id: 'wrong-sign-in-the-law',
    bug: 'The law of the noise is written down with the wrong sign in the exponent (OpenDP’s documentation).',
    clause: 'C7',
    edits: [
      {
        in: 'noise',
        from: 'const alpha = expBounds(multiply(rational(-1n), rate), bits);',
        to: 'const alpha = expBounds(multiply(rational(1n), rate), bits);',
      },
    ],
    killer: { file: 'hockey-stick.test.ts', test: 'all atoms of a count add up to 1' },
    quick: true,
  },
  {
    id: 'documented-bad-event',
    bug: 'The bad event of the 2017 release is δ/2, as its paper prints it; it is δ/4 exactly.',
    clause: 'C8',
    edits: [{ in: 'sbhDelta', from: 'rational(4n)', to: 'rational(2n)' }],
    killer: {
      file: 'certificate/sbh-2017.test.ts',
      test: 'the certificate of the 2017 release has these numbers',
    },
  },
  {
    id: 'year-above-the-sum',
    bug: 'The figure of a year is not the least of those that hold: it is above the plain sum.',
    clause: 'C14',
    edits: [
      {
        in: 'accountOf',
        from: 'const optimal = smaller(optimalEpsilon(guarantee, releases, delta) ?? basic.epsilon, basic.epsilon);',
        to: 'const optimal = add(basic.epsilon, ONE);',
      },
    ],
    killer: { file: 'account.test.ts', test: 'numeric ≤ optimal ≤ basic' },
  },
  {
    id: 'noise-that-cannot-be-drawn',
    bug: 'Noise of a scale that the sampler refuses is certified and charged, and fails at the draw.',
    clause: 'C10',
    edits: [
      {
        in: 'requireDrawable',
        from: '!law || !scale || law.isDrawn(scale)',
        to: '!law || !scale || !law.isDrawn(scale)',
      },
    ],
    killer: { file: 'certify.test.ts', test: 'a share of 1/20000 for times' },
  },
  {
    id: 'worst-partition-missed',
    bug: 'A card is taken to move each location by one tap, though two of its taps may be counted there.',
    clause: 'C1',
    edits: [{ in: 'worstChanges', from: 'const place = rule.place ?? 1;', to: 'const place = 1;' }],
    killer: { file: 'gaussian-design.test.ts', test: 'design-001' },
  },
  {
    id: 'sum-of-moves-for-their-squares',
    bug: 'ρ adds up by how much counts move, and not the squares: L1 for L2, and clamp for its square.',
    clause: 'C8',
    edits: [{ in: 'rhoOf', from: 'BigInt(by) ** 2n', to: 'BigInt(by)' }],
    killer: { file: 'gaussian-design.test.ts', test: 'with left-out taps by the square of clamp' },
  },
  {
    id: 'rounded-after-certification',
    bug: 'σ² is rounded up to a whole number after it was certified: nobody has certified what is drawn.',
    clause: 'C10',
    edits: [
      {
        in: 'findDesign',
        from: 'return { variances, rho: rhoOf(moves), delta: bounds };',
        to: 'return { variances: variancesAt(rule, shares, 100 * Math.ceil(step / 100)), rho: rhoOf(moves), delta: bounds };',
      },
    ],
    killer: { file: 'gaussian-design.test.ts', test: 'whatever is certified for people is good' },
  },
  {
    id: 'tail-cut-off-for-nothing',
    bug: 'What is cut off the law of the losses is not counted as lost: the upper bound on δ is none.',
    clause: 'C10',
    edits: [{ in: 'hockeyStick', from: 'rational(upper + slack, whole)', to: 'rational(upper, whole)' }],
    killer: { file: 'gaussian-curve.test.ts', test: 'more bits narrow the bounds' },
  },
  {
    id: 'checker-that-believes-a-curve',
    bug: 'The checker compares no δ of discrete Gaussian noise with its own.',
    clause: 'C10',
    edits: [{ in: 'gaussianProblems', from: 'high >= curve.delta * (1 - RELATIVE)', to: 'high >= 0' }],
    killer: { file: 'check-certificate.test.ts', test: 'is compared with one of its own' },
  },
];
