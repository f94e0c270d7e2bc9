import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../contracts/certificate.ts';
import {
  compare,
  divide,
  formatRational,
  ONE,
  parseRational,
  rational,
  subtract,
  toNumber,
} from '../../core/rational/rational.ts';
import { type CertificateRequest, certify } from '../../counts/certificate/certify.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import { gaussianLaw } from '../oracles/discrete-gaussian-law.ts';
import { hockeyStick, noisyCount, stabilityCell } from '../oracles/hockey-stick.ts';
import { drawTableWith } from '../support/draw-rows.ts';
import { untried } from '../support/unit-coverage.ts';
import { type Bounds, hockeyStickOf, inUnits, type Law, laplaceLaw, lawOf, type Pipeline, UNIT } from './output-law.ts';
import { adding, both, CASES, card, complete, histogram, named, nameOf, on, replacing } from './pipeline-cases.ts';
import { type Case, type Cell, cellsOf, countsOf, domainOf, pairsOf, type Unit, unitsOf } from './small-domain.ts';

/**
 * The implemented function against the definition: the law of the tables that drawTableWith puts out (cells, margins
 * and remainder rows together) is found by running it for all noise, and the exact hockey stick of every pair of
 * neighbours of a small domain is compared with the certificate. Nothing here knows how a table is made.
 */
const PARTITION = { part: 'bus', day: '2026-03-02' };
const pipeline: Pipeline = (noise, counts, domain, certificate) =>
  drawTableWith(noise, PARTITION, counts, domain, certificate);

const larger = (a: Bounds, b: Bounds): Bounds => (a.upper > b.upper ? a : b);

/** The largest hockey stick of all neighbours; `lost` probability is left out of each law. */
function worst(
  test: Case,
  certificate: Certificate,
  lost: number,
  run = pipeline,
  epsilon = certificate.epsilon,
): Bounds {
  const domain = domainOf(test);
  const laws = new Map<string, Law>();
  const law = (counts: CellCount[]): Law => {
    const name = JSON.stringify([...counts].sort());
    const known = laws.get(name) ?? lawOf(run, certificate, domain, counts, lost);
    laws.set(name, known);
    return known;
  };
  let most: Bounds = { lower: 0n, upper: 0n };
  for (const [a, b] of pairsOf(test.request, unitsOf(test.request, domain)))
    for (const each of [0, ...(test.bases ?? [])]) {
      // Only the cells that differ can have a base: any others are equal under both and cancel.
      const touched = [...new Map([...a, ...b].map((cell) => [cell.join(), cell])).values()];
      const [p, q] = [law(countsOf(a, touched, each)), law(countsOf(b, touched, each))];
      for (const [x, y] of [
        [p, q],
        [q, p],
      ] as const)
        most = larger(hockeyStickOf(x, y, parseRational(epsilon)), most);
    }
  return most;
}

const isGaussian = ({ mechanism }: Pick<Certificate, 'mechanism'>) => mechanism === 'discrete-gaussian';

/**
 * Probability that may be lost: a millionth at δ = 0, and of a δ of 1 % so much that its bounds are within 0.5 %.
 * Gaussian tails are short, and a millionth is between its bounds.
 */
const lostAt = (certificate: Certificate): number =>
  certificate.deltaUpper === '0'
    ? 1e-6
    : (isGaussian(certificate) ? 4e-7 : 4e-5) * Math.exp(-Number(certificate.epsilon));

/** The laws of these take longest to find. Each has a shorter case of its mechanism, unit and neighbours beside it. */
const LONGEST = [
  'complete-domain trip  replace-one on+off ε 12 {} 2×1',
  'discrete-gaussian card-window 2 place 2 replace-one on+off ε 6 {} 2×1',
  'discrete-gaussian card-day 2 place 1 add-remove on+off ε 6 {"location":"1/3"} 1×1',
  'discrete-gaussian card-day 3 place 2 add-remove on+off ε 6 {} 2×1',
  'stability-histogram trip  add-remove on+off ε 16 {"location":"8"} 1×1',
  'stability-histogram tap  replace-one on ε 16 {"time":"8"} 2×1',
  'complete-domain tap  replace-one on ε 24 {"time":"12"} 2×1',
];
const shorter = <Named extends readonly [string, unknown]>(cases: readonly Named[]) =>
  cases.filter(([name]) => !LONGEST.includes(name));
const longest = <Named extends readonly [string, unknown]>(cases: readonly Named[]) =>
  cases.filter(([name]) => LONGEST.includes(name));

/** More than is outside the ranges, less than a hundredth of any δ here. */
const SLACK = UNIT / 40_000n;
const MILLIONTH = UNIT / 1_000_000n;
const slackOf = (certificate: Certificate): bigint => (isGaussian(certificate) ? MILLIONTH : SLACK);

