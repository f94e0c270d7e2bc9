import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../contracts/certificate.ts';
import { parseRational, rational, subtract } from '../../core/rational/rational.ts';
import { type CertificateRequest, certify } from '../../counts/certificate/certify.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { LeftOutCount } from '../../counts/mechanisms/left-out.ts';
import type { Tap } from '../../counts/tables/tap-tables.ts';
import { drawTableWith } from '../support/draw-rows.ts';
import { type Bounds, hockeyStickOf, inUnits, type Law, lawOf, UNIT } from './output-law.ts';

/**
 * Series that count taps that are in no cell: the law of cells, margins and numbers of left-out taps together, against
 * the certificate. Of cards for every pair with more taps than bound and clamp count; of trips and taps for every pair of
 * rows that can be read or not, at one end or both.
 */
const PARTITION = { part: 'bus', day: '2026-03-02' };
const TIMES = ['08:00', '08:15'];

/** The ends of the taps of one card in the order of their ranks, with the time of each. */
type Card = readonly (readonly [tap: Tap, time: string])[];

/** What one unit adds to the counts. */
type Counted = { counts: CellCount[]; leftOut: LeftOutCount[] };

/** What is counted of a card: the first k of its taps, and of the next the first `clamp` by end. */
function countedOf(card: Card, k: number, clamp: number): Counted {
  const cells = new Map<string, CellCount>();
  for (const [tap, time] of card.slice(0, k)) {
    const name = `${tap} ${time}`;
    cells.set(name, [tap, time, '2000', (cells.get(name)?.[3] ?? 0) + 1]);
  }
  const left = card.slice(k, k + clamp);
  const ends = [...new Set(left.map(([tap]) => tap))];
  const leftOut = ends.map((end): LeftOutCount => [end, left.filter(([tap]) => tap === end).length]);
  return { counts: [...cells.values()], leftOut };
}

/** Every card of at most `most` taps of the published ends; the order of the taps is that of their ranks. */
function cardsOf(taps: readonly Tap[], times: readonly string[], most: number): Card[] {
  const all = taps.flatMap((tap) => times.map((time) => [tap, time] as const));
  const cards: Card[] = [[]];
  let last: Card[] = [[]];
  for (let size = 0; size < most; size++) {
    last = last.flatMap((card) => all.map((tap) => [...card, tap]));
    cards.push(...last);
  }
  return cards;
}

/** What becomes of one end of a row: counted at a time, rejected, or not there. */
type End = string | 'rejected' | null;

/** Every row of the published ends; with what it adds; and a trip of two rows that name no end. */
function rowsOf(taps: readonly Tap[], times: readonly string[]): Counted[] {
  const ends: End[] = [...times, 'rejected', null];
  const [first, ...others] = taps;
  const rows = ends.flatMap((one) =>
    (others.length > 0 ? ends : [null]).map((other): [Tap, End][] => [
      [first!, one],
      ...others.map((tap): [Tap, End] => [tap, other]),
    ]),
  );
  const ofNoEnd: Counted = { counts: [], leftOut: [[first!, 2]] };
  return [ofNoEnd].concat(rows.map(countedOfRow));
}

/** A row of rejected and counted ends. */
const countedOfRow = (row: readonly [Tap, End][]): Counted => ({
  counts: row.flatMap(([tap, end]): CellCount[] => (end === 'rejected' || end === null ? [] : [[tap, end, '2000', 1]])),
  leftOut: row.map(([tap, end]): LeftOutCount => [tap, Number(end === 'rejected')]),
});

type Case = { request: CertificateRequest; times: number };
const card = { unit: 'card-day', maxTaps: 1, clamp: 1, delta: '1e-2' } as const;
const histogram = { ...card, mechanism: 'stability-histogram' } as const;
const complete = { ...card, mechanism: 'complete-domain', delta: '0' } as const;
const on = { publish: 'on' } as const;
const both = { publish: 'on+off' } as const;
const adding = { neighbours: 'add-remove' } as const;
const replacing = { neighbours: 'replace-one' } as const;

const CASES: Case[] = [
  { request: { ...histogram, ...on, ...adding, epsilon: '6', split: { bounded: '3' } }, times: 2 },
  { request: { ...histogram, ...on, ...replacing, epsilon: '10', split: { bounded: '5' } }, times: 2 },
  { request: { ...histogram, ...both, ...replacing, epsilon: '24', split: { bounded: '12' } }, times: 1 },
  { request: { ...histogram, ...on, ...adding, clamp: 2, epsilon: '8', split: { bounded: '4' } }, times: 1 },
  { request: { ...histogram, ...on, ...adding, epsilon: '9', split: { time: '3', bounded: '3' } }, times: 1 },
  { request: { ...complete, ...on, ...adding, epsilon: '4', split: { bounded: '2' } }, times: 1 },
  { request: { ...complete, ...on, ...adding, clamp: 2, epsilon: '6', split: { bounded: '3' } }, times: 1 },
  { request: { ...complete, ...both, ...replacing, epsilon: '24', split: { bounded: '12' } }, times: 1 },
  { request: { ...complete, ...on, ...adding, floor: 2, epsilon: '6', split: { bounded: '3' } }, times: 2 },
];

