import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../contracts/certificate.ts';
import type { Interval } from '../../core/rational/interval.ts';
import {
  add,
  compare,
  divide,
  formatRational,
  multiply,
  ONE,
  parseRational,
  type Rational,
  rational,
  subtract,
  toNumber,
} from '../../core/rational/rational.ts';
import {
  gaussianCount,
  hockeyStick,
  noisyCount,
  type ReleasedCount,
  stabilityCell,
} from '../../test/oracles/hockey-stick.ts';
import { untried } from '../../test/support/unit-coverage.ts';
import { type CertificateRequest, certify } from './certify.ts';

/**
 * The certificate against the definition: for every pair of neighbours over a small domain, the exact hockey stick of
 * the law of what is released (cells, and margins where there are some) is at most the certified δ.
 */
const BITS = 128;
/** For Gaussian noise, this many σ, rounded up to a whole number, leave less than a ten-millionth outside. */
const SIGMAS = 5;

/** Where a tap is counted: on or off, time, location. Two of each make a domain in which everything can happen. */
type Cell = { tap: string; time: number; location: number };
type Unit = Cell[];

const PLACES = [0, 1].flatMap((time) => [0, 1].map((location) => ({ time, location })));

function cellsOf(publish: string): Cell[] {
  return publish.split('+').flatMap((tap) => PLACES.map((place) => ({ tap, ...place })));
}

const keyOf = ({ tap, time, location }: Cell) => `${tap} ${time} ${location}`;

/** All multisets of at most `size` of the cells. */
function multisets(cells: Cell[], size: number): Unit[] {
  if (size === 0) return [[]];
  return cells.flatMap((cell, i) => multisets(cells.slice(i), size - 1).map((rest) => [cell, ...rest])).concat([[]]);
}

/** Every unit: what one tap, trip or card may add. The empty unit is a row without any valid tap. */
function unitsOf({ unit, publish, maxTaps, place }: CertificateRequest): Unit[] {
  const cells = cellsOf(publish);
  if (unit === 'tap') return multisets(cells, 1);
  if (unit === 'trip') {
    const [ons, offs] = ['on', 'off'].map((tap) =>
      multisets(
        cells.filter((cell) => cell.tap === tap),
        1,
      ),
    );
    return ons!.flatMap((on) => offs!.map((off) => [...on, ...off]));
  }
  return multisets(cells, maxTaps!).filter((taps) => place === undefined || isBounded(taps, place));
}

/** Of a card under discrete-gaussian: at most one tap in each bin of an end, and `place` at each location of an end. */
function isBounded(taps: Unit, place: number): boolean {
  return taps.every((one) => {
    const among = (part: 'time' | 'location') =>
      count(taps, ({ tap, [part]: at }) => tap === one.tap && at === one[part]);
    return among('time') === 1 && among('location') <= place;
  });
}

/** Pairs of units that make neighbours, without mirror images of the domain: the first tap is in the first place. */
function pairs(request: CertificateRequest): [Unit, Unit][] {
  const units = unitsOf(request);
  const first = units.filter(([cell]) => cell === undefined || (cell.time === 0 && cell.location === 0));
  const others = request.neighbours === 'replace-one' ? units : [[]];
  return [...first.flatMap((a) => others.map((b): [Unit, Unit] => [a, b])), ...ofUnusableTap(request)].flatMap(
    ([a, b]): [Unit, Unit][] => [
      [a, b],
      [b, a],
    ],
  );
}

/** One tap of a trip that nobody can use leaves no tap of its row, and a good one in its place leaves both. */
function ofUnusableTap({ unit, rows, neighbours, publish }: CertificateRequest): [Unit, Unit][] {
  if (unit !== 'tap' || rows === 'taps' || neighbours !== 'replace-one') return [];
  const trip = publish.split('+').map((tap): Cell => ({ tap, time: 0, location: 0 }));
  return [[[], trip]];
}

const count = (unit: Unit, matches: (cell: Cell) => boolean) => unit.filter(matches).length;

/** A count that is published whatever it is. */
function drawnCount({ mechanism }: Certificate, c: number, d: number, scale: string): ReleasedCount {
  const amount = parseRational(scale);
  if (mechanism !== 'discrete-gaussian') return noisyCount(c, d, divide(ONE, amount), BITS);
  return gaussianCount(c, d, amount, Math.ceil(SIGMAS * Math.sqrt(toNumber(amount))), BITS);
}

