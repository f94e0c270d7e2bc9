import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { discreteGaussian } from '../../core/random/discrete-gaussian.ts';
import { discreteLaplace } from '../../core/random/discrete-laplace.ts';
import { binProbabilities, countBins, gStatistic } from '../../core/random/goodness-of-fit.fixture.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { chiSquareTail } from '../../core/statistics/fisher.ts';
import { certify } from '../../counts/certificate/certify.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import { makeNoise } from '../../counts/mechanisms/noise.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import type { Tap } from '../../counts/tables/tap-tables.ts';
import { drawTable } from '../support/draw-rows.ts';
import { seededSource } from '../support/seeded-source.ts';
import type { TableRows } from '../support/table-of-rows.ts';

/** What privatize really adds to counts: not what the sampler would give, but what comes out of the mechanism. */
const PARTITION = { part: 'bus', day: '2026-03-02' };
const COUNT = 1000;
const domain: PublicDomain = {
  taps: ['on'],
  times: Array.from({ length: 10 }, (_, i) => `08:0${i}`),
  locations: Array.from({ length: 10 }, (_, i) => `200${i}`),
};
const counts: CellCount[] = domain.times.flatMap((time) =>
  domain.locations.map((location): CellCount => ['on', time, location, COUNT]),
);
const certificate = certify({
  mechanism: 'stability-histogram',
  unit: 'trip',
  neighbours: 'replace-one',
  publish: 'on+off',
  epsilon: '4',
  delta: '1e-6',
  split: { time: '1/2', location: '1' },
});

type Noise = { cells: number[]; time: number[]; location: number[] };
const noiseIn = ({ cells, margins }: TableRows): Noise => ({
  cells: cells.map((cell) => cell[3] - COUNT),
  time: margins!.time.map((row) => row[2] - 10 * COUNT),
  location: margins!.location.map((row) => row[2] - 10 * COUNT),
});

const TABLES = 500;
const random = seededSource(29);
const drawn: Noise = { cells: [], time: [], location: [] };
for (let table = 0; table < TABLES; table++) {
  const one = noiseIn(drawTable(PARTITION, counts, domain, certificate, random));
  for (const kind of ['cells', 'time', 'location'] as const) drawn[kind].push(...one[kind]);
}

/** Bins with five expected draws at least; an odd number of them, so that the degrees of freedom are even. */
function pValue(draws: readonly number[], scale: string): number {
  const b = toNumber(parseRational(scale));
  const limit = Math.max(1, Math.floor(b * Math.log(draws.length / 5 / 2)));
  return chiSquareTail(gStatistic(countBins(draws, limit), binProbabilities(b, limit)), 2 * limit);
}

const scales = {
  cells: certificate.scale,
  time: certificate.marginScales.time!,
  location: certificate.marginScales.location!,
};

test.each(['cells', 'time', 'location'] as const)(
  'C7 C8: the noise of %s has the law of its own scale (G-test at 1e-6, fixed seed), and other laws fail',
  (kind) => {
    const draws = drawn[kind];
    expect(pValue(draws, scales[kind])).toBeGreaterThan(1e-6);
    expect(pValue(draws, scales[kind === 'time' ? 'cells' : 'time'])).toBeLessThan(1e-6);
    const b = toNumber(parseRational(scales[kind]));
    const source = seededSource(5);
    const uniform = () => (source.uint32() + 0.5) / 2 ** 32;
    const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const gaussian = draws.map(() => Math.round(normal() * b * Math.SQRT2));
    expect(pValue(gaussian, scales[kind]), 'a Gaussian of the same variance').toBeLessThan(1e-6);
  },
);

/** Whether neighbouring draws go together: correlation times the root of their number, standard normal if they do not. */
function dependence(draws: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = mean(draws.map((draw) => draw * draw));
  const products = draws.slice(1).map((draw, place) => draw * draws[place]!);
  return (mean(products) / variance) * Math.sqrt(products.length);
}

test('C7: no noise is shared: draws that follow each other, or lie in one row, have no correlation (six deviations)', () => {
  for (const kind of ['cells', 'time', 'location'] as const) expect(Math.abs(dependence(drawn[kind]))).toBeLessThan(6);
  const columns = domain.locations.flatMap((_, column) => drawn.cells.filter((_, place) => place % 10 === column));
  expect(Math.abs(dependence(columns))).toBeLessThan(6);
  const shared = drawn.cells.map((_, place) => drawn.cells[place - (place % 10)]!);
  expect(Math.abs(dependence(shared))).toBeGreaterThan(6);
});

test('C7 C20: the noise is that of the exact sampler, value for value, margins first', () => {
  const words = seededSource(3);
  const draws = (scale: string, number: number): number[] => {
    const drawnAtOnce = new Int32Array(number);
    discreteLaplace(parseRational(scale), words).fill(drawnAtOnce);
    return [...drawnAtOnce];
  };
  const time = draws(scales.time, 10);
  const location = draws(scales.location, 10);
  const cells = draws(scales.cells, 100);
  const found = noiseIn(drawTable(PARTITION, counts, domain, certificate, seededSource(3)));
  expect(found).toEqual({ time, location, cells });
});

test('@contract C7 noise for people is that of the exact sampler, value for value, each with a σ² of its own', () => {
  const people = certify({
    mechanism: 'discrete-gaussian',
    unit: 'card-window',
    maxTaps: 4,
    place: 2,
    neighbours: 'add-remove',
    publish: 'on',
    epsilon: '1',
    delta: '1e-6',
    floor: 60,
    clamp: 4,
    split: { cells: '3/5', time: '1/5', location: '1/10', bounded: '1/10' },
  });
  const noise = makeNoise(people, seededSource(3));
  const words = seededSource(3);
  for (const [fill, variance] of [
    [(target: Int32Array) => noise.cells(new Uint32Array(target.length), target), people.scale],
    [noise.time, people.marginScales.time!],
    [noise.location, people.marginScales.location!],
    [noise.leftOut, people.leftOutScale!],
  ] as const) {
    const [found, due] = [new Int32Array(100), new Int32Array(100)];
    fill(found);
    discreteGaussian(parseRational(variance), words).fill(due);
    expect(found).toEqual(due);
  }
});

test('C8: a noisy count is the count plus a whole number, unbiased and never cut (six deviations)', () => {
  const complete = certify({ ...certificate, mechanism: 'complete-domain', delta: '0', split: {} });
  const sums = { zero: 0, negative: 0, cells: 0 };
  const small: PublicDomain = { ...domain, taps: ['on', 'off'] as Tap[] };
  for (let table = 0; table < 50; table++)
    for (const [, , , count] of drawTable(PARTITION, [], small, complete, random).cells) {
      sums.zero += count;
      sums.negative += count < 0 ? 1 : 0;
      sums.cells += 1;
    }
  const b = toNumber(parseRational(complete.scale));
  expect(Math.abs(sums.zero)).toBeLessThan(6 * Math.sqrt(2 * b * b * sums.cells));
  expect(sums.negative).toBeGreaterThan(sums.cells / 5);
});

test('C7: the private worker gives privatize the random bits of production and no others', () => {
  const worker = readFileSync(new URL('../../worker/compute-private.ts', import.meta.url), 'utf8');
  expect(worker.match(/\brandom [=:].*/g)).toEqual(['random = requireProductionRandom(operatingSystemRandom());']);
});
