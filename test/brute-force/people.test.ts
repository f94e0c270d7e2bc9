import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../contracts/certificate.ts';
import { gaussianThresholds } from '../../core/random/gaussian-thresholds.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { type CertificateRequest, certify } from '../../counts/certificate/certify.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { NamedNoise } from '../../counts/mechanisms/noise.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import { drawTableWith } from '../support/draw-rows.ts';

/**
 * What is really published of a few cards, against the certificate: all noise that counts for anything is given to the
 * draw, with the chances of the thresholds that the sampler uses, and the outputs of two neighbours are compared.
 */
const PARTITION = { part: 'bus', day: '2026-03-02' };
const domain: PublicDomain = { taps: ['on'], times: ['08:00', '08:15'], locations: ['Central', 'Town Hall'] };
const [first, second] = domain.times as [string, string];
const at = (time: string, location = 'Central'): CellCount => ['on', time, location, 1];

/** Outcomes that are less likely with the first data set are left out: all together are less than the slack below. */
const NEGLIGIBLE = 1e-10;
const SLACK = 1e-6;

/** Chances of 0, 1, 2, … by the thresholds that draws are made from. */
function chancesOf(variance: string): number[] {
  const thresholds = gaussianThresholds(parseRational(variance));
  const value = (index: number): number => (index < 0 ? 1 : Number(thresholds(index, 128).lower >> 75n) / 2 ** 53);
  const chances = [1 - value(0)];
  for (let x = 1; value(2 * x - 2) > 1e-15; x++) chances.push(value(2 * x - 2) - value(2 * x - 1));
  return chances;
}

/** Something that differs between two data sets: by how much, with the chances of its noise. */
type Measured = { name: string; less: number; chances: number[] };

function measuredOf(certificate: Certificate, a: CellCount[], b: CellCount[]): Measured[] {
  const differing = (key: (cell: CellCount) => string, variance: string): Measured[] => {
    const count = (cells: CellCount[], name: string) => cells.filter((cell) => key(cell) === name).length;
    return [...new Set([...a, ...b].map(key))]
      .map((name) => ({ name, less: count(a, name) - count(b, name), chances: chancesOf(variance) }))
      .filter(({ less }) => less !== 0);
  };
  const { scale, marginScales } = certificate;
  return [
    ...differing(([, hour, place]) => `${hour} ${place}`, scale),
    ...differing(([, hour]) => hour, marginScales.time!),
    ...differing(([, , place]) => place, marginScales.location!),
  ];
}

/** What the implemented draw publishes of counts with this noise; what is not named has none. */
function publishedWith(certificate: Certificate, counts: CellCount[], noise: ReadonlyMap<string, number>): string {
  const of = (name: string): number => noise.get(name) ?? 0;
  const named: NamedNoise = {
    cell: (_, time, location) => of(`${time} ${location}`),
    time: (_, time) => of(time),
    location: (_, location) => of(location),
    leftOut: () => 0,
  };
  const { cells, margins } = drawTableWith(named, PARTITION, counts, domain, certificate);
  return JSON.stringify([cells, margins]);
}

/**
 * Σ max(0, P − e^ε·Q) over what is published of two data sets. The noise of what is alike in both is 0: its law adds
 * nothing. For each noise on the first the noise on the second that gives the same sums is drawn too.
 */
function hockeyStick(certificate: Certificate, a: CellCount[], b: CellCount[], epsilon: number): number {
  const measured = measuredOf(certificate, a, b);
  const laws = new Map<string, { p: number; q: number }>();
  const add = (output: string, which: 'p' | 'q', chance: number): void => {
    const law = laws.get(output) ?? { p: 0, q: 0 };
    law[which] += chance;
    laws.set(output, law);
  };
  const [first, second] = [new Map<string, number>(), new Map<string, number>()];
  const visit = (next: number, p: number, q: number): void => {
    const here = measured[next];
    if (!here) {
      add(publishedWith(certificate, a, first), 'p', p);
      add(publishedWith(certificate, b, second), 'q', q);
      return;
    }
    const { name, less, chances } = here;
    for (let x = 1 - chances.length; x < chances.length; x++) {
      if (p * chances[Math.abs(x)]! < NEGLIGIBLE) continue;
      first.set(name, x);
      second.set(name, x + less);
      visit(next + 1, p * chances[Math.abs(x)]!, q * (chances[Math.abs(x + less)] ?? 0));
    }
  };
  visit(0, 1, 1);
  return [...laws.values()].reduce((sum, { p, q }) => sum + Math.max(0, p - Math.exp(epsilon) * q), 0);
}

const CARD = {
  mechanism: 'discrete-gaussian',
  unit: 'card-day',
  place: 2,
  publish: 'on',
  epsilon: '12',
  delta: '1/20',
  split: { time: '1/3', location: '1/3' },
} as const;

const CASES: [string, CertificateRequest, pairs: [CellCount[], CellCount[]][]][] = [
  ['a card with one tap comes', { ...CARD, maxTaps: 1, neighbours: 'add-remove' }, [[[at(first)], []]]],
  [
    'a card with two taps comes: at one place, or at two',
    { ...CARD, maxTaps: 2, neighbours: 'add-remove' },
    [
      [[at(first), at(second)], []],
      [[at(first), at(second, 'Town Hall')], []],
      [[at(first)], []],
    ],
  ],
  [
    'a card is replaced by another',
    { ...CARD, maxTaps: 1, neighbours: 'replace-one' },
    [
      [[at(first)], [at(second, 'Town Hall')]],
      [[at(first)], [at(second)]],
      [[at(first)], []],
    ],
  ],
];

describe('@contract C8 C10 what is published of cards', () => {
  for (const [name, request, pairs] of CASES)
    test(`${name}: no pair of neighbours has a larger hockey stick, and the worst has it`, {
      tags: request.maxTaps === 1 ? [] : ['soak'],
    }, () => {
      const certificate = certify(request);
      const epsilon = toNumber(parseRational(request.epsilon));
      const sticks = pairs.flatMap(([a, b]) => [
        hockeyStick(certificate, a, b, epsilon),
        hockeyStick(certificate, b, a, epsilon),
      ]);
      expect(Math.max(...sticks)).toBeLessThanOrEqual(Number(certificate.deltaUpper) + SLACK);
      expect(Math.max(...sticks)).toBeGreaterThanOrEqual(Number(certificate.deltaLower) - SLACK);
      // The broken twin: other noise on the cells than what is certified.
      const [a, b] = pairs[0]!;
      const twin = hockeyStick({ ...certificate, scale: '1/9' }, a, b, epsilon);
      expect(twin).toBeGreaterThan(Number(certificate.deltaUpper) + SLACK);
    });
});
