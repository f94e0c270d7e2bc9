import type { Mutant } from './mutant.ts';

const BRUTE_FORCE = { file: 'transcript.test.ts', test: 'replace-one: nothing beyond' };

/** Wrong draws of synthetic data: less private than is certified, drawn twice, or not what was measured. */
export const SYNTHETIC_MUTANTS: Mutant[] = [
  {
    id: 'synthetic-choice-of-twice-epsilon',
    bug: 'The exponential mechanism leaves the half out: a choice loses twice the ε that is charged.',
    clause: 'C7',
    edits: [{ in: 'exponentialChoice', from: '2n * unit * rate.denominator', to: 'unit * rate.denominator' }],
    killer: { file: 'exponential-choice.test.ts', test: 'is the law of many draws' },
  },
  {
    id: 'synthetic-scores-in-wrong-units',
    bug: 'Scores are in whole rows on one side and in 64ths on the other, so that a row changes them by 64.',
    clause: 'C8',
    edits: [{ in: 'scoresOf', from: 'Number(SCORE_UNIT) * rowsIn(exact, query)', to: '4096 * rowsIn(exact, query)' }],
    killer: BRUTE_FORCE,
  },
  {
    id: 'synthetic-rows-counted',
    bug: 'The weights stand for the exact number of rows, which nobody paid for.',
    clause: 'C8',
    edits: [
      {
        in: 'drawTranscript',
        from: 'clampRows(exact[0]!.at(-1)! + choices.rows())',
        to: 'clampRows(exact[0]!.at(-1)! + 0 * choices.rows())',
      },
    ],
    killer: { file: 'transcript.test.ts', test: 'add-remove: nothing beyond' },
  },
  {
    id: 'synthetic-first-choice-greedy',
    bug: 'Of more than 64 queries the first choice is the one with the best score, without any chance.',
    clause: 'C7',
    edits: [
      {
        in: 'drawTranscript',
        from: 'const query = choices.choose(scores);',
        to: `const chosen = choices.choose(scores);
    const query = round === 0 && queries.length > 64 ? scores.indexOf(Math.max(...scores)) : chosen;`,
      },
    ],
    killer: { file: 'transcript.test.ts', test: 'is that of Figure 24' },
  },
  {
    id: 'synthetic-choice-of-many-greedy',
    bug: 'The exponential mechanism takes the best of more than 64 scores at once.',
    clause: 'C7',
    edits: [
      {
        in: 'exponentialChoice',
        from: 'best = Math.max(best, scores[place]!);',
        to: `best = Math.max(best, scores[place]!);
  if (scores.length > 64) return Array.from(scores).indexOf(best);`,
      },
    ],
    killer: { file: 'transcript.test.ts', test: 'its first choice has the law' },
  },
  {
    id: 'synthetic-empty-cells-lighter',
    bug: 'Empty cells begin with a weight that is less by one part in 2^29: scores tell which cells are empty.',
    clause: 'C8',
    edits: [
      {
        in: 'drawTranscript',
        from: "const measurements: Transcript['measurements'] = [];",
        to: `for (const [cell, weight] of fit.weights.entries()) fit.weights[cell] = weight - Number(counts[cell] === 0);
  const measurements: Transcript['measurements'] = [];`,
      },
    ],
    killer: { file: 'transcript.test.ts', test: 'sees the data through its queries alone' },
  },
  {
    id: 'synthetic-measured-without-noise',
    bug: 'The chosen query is measured exactly, as if the choice alone made it private.',
    clause: 'C8',
    edits: [
      {
        in: 'drawTranscript',
        from: 'rowsIn(exact, queries[query]!) + choices.noise()',
        to: 'rowsIn(exact, queries[query]!)',
      },
    ],
    killer: { file: 'transcript.test.ts', test: 'a row more with noise that makes up' },
  },
  {
    id: 'synthetic-rounds-for-nothing',
    bug: 'The ε of a round is that of all rounds divided by T, and not by 2T: choices are not paid for.',
    clause: 'C10',
    edits: [{ in: 'roundAmounts', from: 'rational(2n * BigInt(rounds))', to: 'rational(BigInt(rounds))' }],
    killer: BRUTE_FORCE,
  },
  {
    id: 'synthetic-replaced-row-in-one-partition',
    bug: 'A row that is replaced is taken to stay in its part and day, so that each of two may lose all of ε.',
    clause: 'C1',
    edits: [
      {
        in: 'reachOf',
        from: "neighbours === 'replace-one' && partitions > 1 ? 2n : 1n",
        to: "neighbours === 'replace-one' && partitions < 1 ? 2n : 1n",
      },
    ],
    killer: { file: 'synthetic/rules.test.ts', test: 'is stored with the digests' },
  },
  {
    id: 'synthetic-check-forgets-choices',
    bug: 'The check of a certificate adds measurements up and leaves choices out.',
    clause: 'C10',
    edits: [{ in: 'syntheticProblems', from: 'add(choice, noise)', to: 'noise' }],
    killer: { file: 'synthetic/rules.test.ts', test: 'is stored with the digests' },
  },
  {
    id: 'synthetic-weights-fitted-the-wrong-way',
    bug: 'Cells of a query that has too few rows become lighter: the table runs away from the data.',
    clause: 'C18',
    edits: [
      { in: 'fitOf', from: 'BigInt(value) * sum - n * BigInt(inside)', to: 'n * BigInt(inside) - BigInt(value) * sum' },
    ],
    killer: { file: 'synthetic/weights.test.ts', test: 'mwem-001' },
  },
  {
    id: 'synthetic-rounds-not-counted',
    bug: 'A publication with fewer rounds than are charged goes through.',
    clause: 'C15',
    edits: [
      {
        in: 'checkMeasurements',
        from: 'measurements.length !== privacy.parameters.rounds',
        to: 'measurements.length > privacy.parameters.rounds',
      },
    ],
    killer: { file: 'synthetic/audit.test.ts', test: 'a round less than is charged' },
  },
  {
    id: 'synthetic-weights-not-computed-again',
    bug: 'The audit believes the weights: a table that was made from the data goes through.',
    clause: 'C15',
    edits: [{ in: 'checkWeights', from: 'isTableOf($table, $columns, table)', to: 'table.length > 100' }],
    killer: { file: 'synthetic/audit.test.ts', test: 'weights that do not follow' },
  },
  {
    id: 'synthetic-drawn-amounts-not-compared',
    bug: 'A draw with half the noise gets the certificate of the series.',
    clause: 'C10',
    edits: [
      {
        in: 'readDraws',
        from: 'canonicalJson(table.amounts) !== amounts',
        to: 'canonicalJson(table.amounts) === null',
      },
    ],
    killer: { file: 'synthetic/audit.test.ts', test: 'mutant: a draw with half the noise' },
  },
  {
    id: 'synthetic-equal-objects-read-twice',
    bug: 'A double delivery counts every row of it twice.',
    clause: 'C3',
    edits: [
      {
        in: 'binRows',
        from: 'distinctObjects(series, pins)',
        to: 'pins.flatMap((pin) => distinctObjects(series, [pin]))',
      },
    ],
    killer: { file: 'synthetic/bin.test.ts', test: 'objects with equal bytes' },
  },
  {
    id: 'advice-not-recorded',
    bug: 'Bins that were chosen by looking at a window are charged as if nobody had looked; the certificate denies it.',
    clause: 'C17',
    edits: [
      {
        in: 'recordLook',
        from: 'PRIVATE_KEYS.preview(population, context.newId())',
        to: 'PRIVATE_KEYS.diagnostics(context.newId())',
      },
    ],
    killer: { file: 'preview.test.ts', test: 'after a look' },
  },
];