/** The counts of a release that differ between two neighbours; equal ones add nothing to a hockey stick. */
function releasedCounts(certificate: Certificate, [a, b]: [Unit, Unit], base: (cell: Cell) => number): ReleasedCount[] {
  const counts: ReleasedCount[] = [];
  const { threshold, scale } = certificate;
  const cells = cellsOf(certificate.publish);
  for (const cell of cells) {
    const same = (other: Cell) => keyOf(other) === keyOf(cell);
    const [c, d] = [base(cell) + count(a, same), base(cell) + count(b, same)];
    if (c === d) continue;
    if (threshold === null) counts.push(drawnCount(certificate, c, d, scale));
    else counts.push(stabilityCell(c, d, threshold, divide(ONE, parseRational(scale)), BITS));
  }
  for (const part of ['time', 'location'] as const) {
    const marginScale = certificate.marginScales[part];
    if (marginScale === undefined) continue;
    for (const key of new Set(cells.map((cell) => `${cell.tap} ${cell[part]}`))) {
      const inRow = (cell: Cell) => `${cell.tap} ${cell[part]}` === key;
      const [c, d] = [count(a, inRow), count(b, inRow)];
      if (c !== d) counts.push(drawnCount(certificate, c, d, marginScale));
    }
  }
  return counts;
}

function greater(a: Interval, b: Interval): Interval {
  return compare(a.upper, b.upper) >= 0 ? a : b;
}

/** The largest hockey stick over all pairs of neighbours and all contents of the other rows. */
function worstHockeyStick(certificate: Certificate, request: CertificateRequest, epsilon: Rational): Interval {
  const threshold = certificate.threshold ?? 2;
  // The rest of the data: nothing; all cells far above T; the other unit's cells far above T; one tap; just below T.
  const bases: ((a: Unit, b: Unit) => (cell: Cell) => number)[] = [
    () => () => 0,
    () => () => threshold + 2,
    (a) => (cell) => (a.some((tap) => keyOf(tap) === keyOf(cell)) ? 0 : threshold + 2),
    (a) => (cell) => (a.slice(1).some((tap) => keyOf(tap) === keyOf(cell)) ? threshold - 1 : 0),
    () => () => 1,
  ];
  let worst: Interval = { lower: rational(0n), upper: rational(0n) };
  // Of noise on every cell the hockey stick rests on differences alone; going through Gaussian noise takes long.
  const tried = certificate.mechanism === 'discrete-gaussian' ? bases.slice(0, 1) : bases;
  for (const [a, b] of pairs(request)) {
    const seen = new Set<string>();
    for (const base of tried) {
      const others = base(a, b);
      const signature = [...a, ...b].map(others).join();
      if (seen.has(signature)) continue;
      seen.add(signature);
      worst = greater(worst, hockeyStick(releasedCounts(certificate, [a, b], others), epsilon, BITS));
    }
  }
  return worst;
}

