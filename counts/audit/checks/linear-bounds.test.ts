import { beforeAll, describe, expect, test } from 'vitest';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import { rational } from '../../../core/rational/rational.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { cellBounds, type Grid, type LinearSystem, systemOf } from './linear-bounds.ts';

let solve: LinearProgramSolver;
beforeAll(async () => {
  solve = await loadSolver();
});

const NOISE: DeclaredNoise = { model: 'discrete-laplace', scale: 1, threshold: 10 };

describe('bounds by linear programs', () => {
  test('find what several exact sums say together', () => {
    // A 2 × 2 table with all margins known and one cell known pins the other three.
    const system: LinearSystem = {
      cells: new Map([
        ['a b', [0, 50]],
        ['c', [0, 50]],
        ['d', [0, 50]],
        ['e', [7, 7]],
      ]),
      sums: [
        { cells: ['a b', 'c'], bounds: [20, 20] },
        { cells: ['d', 'e'], bounds: [12, 12] },
        { cells: ['a b', 'd'], bounds: [9, 9] },
        { cells: ['c', 'e'], bounds: [23, 23] },
      ],
    };
    expect(cellBounds(system, ['a b', 'c', 'd'], solve)).toEqual(
      new Map([
        ['a b', [4, 4]],
        ['c', [16, 16]],
        ['d', [5, 5]],
      ]),
    );
    const contradiction = { ...system, sums: [...system.sums, { cells: ['a b'], bounds: [5, 6] as const }] };
    expect(cellBounds(contradiction, ['c'], solve)).toBeNull();
    expect(() => cellBounds({ ...system, sums: [{ cells: ['z'], bounds: [0, 1] }] }, ['c'], solve)).toThrow(RangeError);
  });

  const truths: Record<string, number> = { '08:00 A': 40, '08:00 B': 6, '08:15 A': 3, '08:15 B': 51 };
  const sumsOver = [
    ['08:00 A', '08:00 B'],
    ['08:15 A', '08:15 B'],
    ['08:00 A', '08:15 A'],
    ['08:00 B', '08:15 B'],
  ];

  function publication(seed: number, ofSums: 'noisy' | 'raw' | 'none'): Grid {
    const noise = discreteLaplace(rational(1n), seededSource(seed));
    const cells = Object.entries(truths).map(([name, truth]) => ({
      cells: [name],
      count: truth + noise.draw(),
      noise: NOISE,
    }));
    const sums = sumsOver.map((names) => {
      const truth = names.reduce((sum, name) => sum + truths[name]!, 0);
      const count = truth + (ofSums === 'noisy' ? noise.draw() : 0);
      return { cells: names, count, noise: { ...NOISE, scale: ofSums === 'noisy' ? 1 : 0.01 } };
    });
    const [shown = [], hidden = []] = [true, false].map((is) => cells.filter(({ count }) => count >= 10 === is));
    return {
      name: 'test',
      counts: [...shown, ...(ofSums === 'none' ? [] : sums)],
      suppressed: hidden.flatMap((cell) => cell.cells),
      cellNoises: [NOISE],
    };
  }

  // All statements hold together with 99 %: in 100 runs more than 6 misses have a chance under 1e-3.
  test('hold the true counts with the confidence asked for', () => {
    let missed = 0;
    for (let seed = 0; seed < 100; seed += 1) {
      const bounds = cellBounds(systemOf(publication(seed, 'noisy'), 0.99), Object.keys(truths), solve);
      if (
        bounds === null ||
        [...bounds].some(([name, [lower, upper]]) => truths[name]! < lower || truths[name]! > upper)
      )
        missed += 1;
    }
    expect(missed).toBeLessThanOrEqual(6);
  });

  test('broken twin: totals with almost no noise narrow a suppressed cell, derived ones do not', () => {
    const boundsWith = (ofSums: 'raw' | 'none') => {
      const grid = publication(1, ofSums);
      expect(grid.suppressed).toContain('08:00 B');
      return cellBounds(systemOf(grid, 0.95), ['08:00 B'], solve)!.get('08:00 B')!;
    };
    const alone = boundsWith('none');
    const [lower, upper] = boundsWith('raw');
    expect(upper - lower).toBeLessThan(alone[1] - alone[0]);
    // A derived total is the sum of the published cells: as a statement about those it adds nothing.
    expect(alone[0]).toBe(0);
  });
});