/** Does some pair of neighbours attain δ: exactly under discrete-gaussian, elsewhere to one part in a hundred? */
function isAttained(certificate: Certificate, { lower }: Bounds): boolean {
  const delta = (text: string) => inUnits(parseRational(text));
  return isGaussian(certificate)
    ? lower + MILLIONTH >= delta(certificate.deltaLower)
    : delta(certificate.deltaUpper) * 100n <= lower * 101n;
}

describe('C8 C10 the implemented function against its certificate, for all neighbours of a small domain', () => {
  test('no unit and no mechanism of releases is left out', () => {
    expect(untried(CASES.map(({ request }) => request))).toEqual([]);
  });

  // Tight: some pair of neighbours attains δ, except under a floor, where less is published.
  const isTight = (_: string, one: Case) => {
    const certificate = certify(one.request);
    const delta = inUnits(parseRational(certificate.deltaUpper));
    const most = worst(one, certificate, lostAt(certificate));
    expect(most.upper).toBeLessThanOrEqual(delta + slackOf(certificate));
    expect(most.lower).toBeLessThanOrEqual(delta);
    if (certificate.deltaUpper !== '0' && one.request.floor === undefined)
      expect(isAttained(certificate, most)).toBe(true);
  };
  test.each(shorter(named))('%s: the hockey stick is at most δ, and δ is tight', isTight);
  test.each(longest(named))('%s: the hockey stick is at most δ, and δ is tight', { tags: 'soak' }, isTight);

  test('broken twins exceed δ: a lower threshold, less noise, margins or empty cells without noise', () => {
    const exceeds = (one: Case, change: Partial<Certificate>, run = pipeline): boolean => {
      const certificate = certify(one.request);
      const most = worst(one, { ...certificate, ...change }, lostAt(certificate), run);
      return most.lower > inUnits(parseRational(certificate.deltaUpper)) + slackOf(certificate);
    };
    const caseOf = (text: string) => CASES[CASES.findIndex((one) => nameOf(one).startsWith(text))]!;
    const [tap, trip] = [caseOf('stability-histogram tap  add-remove on ε 2'), caseOf('stability-histogram trip  add')];
    expect(exceeds(tap, {})).toBe(false);
    expect(exceeds(tap, { threshold: certify(tap.request).threshold! - 1 })).toBe(true);
    expect(exceeds(trip, { scale: '1/4' })).toBe(true); // D1 = 1 where it is 2
    const ofCards = caseOf('discrete-gaussian card-window 2 place 2 add-remove on ε 4');
    const halved = divide(parseRational(certify(ofCards.request).scale), rational(2n));
    expect(exceeds(ofCards, { scale: formatRational(halved) })).toBe(true);
    const exactMargins: Pipeline = (noise, ...rest) => pipeline({ ...noise, time: () => 0 }, ...rest);
    const withTimes = caseOf('stability-histogram card-day 2 add-remove on ε 16');
    expect(exceeds(withTimes, {}, exactMargins)).toBe(true);
    const exactZeros: Pipeline = (noise, counts, ...rest) => {
      const cell: typeof noise.cell = (tap, time, location) =>
        counts.some((count) => count.slice(0, 3).join() === [tap, time, location].join())
          ? noise.cell(tap, time, location)
          : 0;
      return pipeline({ ...noise, cell }, counts, ...rest);
    };
    expect(exceeds(caseOf('complete-domain tap  add-remove on ε 1'), {}, exactZeros)).toBe(true);
  });

  test('broken twins exceed δ = 0: a floor that looks at true counts, and an hour row with them', () => {
    const [one] = CASES.filter(({ request }) => request.hours && request.unit === 'tap') as [Case];
    const certificate = certify(one.request);
    const exceeds = (run: Pipeline) => worst(one, certificate, lostAt(certificate), run).lower > SLACK;
    expect(exceeds(pipeline)).toBe(false);
    const onTrueCounts: Pipeline = (noise, counts, domain, rules) => {
      const table = pipeline(noise, counts, domain, rules);
      const occupied = new Set(counts.map(([tap, time, location]) => `${tap} ${time} ${location}`));
      return {
        ...table,
        cells: table.cells.filter(([tap, time, location]) => occupied.has(`${tap} ${time} ${location}`)),
      };
    };
    expect(exceeds(onTrueCounts)).toBe(true);
    const trueHours: Pipeline = (noise, counts, domain, rules) => ({
      ...pipeline(noise, counts, domain, rules),
      hours: [['on', '08', '2000', counts.reduce((sum, [, , , count]) => sum + count, 0)]],
    });
    expect(exceeds(trueHours)).toBe(true);
  });

  test('a pipeline that uses one draw twice is refused', () => {
    const [one] = CASES as [Case];
    const shared: Pipeline = (noise, ...rest) =>
      pipeline({ ...noise, cell: () => noise.cell('on', 'x', 'y') }, ...rest);
    const counts = countsOf([], cellsOf(domainOf(one)), 9);
    expect(() => lawOf(shared, certify(one.request), domainOf(one), counts, 1e-3)).toThrow('twice');
  });
});

