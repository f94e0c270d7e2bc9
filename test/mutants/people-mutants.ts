import type { Mutant } from './mutant.ts';

const CHOICE = 'tap-choice.test.ts';
const CHOSEN = 'takes the lowest ranks of each card and scope';
const CURVE = 'gaussian-curve.test.ts';
const OF_PEOPLE = 'noise for people is that of the exact sampler';

/** What can go wrong where a card's week is protected: noise, bounds and losses that are not those of the certificate. */
export const PEOPLE_MUTANTS: Mutant[] = [
  {
    id: 'variance-of-another-query',
    bug: 'The margin by time has the σ² of the cells, of which nobody has certified that it suffices.',
    clause: 'C7',
    edits: [{ in: 'makeNoise', from: 'fill(marginScales.time)', to: 'fill(scale)' }],
    killer: { file: 'drawn-noise.test.ts', test: OF_PEOPLE },
  },
  {
    id: 'gaussian-noise-of-doubles',
    bug: 'Gaussian noise is made of doubles by logarithm and cosine, and rounded.',
    clause: 'C7',
    edits: [
      {
        in: 'fillOf',
        from: 'if (scale !== undefined) return samplerOf(mechanism)(parseRational(scale), random).fill;',
        to: `if (scale !== undefined && MECHANISMS[mechanism].drawnNoise === 'discrete-gaussian') {
    const { numerator, denominator } = parseRational(scale);
    const sigma = Math.sqrt(Number(numerator) / Number(denominator));
    const uniform = () => (random.uint32() + 0.5) / 2 ** 32;
    return (target) => target.forEach((_, at) => {
      target[at] = Math.round(sigma * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
    });
  }
  if (scale !== undefined) return samplerOf(mechanism)(parseRational(scale), random).fill;`,
      },
    ],
    killer: { file: 'drawn-noise.test.ts', test: OF_PEOPLE },
  },
  {
    id: 'second-tap-of-a-bin',
    bug: 'A card that changes buses in one time bin counts twice there, so that a time moves by two.',
    clause: 'C2',
    edits: [
      {
        in: 'LowestRanks.offer',
        from: 'const list = bound ? this.#ofTime : this.#counted;',
        to: 'const list = bound ? this.#ofTable : this.#counted;',
      },
    ],
    killer: { file: CHOICE, test: CHOSEN },
  },
  {
    id: 'place-without-its-bound',
    bug: 'All taps of a card at one place count, so that the margin of the place moves by more than is certified.',
    clause: 'C2',
    edits: [
      {
        in: 'LowestRanks.#endTable',
        from: 'const list = before < this.#choice.bound!.place ? this.#counted : this.#leftOut;',
        to: 'const list = this.#counted;',
      },
    ],
    killer: { file: CHOICE, test: CHOSEN },
  },
  {
    id: 'rho-halved',
    bug: 'ρ is n²/(4σ²), so that a year of people fits twice below a cap.',
    clause: 'C8',
    edits: [
      {
        in: 'rhoOf',
        from: 'rational(BigInt(counts) * BigInt(by) ** 2n, 2n)',
        to: 'rational(BigInt(counts) * BigInt(by) ** 2n, 4n)',
      },
    ],
    killer: { file: CURVE, test: 'delta-joint-003: ρ exactly' },
  },
  {
    id: 'losses-of-the-wrong-tail',
    bug: 'δ is that of losses above 2ρ − ε, and not above ε.',
    clause: 'C10',
    edits: [{ in: 'gaussianCurve', from: 'subtract(epsilon, rho)', to: 'subtract(rho, epsilon)' }],
    killer: { file: CURVE, test: 'delta-joint-003' },
  },
  {
    id: 'clamp-for-its-square',
    bug: 'σ² of places and of left-out taps follows from how much they move, and not from the square of it.',
    clause: 'C8',
    edits: [{ in: 'squaresOf', from: 'BigInt(by) ** 2n', to: 'BigInt(by)' }],
    killer: { file: 'gaussian-design.test.ts', test: 'design-001' },
  },
  {
    id: 'variance-for-deviation',
    bug: 'Statistics take σ² where they take σ: what a design shows, intervals of sums and attacks are those of other noise.',
    clause: 'C19',
    edits: [{ in: 'noiseOfCount', from: 'Math.sqrt(number)', to: 'number' }],
    killer: { file: 'people-designs.test.ts', test: 'the model takes the law of the certificate' },
  },
  {
    id: 'empty-cells-not-in-the-floor',
    bug: 'The usual floor of people looks at lone taps alone: of a city hundreds of rows are expected where nobody was.',
    clause: 'C8',
    edits: [{ in: 'usualFloors', from: "MECHANISMS[mechanism].shares === 'of ρ' && cells", to: 'null' }],
    killer: { file: 'certificate/floors.test.ts', test: 'floors of people' },
  },
  {
    id: 'charge-below-its-certificate',
    bug: 'A reader adds up what the ledger charged, and does not look whether certificates say the same.',
    clause: 'C12',
    edits: [{ in: 'sumInWords', from: 'n * own!.d === own!.n * d', to: 'n >= 0n && d > 0n' }],
    killer: { file: 'rho-sums.test.ts', test: 'half of its ρ' },
  },
  {
    id: 'caps-not-compared',
    bug: 'A release may name smaller caps than its charge was held against, and readers believe that a year costs less.',
    clause: 'C12',
    edits: [{ in: 'checkAttestation', from: 'manifest.texts.versions.at(-1) === capsInWords(reserve)', to: 'true' }],
    killer: { file: 'verify-publication.test.ts', test: 'smaller caps than those that it was charged under' },
  },
];
