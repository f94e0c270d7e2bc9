import { describe, expect, test } from 'vitest';
import { divide, parseRational, rational } from '../../core/rational/rational.ts';
import gaussian from '../../test/vectors/discrete-gaussian.json' with { type: 'json' };
import vectors from '../../test/vectors/levels-and-floors.json' with { type: 'json' };
import { checkCertificate } from '../certificate-check/check-certificate.ts';
import { cellNoise } from './cell-noise.ts';
import { type CertificateRequest, certify, noiseOnCells } from './certify.ts';
import { type AskedFloors, certifyFloors, usualFloors } from './floors.ts';

const TAP = { mechanism: 'complete-domain', unit: 'tap', neighbours: 'add-remove', publish: 'on' } as const;
const TRIP = { mechanism: 'complete-domain', unit: 'trip', neighbours: 'replace-one', publish: 'on+off' } as const;
const CARD = {
  mechanism: 'complete-domain',
  unit: 'card-window',
  maxTaps: 16,
  neighbours: 'replace-one',
  publish: 'on+off',
} as const;

type LawVector = { id: string; in: { b: string; floor: number }; out: { p_empty: string; p_lone: string } };
type FloorVector = { id: string; in: { b: string; limit: string }; out: { floor: number; p_lone: string } };
const ofKind = (name: string) => vectors.cases.filter(({ kind }) => kind === name);

const noiseOf = (b: string) => cellNoise('complete-domain', parseRational(b));
/** The noise of a share of ε. */
const shareOf = (share: string, d1: bigint) => cellNoise('complete-domain', divide(rational(d1), parseRational(share)));

describe('@contract C8 the laws of a floor', () => {
  const laws = ofKind('floor-law') as unknown as LawVector[];
  test.each(laws)('$id', ({ in: { b, floor }, out }) => {
    const { shown, threshold } = certifyFloors({ ...TAP, floor }, noiseOf(b));
    expect(threshold).toBe(floor);
    // The vectors are rounded to the nearest of 20 digits: they are one of the two bounds.
    const near = ({ lower, upper }: { lower: string; upper: string }) => [Number(lower), Number(upper)];
    expect(near(shown!.cell.empty)).toContain(Number(out.p_empty));
    expect(near(shown!.cell.lone)).toContain(Number(out.p_lone));
  });

  const smallest = ofKind('smallest-floor') as unknown as FloorVector[];
  test.each(smallest.filter(({ in: { limit } }) => limit === '1/10000'))('$id', ({ in: { b }, out }) => {
    expect(usualFloors({}, TAP, noiseOf(b))).toEqual({ floor: out.floor });
  });
});

const request = (change: Partial<CertificateRequest> = {}): CertificateRequest => ({
  ...TRIP,
  mechanism: 'complete-domain',
  epsilon: '8',
  delta: '0',
  split: { cells: '31/5', time: '7/10', location: '11/10' },
  floor: 7,
  ...change,
});

test('C8: the Oyster example: floors 7 and 10 follow from the rule', () => {
  const asked: AskedFloors = { hours: { bins: 4 } };
  expect(usualFloors(asked, TRIP, shareOf('31/5', 4n))).toEqual({ floor: 7, hours: { floor: 10, bins: 4 } });
});

test('C8: the usual floor grows with the taps that one unit can put in a cell', () => {
  const { floor, hours } = usualFloors({ hours: { bins: 4 } }, CARD, shareOf('31/5', 32n));
  const certificate = certify({ ...request(), ...CARD, floor: floor!, hours: hours! });
  const { cell, hour } = certificate.shown!;
  expect(Number(cell.lone.upper)).toBeLessThanOrEqual(1e-4);
  expect(Number(hour!.lone.upper)).toBeLessThanOrEqual(1e-4);
  const lower = certify({ ...request(), ...CARD, floor: floor! - 1 });
  expect(Number(lower.shown!.cell.lone.lower)).toBeGreaterThan(1e-4);
  const lowerHour = certify({ ...request(), ...CARD, floor: floor!, hours: { floor: hours!.floor - 1, bins: 4 } });
  expect(Number(lowerHour.shown!.hour!.lone.lower)).toBeGreaterThan(1e-4);
  expect(checkCertificate(certificate)).toEqual([]);
});