type FarCase = [request: CertificateRequest, times: number, locations: number, a: Unit, b: Unit];
const [FIRST, SECOND]: [Cell, Cell] = [
  ['on', '08:00', '2000'],
  ['on', '08:15', '2000'],
];
const [OFF_FIRST, OFF_SECOND]: [Cell, Cell] = [
  ['off', '08:00', '2000'],
  ['off', '08:15', '2000'],
];
/** Two units far above the threshold: what the one has and the other has not moves counts, times and locations. */
const FAR: FarCase[] = (() => {
  const rare = { ...histogram, delta: '1e-3' } as const;
  return [
    [{ ...rare, ...on, ...adding, unit: 'tap', epsilon: '2' }, 1, 1, [FIRST], []],
    [{ ...rare, ...on, ...replacing, unit: 'tap', epsilon: '3' }, 2, 1, [FIRST], [SECOND]],
    [{ ...rare, ...both, ...adding, unit: 'trip', epsilon: '4' }, 1, 1, [FIRST, OFF_FIRST], []],
    [{ ...rare, ...both, ...replacing, unit: 'trip', epsilon: '12' }, 2, 1, [FIRST, OFF_FIRST], [SECOND, OFF_SECOND]],
    [{ ...rare, ...on, ...adding, ...card, maxTaps: 2, epsilon: '4' }, 1, 1, [FIRST, FIRST], []],
    [
      { ...rare, ...on, ...replacing, ...card, maxTaps: 3, epsilon: '6' },
      2,
      1,
      Array(3).fill(FIRST),
      Array(3).fill(SECOND),
    ],
    [{ ...rare, ...on, ...adding, unit: 'tap', epsilon: '6', split: { time: '2', location: '2' } }, 1, 1, [FIRST], []],
    [{ ...rare, ...on, ...replacing, unit: 'tap', epsilon: '16', split: { time: '8' } }, 2, 1, [FIRST], [SECOND]],
    [
      { ...rare, ...both, ...adding, unit: 'trip', epsilon: '16', split: { location: '8' } },
      1,
      1,
      [FIRST, OFF_FIRST],
      [],
    ],
  ];
})();

/** Where δ is 0 every cell has noise, so that any count will do. */
const WITHOUT_DELTA: FarCase[] = [
  [{ ...complete, ...on, ...adding, unit: 'tap', epsilon: '1' }, 1, 1, [FIRST], []],
  [{ ...complete, ...on, ...replacing, unit: 'tap', epsilon: '2' }, 2, 1, [FIRST], [SECOND]],
  [{ ...complete, ...both, ...adding, unit: 'trip', epsilon: '2' }, 1, 1, [FIRST, OFF_FIRST], []],
  [{ ...complete, ...on, ...adding, ...card, maxTaps: 3, epsilon: '3' }, 1, 1, [FIRST, FIRST, FIRST], []],
  [
    { ...complete, ...on, ...adding, unit: 'tap', epsilon: '6', split: { time: '2', location: '2' } },
    1,
    1,
    [FIRST],
    [],
  ],
  [{ ...complete, ...on, ...replacing, unit: 'tap', epsilon: '24', split: { time: '12' } }, 2, 1, [FIRST], [SECOND]],
];

const namedFar = (cases: readonly FarCase[]) =>
  cases.map((one) => [nameOf({ request: one[0], times: one[1], locations: one[2] }), one] as const);

/** Laws of the output of two units beside 30 taps in each cell that one of them has; `lost` times e^ε is left out. */
function farLaws([request, times, locations, a, b]: FarCase, lost: number, certificate = certify(request)): [Law, Law] {
  const domain = domainOf({ request, times, locations });
  const rest = lost * Math.exp(-Number(certificate.epsilon));
  const law = (unit: Unit) =>
    lawOf(pipeline, certificate, domain, countsOf(unit, [...new Set([...a, ...b])], 30), rest);
  return [law(a), law(b)];
}

