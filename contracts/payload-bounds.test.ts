import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outOfBounds } from './payload-bounds.ts';

const BOUNDS = { levels: 3, values: 20, characters: 100 };
const WIDE = { levels: 8, values: 1_000, characters: 10_000 };

/** This number of lists, nested in each other. */
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

test('plain JSON within the bounds passes, whatever it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      fc.pre(!JSON.stringify(value).includes('"__proto__"'));
      expect(outOfBounds(value, { ...WIDE, values: 10_000, characters: 100_000 })).toBeNull();
    }),
  );
});

test('levels, values and characters are counted, names of members too', () => {
  expect(outOfBounds(nested(3), BOUNDS)).toBeNull();
  expect(outOfBounds(nested(4), BOUNDS)).toBe('has more than 3 levels');
  expect(outOfBounds(Array(19).fill(1), BOUNDS)).toBeNull();
  expect(outOfBounds(Array(20).fill(1), BOUNDS)).toBe('has more than 20 values');
  expect(outOfBounds(['a'.repeat(50), 'b'.repeat(50)], BOUNDS)).toBeNull();
  expect(outOfBounds({ a: 'a'.repeat(100) }, BOUNDS)).toBe('has more than 100 characters');
  expect(outOfBounds({ ['n'.repeat(101)]: 1 }, BOUNDS)).toBe('has more than 100 characters');
});

test('a hundred thousand levels need no stack, where a twin that calls itself runs out of it', () => {
  const deep = nested(100_000);
  const twin = (value: unknown): number => (Array.isArray(value) ? 1 + Math.max(0, ...value.map(twin)) : 0);
  expect(() => twin(deep)).toThrow(RangeError);
  expect(outOfBounds(deep, { ...WIDE, levels: 50 })).toBe('has more than 50 levels');
});

test('what is wide is given up before it is walked through', () => {
  expect(outOfBounds(Array(1_000_000).fill({ a: [1] }), BOUNDS)).toBe('has more than 20 values');
});

test('what is not JSON, or has the one reserved name, is refused', () => {
  for (const odd of [Symbol('x'), () => 1, 1n, new Map(), new Uint8Array(4), new Date(), new (class A {})()])
    expect(outOfBounds({ odd }, WIDE), String(odd)).toBe('is not plain JSON');
  expect(outOfBounds(JSON.parse('{"__proto__": {"a": 1}}'), WIDE)).toBe('has a member with the name __proto__');
});