describe('@contract C10 certificates with floors', () => {
  const good = certify(request({ hours: { floor: 9, bins: 4 } }));

  test('are checked from themselves', () => {
    expect(good).toMatchObject({ threshold: 7, floor: 7, deltaUpper: '0', worstPattern: [] });
    expect(checkCertificate(good)).toEqual([]);
    expect(checkCertificate(certify(request()))).toEqual([]);
    const unreached = certify(request({ hours: { floor: 25, bins: 4 } }));
    expect(unreached.shown!.hour).toEqual({ lone: { lower: '0', upper: '0' }, empty: { lower: '0', upper: '0' } });
    expect(checkCertificate(unreached)).toEqual([]);
    expect(checkCertificate(certify(request({ hours: { floor: 24, bins: 4 } })))).toEqual([]);
    for (const sentence of good.rechecked) expect(sentence).toMatch(/^[A-Z0-9].+\.$/);
    expect(good.rechecked.join(' ')).toContain('hour row');
  });

  const raised = (text: string) => `${text.slice(0, 5)}${(Number(text[5]) + 1) % 10}${text.slice(6)}`;
  const { cell, hour } = good.shown!;
  test.each([
    ['another threshold', { threshold: 8 }],
    ['no threshold', { threshold: null }],
    ['no chances', { shown: undefined }],
    [
      'another chance of a lone unit',
      { shown: { cell: { ...cell, lone: { ...cell.lone, upper: raised(cell.lone.upper) } }, hour } },
    ],
    ['another chance of an empty cell', { shown: { cell: { ...cell, empty: cell.lone }, hour } }],
    ['no chances of an hour', { shown: { cell } }],
    ['another chance of an hour', { shown: { cell, hour: { ...hour!, empty: hour!.lone } } }],
    ['hour rows without a rule', { hours: undefined }],
    ['a floor of hours below that of cells', { hours: { floor: 6, bins: 4 } }],
    ['another number of bins', { hours: { floor: 9, bins: 6 } }],
    ['another format', { format: 'opaline-certificate/2' }],
    ['another mechanism', { mechanism: 'stability-histogram' }],
  ])('broken twin: %s', (_, change) => {
    const twin = Object.fromEntries(Object.entries({ ...good, ...change }).filter(([, value]) => value !== undefined));
    expect(checkCertificate(twin).length).toBeGreaterThan(0);
  });

  test.each([
    ['a floor of 1', { floor: 1 }],
    ['a floor that is no whole number', { floor: 7.5 }],
    ['hour rows without a floor', { floor: undefined, hours: { floor: 9, bins: 4 } }],
    ['hours of one bin', { hours: { floor: 9, bins: 1 } }],
    ['hours under a lower floor', { hours: { floor: 6, bins: 4 } }],
    ['hours with next to no share for cells', { floor: 2000, hours: { floor: 2000, bins: 2 } }],
    ['a floor on a stability histogram', { mechanism: 'stability-histogram', delta: '1e-6' }],
    ['a floor that one card reaches', { ...CARD, floor: 16 }],
  ] as const)('%s is refused', (_, change) => {
    const asked = Object.fromEntries(
      Object.entries({ ...request(), ...change }).filter(([, value]) => value !== undefined),
    ) as CertificateRequest;
    expect(() => certify(asked)).toThrow(expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }));
  });
});

