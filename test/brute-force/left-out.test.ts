import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../contracts/certificate.ts';
import type { Tap } from '../../contracts/names.ts';
import { type CertificateRequest, certify } from '../../core/certificate/certificate.ts';
import type { CellCount } from '../../core/mechanisms/cell-counts.ts';
import type { LeftOutCount } from '../../core/mechanisms/left-out.ts';
import { parseRational, rational, subtract } from '../../core/rational/rational.ts';
import { drawTableWith } from '../support/draw-rows.ts';
import { type Bounds, hockeyStickOf, inUnits, type Law, lawOf, UNIT } from './output-law.ts';

/**
 * Cards whose bound leaves taps out, and a series that counts them: the law of cells, margins and numbers of left-out
 * taps together, for every pair of cards with more taps than bound and clamp count, against the certificate.
 */
const PARTITION = { part: 'bus', day: '2026-03-02' };
const TIMES = ['08:00', '08:15'];

/** The ends of the taps of one card in the order of their ranks, with the time of each. */
type Card = readonly (readonly [tap: Tap, time: string])[];

/** What is counted of a card: the first k of its taps, and of the next the first `clamp` by end. */
function countedOf(card: Card, k: number, clamp: number): { counts: CellCount[]; leftOut: LeftOutCount[] } {
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

/** Every card of at most so many taps of the published ends; the order of the taps is that of their ranks. */
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

/** One count of each kind, and δ = 0. */
const PURE = CASES.find(({ request, times }) => request.mechanism === 'complete-domain' && times === 1)!;

const nameOf = ({ request: { mechanism, publish, neighbours, clamp, split }, times }: Case): string =>
  [mechanism, publish, neighbours, `clamp ${clamp}`, JSON.stringify(split), `${times} times`].join(' ');
const named = CASES.map((one) => [nameOf(one), one] as const);

/** What a broken twin does otherwise: less noise, or another clamp than the certificate names. */
type Twin = { certificate?: Partial<Certificate>; clamp?: number; leftOutNoise?: number };

/** The largest hockey stick of all pairs of cards, at ε less `slack`. */
function worst({ request, times }: Case, twin: Twin = {}, slack = rational(0n)): Bounds {
  const certificate = { ...certify(request), ...twin.certificate };
  const domain = {
    taps: request.publish === 'on+off' ? (['on', 'off'] as const) : (['on'] as const),
    times: TIMES.slice(0, times),
    locations: ['2000'],
  };
  const laws = new Map<string, Law>();
  const law = (one: Card): Law => {
    const { counts, leftOut } = countedOf(one, request.maxTaps!, twin.clamp ?? request.clamp!);
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
  // One tap more than bound and clamp count.
  const cards = cardsOf(domain.taps, domain.times, request.maxTaps! + request.clamp! + 1);
  const others = request.neighbours === 'replace-one' ? cards : [[]];
  const epsilon = subtract(parseRational(certificate.epsilon), slack);
  let most: Bounds = { lower: 0n, upper: 0n };
  for (const [p, q] of cards.flatMap((a) => others.map((b) => [law(a), law(b)] as const)))
    for (const found of [hockeyStickOf(p, q, epsilon), hockeyStickOf(q, p, epsilon)])
      most = found.upper > most.upper ? found : most;
  return most;
}

/** More than lies outside the ranges, less than a hundredth of any δ here. */
const SLACK = UNIT / 40_000n;

describe('@contract C1 @contract C2 @contract C10 taps that the bound leaves out, for all cards of a small domain', () => {
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
});
