import type { Mutant } from './mutant.ts';

const DRAWN = 'drawn-noise.test.ts';
const SAMPLER = 'if (scale !== undefined) return samplerOf(mechanism)(parseRational(scale), random).fill;';
const FILLING = 'return (target) => { for (let at = 0; at < target.length; at++) target[at] = drawOne(); };';
const drawing = (noise: string) => ({
  in: 'fillOf',
  from: SAMPLER,
  to: `if (scale !== undefined) { const drawOne = (() => { ${noise} })(); ${FILLING} }`,
});

/** Formulas of other noise, on uniform floating-point numbers. */
const NUMBERS = `const r = parseRational(scale); const b = Number(r.numerator) / Number(r.denominator);
    const uniform = () => (random.uint32() + 0.5) / 2 ** 32;`;
const LAPLACE = `${NUMBERS} const laplace = () => (random.uint32() & 1 ? 1 : -1) * -b * Math.log(uniform());`;

/** Noise that is not what the certificate says, or not noise at all. */
export const NOISE_MUTANTS: Mutant[] = [
  {
    id: 'gaussian-for-laplace',
    bug: 'The threshold is that of Laplace noise, the noise a Gaussian of the same variance (SmartNoise SQL, issue 204).',
    clause: 'C7',
    edits: [
      drawing(`${NUMBERS}
    return () => Math.round(b * Math.SQRT2 * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));`),
    ],
    killer: { file: DRAWN, test: 'the noise of cells has the law of its own scale' },
  },
  {
    id: 'rounded-real-laplace',
    bug: 'Real Laplace noise from floating-point uniforms, rounded to integers (Mironov 2012).',
    clause: 'C7',
    edits: [drawing(`${LAPLACE} return () => Math.round(laplace());`)],
    killer: { file: DRAWN, test: 'the noise of cells has the law of its own scale' },
  },
  {
    id: 'floating-point-geometric',
    bug: 'The right law up to rounding, but by logarithms of floating-point uniforms: no statistical test sees it.',
    clause: 'C7',
    edits: [
      drawing(`${NUMBERS} const geometric = () => Math.floor(-b * Math.log(uniform()));
    return () => geometric() - geometric();`),
    ],
    killer: { file: DRAWN, test: 'the noise is that of the exact sampler, value for value' },
  },
  {
    id: 'noise-cut-towards-zero',
    bug: 'Real noise is cut to integers towards zero: counts lose half a tap, the noise is too small (SmartNoise SQL 1.0.10).',
    clause: 'C7',
    edits: [drawing(`${LAPLACE} return () => Math.trunc(laplace());`)],
    killer: { file: DRAWN, test: 'the noise of cells has the law of its own scale' },
  },
  {
    id: 'counts-cut-towards-zero',
    bug: 'Noisy counts of the 2017 algorithm are cut to integers and not rounded: each is half a tap low.',
    clause: 'C8',
    edits: [{ in: 'drawTable', from: 'Math.floor(noisyTotal + 0.5)', to: 'Math.trunc(noisyTotal)' }],
    killer: { file: 'oracles/sbh-2017.test.ts', test: 'suppression and error of a cell' },
  },
  {
    id: 'negative-counts-cut',
    bug: 'Negative counts of a complete domain are cut at 0, so that sums are too large.',
    clause: 'C8',
    edits: [{ in: 'completeDomain', from: 'count + draws[at]!', to: 'Math.max(0, count + draws[at]!)' }],
    killer: { file: 'draw-table.test.ts', test: 'a complete domain has every cell' },
  },
  {
    id: 'rounded-before-compared',
    bug: 'A noisy value is rounded before it is compared with a real threshold (Google’s Go library, pull request 101).',
    clause: 'C8',
    edits: [
      {
        in: 'drawTable',
        from: 'isPublished(noisyTotal, parameters.threshold)',
        to: 'isPublished(Math.floor(noisyTotal + 0.5), Math.floor(parameters.threshold))',
      },
    ],
    killer: { file: 'oracles/sbh-2017.test.ts', test: 'compare first, round half up afterwards' },
  },
  {
    id: 'noise-shared-between-cells',
    bug: 'One draw serves all cells: two counts differ by their true difference.',
    clause: 'C7',
    edits: [drawing('const shared = discreteLaplace(parseRational(scale), random).draw(); return () => shared;')],
    killer: { file: DRAWN, test: 'no noise is shared' },
  },
  {
    id: 'noise-shared-within-a-row',
    bug: 'A draw is used for ten cells in a row before the next one is made.',
    clause: 'C7',
    edits: [
      drawing(`const { draw } = discreteLaplace(parseRational(scale), random); let [used, value] = [0, 0];
    return () => { if (used++ % 10 === 0) value = draw(); return value; };`),
    ],
    killer: { file: DRAWN, test: 'no noise is shared' },
  },
  {
    id: 'margins-with-the-scale-of-cells',
    bug: 'Margins get the noise of cells: far less than their share of ε pays for.',
    clause: 'C8',
    edits: [{ in: 'makeNoise', from: 'marginScales.time', to: 'scale' }],
    killer: { file: DRAWN, test: 'the noise of time has the law of its own scale' },
  },
  {
    id: 'seeded-source-accepted',
    bug: 'A production worker takes any source of randomness that it is given, a seeded one too.',
    clause: 'C7',
    edits: [
      {
        in: 'requireProductionRandom',
        from: 'if (genuine.has(source)) return source;',
        to: 'if (source) return source;',
      },
    ],
    killer: { file: 'randomness.test.ts', test: 'a production worker refuses a seeded source' },
  },
  {
    id: 'seeded-in-production',
    bug: 'The private worker is wired to a seeded source: whoever reads the seed takes the noise away.',
    clause: 'C7',
    edits: [
      {
        in: 'computePrivate',
        from: 'requireProductionRandom(operatingSystemRandom())',
        to: '((seed: number) => ({ ...operatingSystemRandom(), uint32: () => (seed = (seed * 69069 + 1) >>> 0) }))(1)',
      },
    ],
    killer: { file: DRAWN, test: 'the private worker gives privatize the random bits of production' },
  },
  {
    id: 'random-words-handed-out-twice',
    bug: 'The pool of random words does not move on.',
    clause: 'C7',
    edits: [{ in: 'poolRandom', from: 'next += 1;', to: '' }],
    killer: { file: 'randomness.test.ts', test: 'no word of the pool is handed out twice' },
  },
  {
    id: 'pool-outlives-its-process',
    bug: 'A copy of the process goes on with the random words that its parent holds as well.',
    clause: 'C7',
    edits: [{ in: 'poolRandom', from: 'next === POOL_WORDS || processId() !== owner', to: 'next === POOL_WORDS' }],
    killer: { file: 'randomness.test.ts', test: 'a copy of the process does not hand out' },
  },
  {
    id: 'table-without-refinement',
    bug: 'The fast sampler decides by 32 bits alone: probabilities are off by parts of 2^-32.',
    clause: 'C7',
    edits: [
      {
        in: 'tableSampler',
        from: 'low < floors.length && floors[low] === word ? refine(word, low) : low',
        to: 'low < floors.length && floors[low] === word ? low + 1 : low',
      },
    ],
    killer: { file: 'discrete-laplace.test.ts', test: 'is decided by further bits' },
  },
  {
    id: 'half-word-taken-for-a-whole',
    bug: 'Where half a word does not tell, its other half is taken to be zero: values at thresholds are too frequent.',
    clause: 'C7',
    edits: [
      {
        in: 'tableSampler',
        from: '((half << HALF_BITS) | (source.uint32() >>> HALF_BITS)) >>> 0',
        to: '(half << HALF_BITS) >>> 0',
      },
    ],
    killer: { file: 'discrete-laplace.test.ts', test: 'fill gives each half of a word' },
  },
  {
    id: 'random-bits-used-twice',
    bug: 'The same bits go into two draws, which depend on each other.',
    clause: 'C7',
    edits: [
      {
        in: 'tableSampler',
        from: 'const half = halves[place - start]!;',
        to: 'const half = halves[(place - start) & ~1]!;',
      },
    ],
    killer: { file: 'discrete-laplace.test.ts', test: 'fill takes 16 bits for a draw' },
  },
  {
    id: 'zero-with-two-signs',
    bug: 'The reference sampler keeps negative zero, so that 0 comes up twice as often as it should.',
    clause: 'C7',
    edits: [{ in: 'discreteLaplaceReference', from: '!(negative && magnitude === 0n)', to: 'coins' }],
    killer: { file: 'geometric.test.ts', test: 'the laws of the reference sampler' },
  },
  {
    id: 'tester-that-cannot-reject',
    bug: 'The p-value of the sampler’s test is always 1: the tester can never reject.',
    clause: 'C7',
    edits: [
      {
        in: 'gStatistic',
        from: 'return 2 * counts.reduce((sum, o, bin) => (o === 0 ? sum : sum + o * Math.log(o / (n * probabilities[bin]!))), 0);',
        to: 'return n * probabilities[0]! * 0;',
      },
    ],
    killer: { file: 'discrete-laplace.test.ts', test: 'broken twins fail it' },
  },
  {
    id: 'audit-that-cannot-reject',
    bug: 'The audit’s test of the noise of margins can never reject.',
    clause: 'C15',
    edits: [{ in: 'checkMarginNoise', from: 'pValue > level', to: 'pValue >= 0 || level > 1' }],
    killer: { file: 'margin-noise.test.ts', test: 'margins without noise' },
  },
  {
    id: 'fit-that-cannot-reject',
    bug: 'The audit’s goodness of fit is always 1.',
    clause: 'C15',
    edits: [
      {
        in: 'goodnessOfFit',
        from: 'return fisherCombination(pValues);',
        to: 'return fisherCombination(pValues) > 2 ? 0 : 1;',
      },
    ],
    killer: { file: 'goodness-of-fit.test.ts', test: 'catches a Gaussian of the same variance' },
  },
  {
    id: 'pool-kept-for-draws',
    bug: 'A draw goes on with the words that the worker has fetched before: a clone of the machine draws the same noise.',
    clause: 'C7',
    edits: [{ in: 'drawNow', from: 'withEmptyPool(context)', to: 'context' }],
    killer: { file: 'randomness.test.ts', test: 'draws and shadow runs ask the kernel again' },
  },
  {
    id: 'kernel-short-read',
    bug: 'What one read of the kernel gives is taken for all: the places after it stay as they are.',
    clause: 'C7',
    edits: [{ in: 'kernelFill', from: 'at < bytes.length', to: 'at === 0' }],
    killer: { file: 'randomness.test.ts', test: 'a few bytes at a time' },
  },
  {
    id: 'state-in-the-process',
    bug: "Noise comes from OpenSSL's generator, whose state a clone of the machine has too.",
    clause: 'C7',
    edits: [
      {
        in: 'operatingSystemRandom',
        from: 'poolRandom(kernelFill, () => process.pid)',
        to: 'poolRandom(randomFillSync, () => process.pid)',
      },
    ],
    killer: { file: 'randomness.test.ts', test: 'bits come from the device of the kernel' },
  },
];
