import type { Mutant } from './mutant.ts';

const PRIVATIZE = 'draw-table.test.ts';

/** Tables that say more, or something else, than the mechanism allows. */
export const MECHANISM_MUTANTS: Mutant[] = [
  {
    id: 'published-only-above-threshold',
    bug: 'A count equal to T is held back: the rule and the certificate are not the same.',
    clause: 'C8',
    edits: [{ in: 'isPublished', from: 'noisyCount >= threshold', to: 'noisyCount > threshold' }],
    killer: {
      file: 'publish-decision.test.ts',
      test: 'a noisy count is published from the threshold on',
    },
  },
  {
    id: 'published-below-threshold',
    bug: 'A count of T − 1 is published too.',
    clause: 'C8',
    edits: [{ in: 'isPublished', from: 'noisyCount >= threshold', to: 'noisyCount > threshold - 2' }],
    killer: { file: 'pipeline.test.ts', test: 'stability-histogram tap  add-remove on ε 2' },
  },
  {
    id: 'compared-without-noise',
    bug: 'The true count is compared with the threshold, and noise is added afterwards.',
    clause: 'C8',
    edits: [
      {
        in: 'stabilityHistogram',
        from: 'isPublished(noisyCount, threshold)',
        to: 'isPublished(counts[at]!, threshold)',
      },
    ],
    killer: { file: PRIVATIZE, test: 'a cell is published iff its noisy count reaches the threshold' },
  },
  {
    id: 'zeros-not-perturbed',
    bug: 'Empty cells of a complete domain stay 0 while δ = 0 is claimed (the report on the 2017 release).',
    clause: 'C8',
    edits: [{ in: 'completeDomain', from: 'count + draws[at]!', to: '(count === 0 ? 0 : count + draws[at]!)' }],
    killer: { file: 'pipeline.test.ts', test: 'complete-domain tap  add-remove on ε 1' },
  },
  {
    id: 'empty-margins-not-perturbed',
    bug: 'A time or a location without a tap has an exact margin of 0.',
    clause: 'C8',
    edits: [{ in: 'withNoise', from: 'total + draws[at]!', to: '(total === 0 ? 0 : total + draws[at]!)' }],
    killer: { file: PRIVATIZE, test: 'noisy margins cover every time and location' },
  },
  {
    id: 'rows-in-input-order',
    bug: 'Published rows stand in the order in which the input was counted.',
    clause: 'C18',
    edits: [
      {
        in: 'placeCounts',
        from: 'const order = orderOf(targets);',
        to: 'const order = total < 0 ? orderOf(targets) : null;',
      },
    ],
    killer: { file: PRIVATIZE, test: 'rows are in lexicographic order' },
  },
  {
    id: 'derived-rows-in-input-order',
    bug: 'Rows of the derived tables stand in the order of the partitions.',
    clause: 'C18',
    edits: [
      {
        in: 'deriveTables',
        from: 'const tables = input.toSorted((a, b) => compareText(a.part, b.part) || compareText(a.day, b.day));',
        to: 'const tables = input.toSorted((a, b) => 0 * compareText(a.part, b.part));',
      },
    ],
    killer: { file: 'tables.test.ts', test: 'rows come in lexicographic order' },
  },
  {
    id: 'draw-order-depends-on-data',
    bug: 'Cells are drawn before the margins: how many cells have a count shifts the draws of the margins.',
    clause: 'C20',
    edits: [
      {
        in: 'drawTableWith',
        from: 'const columns = { taps, times, locations, ...noisyCells(counts, domain, certificate, noise) };',
        to: '',
      },
      {
        in: 'drawTableWith',
        from: 'const margins = noisyMargins(counts, domain, certificate.marginScales, noise);',
        to: `const columns = { taps, times, locations, ...noisyCells(counts, domain, certificate, noise) };
  const margins = noisyMargins(counts, domain, certificate.marginScales, noise);`,
      },
    ],
    killer: {
      file: 'drawn-noise.test.ts',
      test: 'the noise is that of the exact sampler, value for value',
    },
  },
  {
    id: 'sbh-2017-is-released',
    bug: 'The algorithm of 2017, certified for ideal real noise only, draws a release.',
    clause: 'C8',
    edits: [
      {
        in: 'noisyCells',
        from: "case 'stability-histogram': $body;",
        to: "case 'stability-histogram': case 'sbh-2017' as never: $body;",
      },
      {
        in: 'samplerOf',
        from: "case 'discrete-laplace': $body;",
        to: "case 'real-laplace' as never: case 'discrete-laplace': $body;",
      },
    ],
    killer: { file: PRIVATIZE, test: 'sbh-2017 draws no release' },
  },
  {
    id: 'fit-that-sees-counts',
    bug: 'The module that fits remainder rows can receive exact counts.',
    clause: 'C9',
    edits: [
      { in: 'fitRemainder', from: 'residualsOf(columns, scales)', to: 'residualsOf(placeCounts && columns, scales)' },
    ],
    killer: {
      file: 'publish-decision.test.ts',
      test: 'the fit of remainders imports nothing that holds counts',
    },
  },
  {
    id: 'rejects-told-in-public',
    bug: 'The file of rejected rows goes to the release store.',
    clause: 'C5',
    edits: [
      {
        in: 'keepRejects',
        from: 'putFile(context.privateStore, PRIVATE_KEYS.rejects(run, round, number), target)',
        to: 'putFile(context.releaseStore, PRIVATE_KEYS.rejects(run, round, number), target)',
      },
    ],
    killer: {
      file: 'non-interference.test.ts',
      test: 'a valid row turned malformed',
    },
  },
  {
    id: 'digest-of-the-input-told',
    bug: 'privatize answers with a digest of its input, which is an exact query.',
    clause: 'C11',
    edits: [
      {
        in: 'drawOnce',
        from: 'const digest = sha256(table);',
        to: 'const digest = sha256(canonicalJson((await release.kind.counts(context, input, release.series)).input));',
      },
    ],
    killer: { file: 'draw-once.test.ts', test: 'rounds: one table is written' },
  },
  {
    id: 'changed-between-draw-and-store',
    bug: 'The stage rounds what was drawn before it stores it: the function that draws is the certified one.',
    clause: 'C15',
    edits: [
      {
        in: 'drawNow',
        from: 'await counts.draw()',
        to: 'Buffer.from(String(await counts.draw()).replace(/"counts":[^\\]]*/g, (list) => list.replace(/\\d\\b/g, \'0\')))',
      },
    ],
    killer: { file: 'taps/shadow.test.ts', test: 'C15, safe-to-retry: it draws' },
  },
  {
    id: 'audit-blind-to-the-threshold',
    bug: 'The audit takes cells under the threshold for good.',
    clause: 'C15',
    edits: [
      {
        in: 'checkThreshold',
        from: 'const below = cells.count.filter((count) => count < threshold).length;',
        to: 'const below = cells.count.filter((count) => count < threshold - 1e9).length;',
      },
    ],
    killer: { file: 'release-checks.test.ts', test: 'a cell under the threshold is caught' },
  },
  {
    id: 'growth-not-bounded',
    bug: 'A select may make gigabytes of one chosen row: the fault that follows tells whether the row is there.',
    clause: 'C3',
    edits: [
      { in: 'readSelect', from: 'if (growth !== null) refuse(growth);', to: 'if (growth !== null) void growth;' },
    ],
    killer: { file: 'growth.test.ts', test: 'is bounded: attack 0, by replace' },
  },
  {
    id: 'odd-value-fails-the-object',
    bug: 'One text that is no UTF-8 makes a Parquet object unreadable, as DuckDB has it.',
    clause: 'C6',
    edits: [{ in: 'scanObject', from: "file.format !== 'parquet'", to: "file.format === 'parquet'" }],
    killer: { file: 'bad-input.test.ts', test: 'a location in Parquet that is no UTF-8' },
  },
  {
    id: 'list-of-rejects-fails-the-object',
    bug: 'The list of rejects, which is made only if there is one, fails the object when it fails.',
    clause: 'C5',
    edits: [
      {
        in: 'keepRejects',
        from: 'await keepDiagnostics(context)($name, error);\n    return;',
        to: 'throw error;\n    await keepDiagnostics(context)($name, error);\n    return;',
      },
    ],
    killer: {
      file: 'object-scan.test.ts',
      test: 'a list of rejects that cannot be made is a private diagnostic',
    },
  },
  {
    id: 'first-row-taken-for-a-header',
    bug: 'The first bytes of a row decide whether the object can be read.',
    clause: 'C6',
    edits: [
      {
        in: 'checkFile',
        from: "source.format === 'csv' && source.csv.header === undefined",
        to: "source.format !== 'parquet'",
      },
    ],
    killer: { file: 'bad-input.test.ts', test: 'CSV without header that begins like gzip' },
  },
];
