import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberList } from './number-list.ts';

const listed = (numbers: Uint32Array | Float64Array): string => JSON.stringify(Array.from(numbers));
const isListed = (numbers: Uint32Array | Float64Array): boolean => numberList(numbers) === listed(numbers);

test('property: a list of numbers is what JSON makes of it', () => {
  fc.assert(fc.property(fc.uint32Array(), isListed));
  const finite = fc.float64Array({ noNaN: true, noDefaultInfinity: true });
  fc.assert(fc.property(finite, isListed));
  const whole = fc.array(fc.maxSafeInteger()).map((numbers) => Float64Array.from(numbers));
  fc.assert(fc.property(whole, isListed));
});

test('numbers where texts and ranges change', () => {
  const powers = Array.from({ length: 20 }, (_, power) => 10 ** power).flatMap((power) => [power - 1, power]);
  const limits = [
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    2 ** 32 + 1,
    2 ** 53 - 1,
    1e21,
    0.1,
    Number.MIN_VALUE,
    Number.MAX_VALUE,
  ];
  const both = Float64Array.from([0, ...powers, ...limits].flatMap((number) => [number, -number]));
  expect(numberList(both)).toBe(listed(both));
});

test('a list that is longer than what is written at a time', () => {
  const longest = Float64Array.from({ length: 10_000 }, (_, at) => (at % 7 === 0 ? at : -Number.MAX_VALUE));
  expect(numberList(longest)).toBe(listed(longest));
});

test('what is not finite is refused', () => {
  for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    expect(() => numberList(Float64Array.of(1, number))).toThrow(TypeError);
});