const trip = { unit: 'trip', delta: '0', mechanism: 'complete-domain', rejects: { bus: 9 } } as const;
const REJECTS: Case[] = [
  { request: { ...trip, ...on, ...adding, epsilon: '4', split: { checks: '3' } }, times: 1 },
  { request: { ...trip, ...both, ...adding, epsilon: '36', split: { checks: '24' } }, times: 1 },
  { request: { ...trip, ...both, ...replacing, epsilon: '36', split: { checks: '24' } }, times: 1 },
  { request: { ...trip, ...on, ...adding, unit: 'tap', epsilon: '4', split: { checks: '2' } }, times: 1 },
  {
    request: {
      ...trip,
      mechanism: 'stability-histogram',
      delta: '1e-2',
      ...on,
      ...adding,
      epsilon: '8',
      split: { checks: '4' },
    },
    times: 2,
  },
];

/** One count of each kind, and δ = 0. */
const PURE = CASES.find(({ request, times }) => request.mechanism === 'complete-domain' && times === 1)!;

const nameOf = ({ request: { mechanism, unit, publish, neighbours, clamp, split }, times }: Case): string =>
  [mechanism, publish, neighbours, clamp ? `clamp ${clamp}` : unit, JSON.stringify(split), `${times} times`].join(' ');
const named = [...CASES, ...REJECTS].map((one) => [nameOf(one), one] as const);

/** What a broken twin does otherwise: less noise, or another clamp than the certificate names. */
type Twin = { certificate?: Partial<Certificate>; clamp?: number; leftOutNoise?: number };

/** A unit that is not there. */
const NOTHING: Counted = { counts: [], leftOut: [] };

/** The largest hockey stick of all pairs of units, at ε less `slack`. */
function worst({ request, times }: Case, twin: Twin = {}, slack = rational(0n)): Bounds {
  const certificate = { ...certify(request), ...twin.certificate };
  const domain = {
    taps: request.publish === 'on+off' ? (['on', 'off'] as const) : (['on'] as const),
    times: TIMES.slice(0, times),
    locations: ['2000'],
  };
  const laws = new Map<string, Law>();
  const law = ({ counts, leftOut }: Counted): Law => {
    const name = JSON.stringify([counts, leftOut]);
    const known =
      laws.get(name) ??
      lawOf(
        (noise, cells) => {
          const given = twin.leftOutNoise === undefined ? noise : { ...noise, leftOut: () => twin.leftOutNoise! };
          return drawTableWith(given, PARTITION, cells, domain, certificate, leftOut);
        },
        certificate,
        domain,
        counts,
        certificate.deltaUpper === '0' ? 1e-6 : 4e-5 * Math.exp(-Number(certificate.epsilon)),
      );
    laws.set(name, known);
    return known;
  };
  const { maxTaps, clamp } = request;
  // One tap more than bound and clamp count.
  const units =
    maxTaps === undefined || clamp === undefined
      ? rowsOf(domain.taps, domain.times)
      : cardsOf(domain.taps, domain.times, maxTaps + clamp + 1).map((one) =>
          countedOf(one, maxTaps, twin.clamp ?? clamp),
        );
  const others = request.neighbours === 'replace-one' ? units : [NOTHING];
  const epsilon = subtract(parseRational(certificate.epsilon), slack);
  let most: Bounds = { lower: 0n, upper: 0n };
  for (const [p, q] of units.flatMap((a) => others.map((b) => [law(a), law(b)] as const)))
    for (const found of [hockeyStickOf(p, q, epsilon), hockeyStickOf(q, p, epsilon)])
      most = found.upper > most.upper ? found : most;
  return most;
}

/** More than is outside the ranges, less than a hundredth of any δ here. */
const SLACK = UNIT / 40_000n;

describe('@contract C1 @contract C2 @contract C5 @contract C10 taps in no cell, for all units of a small domain', () => {
  test.each(named)('%s: the hockey stick is at most δ', (_, one) => {
    const delta = inUnits(parseRational(certify(one.request).deltaUpper));
    expect(worst(one).upper).toBeLessThanOrEqual(delta + SLACK);
  });

  test('ε is tight where δ is 0: at ε − 1/1000 the hockey stick is positive', () => {
    expect(worst(PURE).upper).toBeLessThanOrEqual(SLACK);
    expect(worst(PURE, {}, rational(1n, 1000n)).lower).toBeGreaterThan(0n);
  });

  test('broken twins exceed δ: without a clamp, with less noise, and without any', () => {
    expect(worst(PURE, { clamp: 2 }).lower).toBeGreaterThan(SLACK);
    expect(worst(PURE, { certificate: { leftOutScale: '1/3' } }).lower).toBeGreaterThan(SLACK);
    expect(worst(PURE, { leftOutNoise: 0 }).lower).toBeGreaterThan(SLACK);
  });

  test('broken twins of rejects exceed δ: noise for one reject of a unit, and none', () => {
    const [adding] = REJECTS;
    expect(worst(adding!, { certificate: { leftOutScale: '1/3' } }).lower).toBeGreaterThan(SLACK);
    expect(worst(adding!, { leftOutNoise: 0 }).lower).toBeGreaterThan(SLACK);
  });
});