const base = { mechanism: 'stability-histogram', epsilon: '8', delta: '1e-3', split: {} } as const;
const people = {
  ...base,
  mechanism: 'discrete-gaussian',
  unit: 'card-day',
  place: 2,
  epsilon: '6',
  delta: '1e-2',
} as const;
const requests: CertificateRequest[] = [
  { ...base, unit: 'tap', neighbours: 'add-remove', publish: 'on+off' },
  { ...base, unit: 'tap', neighbours: 'replace-one', publish: 'on' },
  { ...base, unit: 'trip', neighbours: 'add-remove', publish: 'on+off' },
  { ...base, unit: 'trip', neighbours: 'replace-one', publish: 'on+off' },
  { ...base, unit: 'card-day', maxTaps: 2, neighbours: 'add-remove', publish: 'on+off' },
  { ...base, unit: 'card-day', maxTaps: 2, neighbours: 'replace-one', publish: 'on' },
  { ...base, unit: 'card-window', maxTaps: 3, neighbours: 'add-remove', publish: 'on' },
  { ...base, unit: 'card-window', maxTaps: 3, neighbours: 'add-remove', publish: 'on', epsilon: '1', delta: '1e-2' },
  { ...base, unit: 'tap', neighbours: 'replace-one', publish: 'on+off' },
  {
    ...base,
    unit: 'tap',
    rows: 'taps',
    neighbours: 'replace-one',
    publish: 'on+off',
    split: { time: '1', location: '1/2' },
  },
  { ...base, unit: 'trip', neighbours: 'add-remove', publish: 'on+off', split: { time: '1', location: '1' } },
  {
    ...base,
    unit: 'card-day',
    maxTaps: 2,
    neighbours: 'add-remove',
    publish: 'on',
    split: { time: '1', location: '1' },
  },
  { ...base, mechanism: 'complete-domain', delta: '0', unit: 'trip', neighbours: 'replace-one', publish: 'on+off' },
  {
    ...base,
    mechanism: 'complete-domain',
    delta: '0',
    unit: 'card-day',
    maxTaps: 2,
    neighbours: 'add-remove',
    publish: 'on',
    split: { time: '2' },
  },
  { ...people, place: 1, maxTaps: 1, neighbours: 'add-remove', publish: 'on', epsilon: '2' },
  { ...people, maxTaps: 3, neighbours: 'add-remove', publish: 'on+off' },
  { ...people, maxTaps: 2, neighbours: 'replace-one', publish: 'on' },
  { ...people, place: 1, maxTaps: 2, neighbours: 'replace-one', publish: 'on' },
  { ...people, maxTaps: 2, neighbours: 'add-remove', publish: 'on', split: { location: '1/2' } },
  { ...people, maxTaps: 1, neighbours: 'add-remove', publish: 'on+off', split: { time: '1/3', location: '1/3' } },
  { ...people, place: 1, maxTaps: 1, neighbours: 'replace-one', publish: 'on', split: { time: '1/5' } },
];

const name = ({ mechanism, unit, maxTaps, place, rows, neighbours, publish, epsilon, split }: CertificateRequest) =>
  [
    mechanism,
    unit,
    maxTaps,
    place ? `place ${place}` : '',
    rows ?? '',
    neighbours,
    publish,
    `ε ${epsilon}`,
    JSON.stringify(split),
  ].join(' ');

/** More than all the roundings of 128-bit bounds, less than any δ here. */
const DUST = parseRational('1e-30');
/** The tails of Gaussian noise beyond the reach, of all counts that differ. */
const TAILS = parseRational('1e-6');
const slackOf = ({ mechanism }: Certificate): Rational => (mechanism === 'discrete-gaussian' ? TAILS : DUST);

describe('@contract C10 certified δ against all neighbours of a small domain', () => {
  test('no unit and no mechanism of releases is left out', () => {
    expect(untried(requests)).toEqual([]);
    expect(untried(requests.slice(1, 5))).toEqual(['card-window', 'complete-domain', 'discrete-gaussian']);
  });

  test.each(requests.map((request) => [name(request), request] as const))('%s', (_, request) => {
    const certificate = certify(request);
    const worst = worstHockeyStick(certificate, request, parseRational(certificate.epsilon));
    const upper = parseRational(certificate.deltaUpper);
    expect(compare(worst.upper, add(upper, slackOf(certificate)))).toBeLessThanOrEqual(0);
    // Tight: within 1 % of what is attained; under discrete-gaussian it is attained.
    expect(compare(upper, multiply(worst.lower, rational(101n, 100n)))).toBeLessThanOrEqual(0);
    if (certificate.mechanism === 'discrete-gaussian')
      expect(compare(parseRational(certificate.deltaLower), add(worst.lower, TAILS))).toBeLessThanOrEqual(0);
  });

  test('broken twin: half the σ² of a design for people exceeds δ', () => {
    const request = requests.find(({ mechanism }) => mechanism === 'discrete-gaussian')!;
    const certificate = certify(request);
    const halved = formatRational(divide(parseRational(certificate.scale), rational(2n)));
    const worst = worstHockeyStick({ ...certificate, scale: halved }, request, parseRational(certificate.epsilon));
    expect(compare(worst.lower, parseRational(certificate.deltaUpper))).toBe(1);
  });

  test('broken twins: one threshold lower, and noise for half the change, exceed δ', () => {
    const request = requests[3]!;
    const certificate = certify(request);
    const upper = parseRational(certificate.deltaUpper);
    for (const broken of [{ threshold: certificate.threshold! - 1 }, { scale: '1/4' }]) {
      const worst = worstHockeyStick({ ...certificate, ...broken }, request, parseRational(certificate.epsilon));
      expect(compare(worst.lower, upper)).toBe(1);
    }
  });
});

