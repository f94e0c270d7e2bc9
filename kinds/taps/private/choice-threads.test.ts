import { expect, test } from 'vitest';
import { NO_CELL, ROW_WORDS } from '../bounding/tap-choice.ts';
import { type ChoiceRule, withChoiceThreads } from './choice-threads.ts';

const RULE: ChoiceRule = { key: [1, 2], maxTaps: 2, clamp: 1, bound: null, cellsOfScope: 100 };

/** Rows of one card, with a tap in each of `cells` cells. */
const rowsOf = (card: number, cells: number): Uint32Array<ArrayBuffer> =>
  Uint32Array.from({ length: cells * ROW_WORDS }, (_, at) =>
    at % ROW_WORDS === 0
      ? card
      : at % ROW_WORDS === 4
        ? Math.floor(at / ROW_WORDS)
        : at % ROW_WORDS === 5
          ? NO_CELL
          : 7,
  );

test('threads choose beside each other: k taps of a card are counted, and C are left out', async () => {
  const chosen = await withChoiceThreads(2, RULE, (choose) =>
    Promise.all([choose(rowsOf(1, 5)), choose(rowsOf(2, 1))]),
  );
  expect(chosen.map(({ counted, leftOut }) => [counted.length, leftOut.length])).toEqual([
    [2, 1],
    [1, 0],
  ]);
});

test('more taps than a list begins with', async () => {
  const many = 70_000;
  const rule = { ...RULE, maxTaps: many, cellsOfScope: many };
  const [{ counted }] = await withChoiceThreads(1, rule, (choose) => Promise.all([choose(rowsOf(1, many))]));
  expect([...counted]).toEqual(Array.from({ length: many }, (_, cell) => cell));
});

test('what a thread fails with is thrown', async () => {
  const failing = withChoiceThreads(2, { ...RULE, maxTaps: -5 }, (choose) => choose(rowsOf(1, 3)));
  await expect(failing).rejects.toThrow(RangeError);
});