describe('C10 far above the threshold, joint over cells and margins', () => {
  const isCertified = (_: string, one: FarCase) => {
    const certificate = certify(one[0]);
    const [p, q] = farLaws(one, 2e-4);
    const delta = inUnits(parseRational(certificate.deltaUpper));
    expect(hockeyStickOf(p, q, parseRational(certificate.epsilon)).upper).toBeLessThanOrEqual(delta + SLACK);
  };
  test.each(shorter(namedFar(FAR)))('%s: at ε the hockey stick of the output is at most δ', isCertified);
  test.each(longest(namedFar(FAR)))(
    '%s: at ε the hockey stick of the output is at most δ',
    { tags: 'soak' },
    isCertified,
  );
});

const THOUSANDTH = rational(1n, 1000n);

describe('C10 where δ is 0, ε is tight, joint over cells and margins', () => {
  const under = (epsilon: string) => subtract(parseRational(epsilon), THOUSANDTH);

  const isPositive = (_: string, one: FarCase) => {
    const { epsilon } = certify(one[0]);
    const [p, q] = farLaws(one, 1e-6);
    expect(hockeyStickOf(p, q, parseRational(epsilon)).upper).toBeLessThanOrEqual(SLACK);
    expect(hockeyStickOf(p, q, under(epsilon)).lower).toBeGreaterThan(0n);
  };
  const text = '%s: at ε − 1/1000 the hockey stick of the output is positive';
  test.each(shorter(namedFar(WITHOUT_DELTA)))(text, isPositive);
  test.each(longest(namedFar(WITHOUT_DELTA)))(text, { tags: 'soak' }, isPositive);

  test('broken twin: with noise that is a hundredth too large it is not', () => {
    const [one] = WITHOUT_DELTA as [FarCase];
    const certificate = certify(one[0]);
    const [p, q] = farLaws(one, 1e-6, { ...certificate, scale: '101/100' });
    expect(certificate.scale).toBe('1');
    expect(hockeyStickOf(p, q, under(certificate.epsilon)).lower).toBe(0n);
  });
});

describe('the law of the output', () => {
  test('probabilities of the noise are those of the formula, and add up to 1', () => {
    const { magnitudes, outside } = laplaceLaw('3/2', 20);
    const alpha = Math.exp(-2 / 3);
    const number = (x: bigint) => Number(x) / Number(UNIT);
    magnitudes.forEach(({ lower, upper }, n) => {
      expect(lower).toBeLessThan(upper);
      expect(number(lower)).toBeCloseTo(((1 - alpha) / (1 + alpha)) * alpha ** n, 14);
    });
    const inside = magnitudes.reduce((sum, { upper }, n) => sum + (n === 0 ? upper : 2n * upper), 0n);
    expect(number(inside + outside)).toBeCloseTo(1, 14);
  });

  test('Gaussian noise: in proportion to e^(−x²/(2σ²)), which adds up to 1', () => {
    const { magnitudes, outside } = gaussianLaw(parseRational('5/4'), 8, 160);
    const weight = (n: number) => Math.exp(-(n ** 2) / 2.5);
    const all = Array.from({ length: 61 }, (_, i) => weight(i - 30)).reduce((sum, one) => sum + one);
    magnitudes.forEach(({ lower, upper }, n) => {
      expect(compare(lower, upper)).toBe(-1);
      expect(toNumber(lower)).toBeCloseTo(weight(n) / all, 14);
      expect(toNumber(subtract(upper, lower))).toBeLessThan(1e-40);
    });
    const beyond = 2 * Array.from({ length: 20 }, (_, i) => weight(9 + i)).reduce((sum, one) => sum + one);
    expect(toNumber(outside) / (beyond / all)).toBeCloseTo(1, 9);
  });

  test('agrees with the closed form of two counts, one below the threshold and one far above', () => {
    const request: CertificateRequest = { ...histogram, ...on, ...replacing, unit: 'tap', epsilon: '3' };
    const certificate = certify(request);
    const domain = domainOf({ request, times: 2, locations: 1 });
    const [first, second] = cellsOf(domain) as [Cell, Cell];
    const law = (counts: CellCount[]) => lawOf(pipeline, certificate, domain, counts, 1e-12);
    const p = law([
      [...first, 1],
      [...second, 20],
    ]);
    const q = law([[...second, 21]]);
    const rate = divide(ONE, parseRational(certificate.scale));
    const counts = [stabilityCell(1, 0, certificate.threshold!, rate, 128), noisyCount(20, 21, rate, 128)];
    const closed = hockeyStick(counts, parseRational('1'), 128);
    const found = hockeyStickOf(p, q, parseRational('1'));
    expect(found.lower).toBeLessThanOrEqual(inUnits(closed.upper));
    expect(found.upper).toBeGreaterThanOrEqual(inUnits(closed.lower) - 1n);
    expect(found.upper - found.lower).toBeLessThan(UNIT / 10n ** 10n);
  });
});
