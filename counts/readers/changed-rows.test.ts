import { expect, test } from 'vitest';
import { discreteLaplace } from '../../core/random/discrete-laplace.ts';
import { rational } from '../../core/rational/rational.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { differenceLimit, findChanges } from './changed-rows.ts';

const laplace = (scale: number) => ({ model: 'discrete-laplace', scale }) as const;

const SCALE = rational(1n, 2n);
const [scale, threshold] = [0.5, 9];

/** Published rows of one draw of these exact counts. */
function draw(truth: ReadonlyMap<string, number>, noise: { draw(): number }, least: number | null) {
  const noisy = [...truth].map(([key, count]) => [key, count + noise.draw()] as const);
  return new Map(noisy.filter(([, count]) => least === null || count >= least));
}
const truthOf = (counts: readonly number[]) => new Map(counts.map((count, place) => [`row ${place}`, count]));

test.each([threshold, null])(
  'C19: of unchanged truth a row is named in no more draws than promised, threshold %s',
  (least) => {
    const noise = discreteLaplace(SCALE, seededSource(3));
    // Many rows around the threshold, where showing and hiding are both likely.
    const truth = truthOf(Array.from({ length: 60 }, (_, place) => 5 + (place % 12)));
    const [runs, rate] = [4000, 0.2];
    let wrong = 0;
    for (let run = 0; run < runs; run += 1) {
      const draws = { earlier: draw(truth, noise, least), later: draw(truth, noise, least) };
      if (findChanges({ ...draws, noise: laplace(scale), threshold: least }, rate).changed.length > 0) wrong += 1;
    }
    expect(wrong / runs).toBeLessThan(rate);
    expect(wrong).toBeGreaterThan(0);
  },
);

test('rows that changed are named: other counts, gone, and new', () => {
  const earlier = new Map([...truthOf([20, 30, 40, 12]), ['gone', 60]]);
  const later = new Map([...truthOf([20, 90, 41, 10]), ['new', 50]]);
  const { changed, compared } = findChanges({ earlier, later, noise: laplace(scale), threshold }, 0.05);
  expect(compared).toBe(4);
  expect(changed).toEqual([
    { key: 'gone', earlier: 60, later: null },
    { key: 'new', earlier: null, later: 50 },
    { key: 'row 1', earlier: 30, later: 90 },
  ]);
});

test('a row just above the threshold that the other draw hides says nothing', () => {
  const { changed } = findChanges({ earlier: truthOf([10]), later: new Map(), noise: laplace(scale), threshold }, 0.05);
  expect(changed).toEqual([]);
});

test('the limit of a difference is the smallest that keeps the chance, by adding up the law of the noise', () => {
  const alpha = Math.exp(-1 / scale);
  const law = (x: number) => ((1 - alpha) / (1 + alpha)) * alpha ** Math.abs(x);
  const exceeds = (limit: number): number => {
    let chance = 0;
    for (let x = -60; x <= 60; x += 1)
      for (let y = -60; y <= 60; y += 1) if (Math.abs(x - y) > limit) chance += law(x) * law(y);
    return chance;
  };
  for (const chance of [0.2, 0.05, 1e-3, 1e-6]) {
    const limit = differenceLimit(laplace(scale), 1, chance);
    expect(exceeds(limit)).toBeLessThanOrEqual(chance);
    expect(exceeds(limit - 1)).toBeGreaterThan(chance);
  }
});

test('the bound of the proof on rows that one draw alone shows holds for every count', () => {
  const alpha = Math.exp(-1 / scale);
  const tail = (m: number): number => (m >= 1 ? alpha ** m / (1 + alpha) : 1 - alpha ** (1 - m) / (1 + alpha));
  for (let count = 0; count < 40; count += 1)
    for (let least = threshold; least < 30; least += 1) {
      const chance = (tail(least - count) * (1 - tail(threshold - count))) / tail(threshold - count);
      expect(chance).toBeLessThanOrEqual(alpha ** (least - threshold) * (1 + 1e-12));
    }
});

test('C19: where noise chooses which rows are there, the number that there can be keeps the chance', () => {
  const noise = discreteLaplace(SCALE, seededSource(5));
  const [runs, rate, rounds] = [4000, 0.2, 12];
  /** Measures until one value is near to the truth: the more noise, the more rows. */
  const measured = (): Map<string, number> => {
    const rows = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      const drawn = noise.draw();
      rows.set(`row ${round}`, 50 + drawn);
      if (drawn === 0) break;
    }
    return rows;
  };
  let [wrong, limits] = [0, new Set<number | null>()];
  for (let run = 0; run < runs; run += 1) {
    const draws = { earlier: measured(), later: measured(), noise: laplace(scale), threshold: null, most: rounds };
    const { changed, allowed } = findChanges(draws, rate);
    limits = limits.add(allowed);
    if (changed.length > 0) wrong += 1;
  }
  expect(wrong / runs).toBeLessThan(rate);
  expect([...limits]).toEqual([differenceLimit(laplace(scale), 1, rate / rounds)]);
});
