import { expect, test } from 'vitest';
import { storeMethods } from '../support/store-methods.ts';
import { overwriting, type Plant, simulate } from './release-simulation.ts';

/** A quiet core runs about two seeds in a second; `npm run sim` and the soak run more. */
const SEEDS = 4;
/** Planted bugs are looked for from here on, so that the search is short: both need a race. */
const FIRST = 4;

const firstViolations = async (plant: Plant, most: number): Promise<string[]> => {
  for (let seed = FIRST; seed < FIRST + most; seed += 1) {
    const { violations } = await simulate(seed, plant);
    if (violations.length > 0) return violations;
  }
  return [];
};

test('C11 C12: workers, crashes and lost answers in any order: one charge, one draw or hole, what was approved', async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violations, trace } = await simulate(seed);
    expect(violations, `npm run sim -- --seed ${seed}`).toEqual([]);
    expect(
      trace.some((line) => line.includes(' — ')),
      'a run without a fault',
    ).toBe(true);
  }
});

test('a seed gives the same run again', async () => {
  expect((await simulate(1)).trace).toEqual((await simulate(1)).trace);
});

test('a planted double draw is found: a draw that is put over the one that is there', async () => {
  expect((await firstViolations(overwriting('private', 'privatized/'), 40)).join()).toContain('is a second draw');
});

test('a ledger whose places can be taken twice is found, and a publication with other bytes', async () => {
  expect(await firstViolations(overwriting('private', 'ledger/'), 40)).not.toEqual([]);
  const changing: Plant = (store, name) => ({
    ...storeMethods(store),
    putIfAbsent: (key, body) =>
      store.putIfAbsent(key, name === 'publication' && key.endsWith('counts.csv') ? Buffer.from('x') : body),
  });
  expect((await firstViolations(changing, 1)).join()).toContain('counts.csv');
});
