import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactCoins } from '../../../core/random/coins.ts';
import { rational } from '../../../core/rational/rational.ts';
import { discreteLaplaceReference } from '../../../test/oracles/discrete-laplace-reference.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { choose, frontier, type Outcome } from './frontier.ts';
import { averageShare } from './published-share.ts';

const outcome = fc.record({ risk: fc.integer({ min: 0, max: 5 }), utility: fc.integer({ min: 0, max: 5 }) });
const outcomes = fc.array(outcome, { minLength: 1, maxLength: 12 });
const beats = (a: Outcome, b: Outcome): boolean =>
  a.risk <= b.risk && a.utility >= b.utility && (a.risk < b.risk || a.utility > b.utility);

describe('frontier', () => {
  test('holds exactly what nothing beats, and each other outcome is beaten by one of it', () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const edge = frontier(all);
        for (const one of all) expect(edge.includes(one)).toBe(!edge.some((other) => beats(other, one)));
        const risks = edge.map(({ risk }) => risk);
        expect(risks).toEqual(risks.toSorted((a, b) => a - b));
      }),
    );
  });

  test('of all that meets a goal nothing is better than what is chosen', () => {
    fc.assert(
      fc.property(outcomes, fc.integer({ min: 0, max: 5 }), (all, limit) => {
        const low = all.filter(({ risk }) => risk <= limit);
        expect(choose(all, { kind: 'risk', most: limit })?.utility ?? -1).toBe(
          Math.max(-1, ...low.map(({ utility }) => utility)),
        );
        const useful = all.filter(({ utility }) => utility >= limit);
        expect(choose(all, { kind: 'utility', least: limit })?.risk ?? 99).toBe(
          Math.min(99, ...useful.map(({ risk }) => risk)),
        );
      }),
    );
  });
});

describe('the share that is published', () => {
  test('is what draws publish on average', () => {
    const cells = [
      [1, 40],
      [5, 10],
      [9, 3],
    ] as const;
    const threshold = 6;
    const draw = discreteLaplaceReference(rational(2n), exactCoins(seededSource(11)));
    let [published, all] = [0, 0];
    for (let round = 0; round < 400; round += 1)
      for (const [count, number] of cells)
        for (let cell = 0; cell < number; cell += 1) {
          all += count;
          if (count + Number(draw()) >= threshold) published += count;
        }
    expect(published / all).toBeCloseTo(averageShare(cells, { scale: '2', threshold })!, 1);
    expect(Math.abs(published / all - averageShare(cells, { scale: '2', threshold: threshold + 2 })!)).toBeGreaterThan(
      0.05,
    );
  });

  test('is everything without a threshold, and unknown without cells', () => {
    expect(averageShare([[3, 2]], { scale: '1', threshold: null })).toBe(1);
    expect(averageShare([], { scale: '1', threshold: 3 })).toBeNull();
  });
});