/** A unit that moves counts far above the threshold, each tap between cells, times and locations of its own. */
function farMoves(certificate: Certificate): ReleasedCount[] {
  const taps = certificate.d1 / (certificate.neighbours === 'replace-one' ? 2 : 1);
  const isCard = certificate.unit.startsWith('card');
  // A card can have all its taps in one cell, where they move one count by k.
  const [places, size] = isCard ? [1, taps] : [taps, 1];
  const scales = [certificate.scale, certificate.marginScales.time, certificate.marginScales.location];
  return scales.flatMap((scale) => {
    if (scale === undefined) return [];
    const rate = divide(ONE, parseRational(scale));
    const left = noisyCount(50 + size, 50, rate, BITS);
    const arrived = certificate.neighbours === 'replace-one' ? [noisyCount(50, 50 + size, rate, BITS)] : [];
    return Array.from({ length: places }, () => [left, ...arrived]).flat();
  });
}

describe('@contract C10 tightness of ε, joint over cells and margins', () => {
  const pure = requests.filter(({ mechanism }) => mechanism === 'complete-domain');

  test.each(pure.map((request) => [name(request), request] as const))(
    'where δ is 0, at ε − 1/1000 outputs are told apart: %s',
    (_, request) => {
      const certificate = certify(request);
      const [counts, epsilon] = [farMoves(certificate), parseRational(certificate.epsilon)];
      expect(hockeyStick(counts, epsilon, BITS).lower.numerator).toBe(0n);
      expect(hockeyStick(counts, subtract(epsilon, rational(1n, 1000n)), BITS).lower.numerator > 0n).toBe(true);
      // A broken twin: noise for twice the change is not tight.
      const wide = farMoves({
        ...certificate,
        scale: formatRational(multiply(parseRational(certificate.scale), rational(2n))),
      });
      expect(hockeyStick(wide, subtract(epsilon, rational(1n, 1000n)), BITS).lower.numerator).toBe(0n);
    },
  );

  const splits = [{}, { time: '1/10', location: '1/5' }];
  const usual = requests
    .filter(({ mechanism, epsilon }) => mechanism === 'stability-histogram' && epsilon === '8')
    .flatMap((request) =>
      ['1', '8'].flatMap((epsilon) => splits.map((split) => ({ ...request, epsilon, delta: '1e-6', split }))),
    );

  test.each(usual.map((request) => [name(request), request] as const))('%s', (_, request) => {
    const certificate = certify(request);
    const [counts, upper] = [farMoves(certificate), parseRational(certificate.deltaUpper)];
    const epsilon = parseRational(certificate.epsilon);
    expect(compare(hockeyStick(counts, epsilon, BITS).upper, DUST)).toBe(-1);
    expect(compare(hockeyStick(counts, multiply(epsilon, rational(99n, 100n)), BITS).lower, upper)).toBe(1);
  });

  test('the joint law of the Oyster example: 7.2 + 0.3 + 0.5', () => {
    const request = { ...requests[3]!, delta: '1e-6', split: { cells: '7.2', time: '0.3', location: '0.5' } };
    const certificate = certify(request);
    const rate = divide(ONE, parseRational(certificate.scale));
    const upper = parseRational(certificate.deltaUpper);
    // A trip in two cells of its own is replaced by one in two full cells, and moves between the rows of all margins.
    const margins = farMoves(certificate).slice(4);
    const lone = stabilityCell(1, 0, certificate.threshold!, rate, BITS);
    const full = stabilityCell(50, 51, certificate.threshold!, rate, BITS);
    const delta = hockeyStick([lone, lone, full, full, ...margins], parseRational('8'), BITS);
    expect(compare(delta.upper, upper)).toBeLessThanOrEqual(0);
    expect(compare(upper, multiply(delta.lower, rational(101n, 100n)))).toBeLessThanOrEqual(0);
  });
});
