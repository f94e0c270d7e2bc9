import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapAtOnce } from './at-once.ts';

test('property: each item is worked on once, no more at once than allowed, and results keep their order', async () => {
  const items = fc.array(fc.integer({ min: 1, max: 5 }));
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 4 }), async (turns, most) => {
      let [working, highest] = [0, 0];
      const results = await mapAtOnce(turns.entries(), most, async ([place, waits]) => {
        highest = Math.max(highest, ++working);
        for (let turn = 0; turn < waits; turn++) await setImmediate();
        working--;
        return place;
      });
      expect(results).toEqual([...turns.keys()]);
      expect(highest).toBe(Math.min(most, turns.length));
    }),
  );
});

test('after a failure nothing begins, what was under way ends first, and an iterator is closed', async () => {
  const [begun, ended, closed]: [number[], number[], boolean[]] = [[], [], []];
  function* numbers(): Generator<number> {
    try {
      for (let number = 0; number < 100; number++) yield number;
    } finally {
      closed.push(true);
    }
  }
  const work = mapAtOnce(numbers(), 3, async (number) => {
    begun.push(number);
    if (number === 1) throw new Error('the second');
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    ended.push(number);
  });
  await expect(work).rejects.toThrow('the second');
  expect(begun).toEqual([0, 1, 2]);
  expect(ended).toEqual([0, 2]);
  expect(closed).toEqual([true]);
});