test('C8: hour rows that nobody can have are refused with the usual floors too', () => {
  for (const asked of [{ floor: 'none', hours: { bins: 4 } }, { hours: { bins: 1 } }] as const)
    expect(() => usualFloors(asked, TRIP, shareOf('31/5', 4n))).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }),
    );
  expect(usualFloors({ floor: 'none' }, TRIP, shareOf('31/5', 4n))).toEqual({});
  const histogram = { ...TRIP, mechanism: 'stability-histogram' } as const;
  expect(usualFloors({}, histogram, shareOf('31/5', 4n))).toEqual({});
  expect(() => usualFloors({ floor: 'none' }, histogram, shareOf('31/5', 4n))).toThrow('Only complete-domain and');
});

const CARDS = {
  mechanism: 'discrete-gaussian',
  unit: 'card-window',
  maxTaps: 4,
  place: 2,
  neighbours: 'add-remove',
  publish: 'on+off',
} as const;

describe('@contract C8 floors over discrete Gaussian noise', () => {
  const noise = (s2: string) => cellNoise('discrete-gaussian', parseRational(s2));

  test.each(gaussian.cases.filter(({ kind, in: { m } }) => kind === 'floor' && m === 1))(
    '$id',
    ({ in: asked, out }) => {
      expect(usualFloors({}, CARDS, noise(asked.s2!))).toEqual({ floor: out.F });
      const { shown } = certifyFloors({ ...CARDS, floor: out.F! }, noise(asked.s2!));
      expect(Number(shown!.cell.lone.upper) / Number(out.p_lone)).toBeCloseTo(1, 14);
      expect(Number(shown!.cell.empty.lower) / Number(out.p_empty)).toBeCloseTo(1, 14);
    },
  );

  // A card has one tap in a bin, so two of its taps are in two bins, and no bin ever has both.
  test.each(gaussian.cases.filter(({ kind, in: { counts } }) => kind === 'hour-row' && Math.max(...counts!) < 2))(
    '$id',
    ({ in: { s2, F, F2, counts }, out }) => {
      const bins = counts!.length;
      const { shown } = certifyFloors({ ...CARDS, floor: F!, hours: { floor: F2!, bins } }, noise(s2!));
      const { lone, empty } = shown!.hour!;
      expect(Number((counts!.includes(1) ? lone : empty).upper) / Number(out.p)).toBeCloseTo(1, 10);
    },
  );

  test('an hour row of a card with one tap at a place is shown less often than with two', () => {
    const shownOf = (place: number) =>
      certifyFloors({ ...CARDS, place, floor: 8, hours: { floor: 14, bins: 4 } }, noise('9/4')).shown!.hour!.lone;
    expect(Number(shownOf(1).upper)).toBeLessThan(Number(shownOf(2).lower));
  });

  test('a floor that no noise reaches is refused in one sentence', () => {
    expect(() => certifyFloors({ ...CARDS, floor: 1000 }, noise('1'))).toThrow('take a smaller one');
  });
});

test('@contract C8 floors of people: a lone tap once in 10,000, and ten rows where nobody was', () => {
  const week = {
    mechanism: 'discrete-gaussian',
    unit: 'card-window',
    maxTaps: 28,
    place: 2,
    neighbours: 'add-remove',
    publish: 'on+off',
    epsilon: '1',
    delta: '1/100000000',
    split: { cells: '4/5', time: '2/25', location: '3/25' },
  } as const;
  // A city is large enough for the second to bind, and of a thousand cells the first does.
  const floors = (cells: number, more: object = {}) => usualFloors({ cells, ...more }, week, noiseOnCells(week));
  expect(floors(3_544_002, { hours: { bins: 4 } })).toEqual({ floor: 138, hours: { floor: 227, bins: 4 } });
  expect(floors(1000)).toEqual({ floor: 114 });
  const rowsOfNobody = (floor: number): number =>
    3_544_002 * Number(certify({ ...week, floor }).shown!.cell.empty.upper);
  expect(rowsOfNobody(138)).toBeLessThanOrEqual(10);
  expect(rowsOfNobody(137)).toBeGreaterThan(10);
});
