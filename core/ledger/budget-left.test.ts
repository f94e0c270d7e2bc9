import { expect, test } from 'vitest';
import { budgetLeft } from './budget-left.ts';
import { charge, endEntry, reserveEntry } from './entries.fixture.ts';

const caps = { block: '20', year: '16' };
const week = (first: string) => charge(first, 7, '4', caps);

test('@contract C12: nothing charged leaves all; what is withheld leaves no more than what is committed', () => {
  expect(budgetLeft([]).year).toEqual({ epsilon: 1, delta: 1 });
  const one = reserveEntry(1, 'a', week('2026-03-02'));
  const expected = { block: { epsilon: 0.8, delta: 0.999 }, year: { epsilon: 0.75, delta: 0.999 } };
  expect(budgetLeft([one])).toEqual(expected);
  expect(budgetLeft([one, endEntry('withhold', 1, 'a')])).toEqual(expected);
});

test('the newest days of data count, also when an older window was charged after them', () => {
  const newest = reserveEntry(1, 'a', week('2026-03-02'));
  const older = reserveEntry(2, 'b', week('2024-01-01'));
  expect(budgetLeft([newest, older])).toEqual(budgetLeft([newest]));
  const again = reserveEntry(3, 'c', week('2026-03-02'));
  expect(budgetLeft([newest, older, again])).toMatchObject({ block: { epsilon: 0.6 }, year: { epsilon: 0.5 } });
});

test('less than nothing is never left, and a cap of 0 that nothing was charged to is whole', () => {
  const over = [1, 2, 3, 4, 5, 6].map((number) => reserveEntry(number, `r${number}`, week('2026-03-02')));
  expect(budgetLeft(over)).toMatchObject({ block: { epsilon: 0 }, year: { epsilon: 0 } });
  const { blocks } = week('2026-03-02');
  const zero = { epsilon: '20', delta: '0' };
  const pure = blocks.map((block) => ({ ...block, delta: '0' }));
  const entry = reserveEntry(1, 'a', { blocks: pure, caps: { block: zero, year: zero } });
  expect(budgetLeft([entry])).toMatchObject({ block: { delta: 1 }, year: { delta: 1 } });
});
