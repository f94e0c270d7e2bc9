import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accumulate,
  cellOfValues,
  cellsOf,
  cellsOfMarginal,
  type DomainShape,
  type Marginal,
  placesInMarginal,
  queriesOf,
  valuesOfCell,
} from './workload.ts';

const shapes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
const workloads = shapes.chain((shape) =>
  fc.record({
    shape: fc.constant(shape),
    attributes: fc.shuffledSubarray([...shape.keys()], { minLength: 1 }),
    missing: fc.integer({ min: 0, max: 1 }),
  }),
);
const marginalOf = ({ shape, attributes, missing }: { shape: number[]; attributes: number[]; missing: number }) => ({
  attributes,
  ordered: Math.max(0, shape[attributes.at(-1)!]! - missing),
});

describe('a workload', () => {
  test('a cell has one value of each attribute, and lies where these say in a marginal', () => {
    fc.assert(
      fc.property(workloads, (one) => {
        const places = placesInMarginal(one.shape, marginalOf(one));
        expect(places).toHaveLength(cellsOf(one.shape));
        for (const [cell, place] of places.entries()) {
          const values = valuesOfCell(one.shape, cell);
          expect(cellOfValues(one.shape, values)).toBe(cell);
          const ofMarginal = one.attributes.map((attribute) => one.shape[attribute]!);
          expect(valuesOfCell(ofMarginal, place)).toEqual(one.attributes.map((attribute) => values[attribute]));
        }
      }),
    );
  });

  test('asks every cell once, and ranges of ordered values that no other query has', () => {
    fc.assert(
      fc.property(workloads, (one) => {
        const marginal = marginalOf(one);
        const queries = queriesOf(one.shape, [marginal]);
        expect(new Set(queries.map(({ from, to }) => `${from} ${to}`)).size).toBe(queries.length);
        expect(queries.filter(({ from, to }) => to === from + 1)).toHaveLength(cellsOfMarginal(one.shape, marginal));
        const line = one.shape[one.attributes.at(-1)!]!;
        for (const { from, to } of queries) {
          expect(Math.floor(from / line)).toBe(Math.floor((to - 1) / line));
          if (to > from + 1) expect(((to - 1) % line) + 1).toBeLessThanOrEqual(marginal.ordered);
        }
        if (marginal.ordered > 1)
          expect(queries.some(({ from, to }) => from === 0 && to === marginal.ordered)).toBe(true);
      }),
    );
  });

  test('a day of four ordered bins and one unknown, by two modes', () => {
    const [shape, marginal]: [DomainShape, Marginal] = [[5, 2], { attributes: [1, 0], ordered: 4 }];
    const ranges = queriesOf(shape, [marginal]).filter(({ from, to }) => to > from + 1);
    expect(ranges.map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [2, 4],
      [0, 4],
      [5, 7],
      [7, 9],
      [5, 9],
    ]);
  });

  test('running sums give the rows of any run of cells', () => {
    fc.assert(
      fc.property(workloads, (one) => {
        const marginal = marginalOf(one);
        const places = placesInMarginal(one.shape, marginal);
        const cells = [...places.keys()].map((cell) => (cell * 7) % 11);
        const size = cellsOfMarginal(one.shape, marginal);
        const sums = accumulate(cells, places, size);
        for (let from = 0; from < size; from += 1) {
          const inside = cells.filter((_, cell) => places[cell]! >= from);
          expect(sums[size]! - sums[from]!).toBe(inside.reduce((sum, rows) => sum + rows, 0));
        }
      }),
    );
  });
});
