import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NEIGHBOURS, PUBLISHED_TAPS } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { l1Change, leftOutChange, patternsOfUnit, type UnitRule } from './l1-change.ts';

/** A release as counts of cells; a unit is a list of (tap, place) that it adds one to each. */
type Counts = Map<string, number>;

function added(counts: Counts, taps: readonly string[]): Counts {
  const sum = new Map(counts);
  for (const tap of taps) sum.set(tap, (sum.get(tap) ?? 0) + 1);
  return sum;
}

function distance(a: Counts, b: Counts): number {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].reduce((sum, key) => sum + Math.abs((a.get(key) ?? 0) - (b.get(key) ?? 0)), 0);
}

/** Any unit of the rule, as the cells in which it is counted; days are part of the cell, as a trip can pass midnight. */
function unitsOf(rule: UnitRule) {
  const cell = (tap: string) => fc.constantFrom('mon 0', 'mon 1', 'tue 0', 'tue 1').map((place) => `${tap} ${place}`);
  const published = rule.publish === 'on+off' ? ['on', 'off'] : [rule.publish];
  if (rule.unit === 'tap') return fc.oneof(...published.map(cell)).map((tap) => [tap]);
  if (rule.unit === 'trip') return fc.tuple(...published.map(cell));
  return fc.array(fc.oneof(...published.map(cell)), { maxLength: rule.maxTaps! });
}

const rules: UnitRule[] = NEIGHBOURS.flatMap((neighbours) =>
  PUBLISHED_TAPS.flatMap((publish) => [
    { unit: 'tap' as const, neighbours, publish },
    { unit: 'trip' as const, neighbours, publish },
    { unit: 'card-day' as const, maxTaps: 3, neighbours, publish },
    { unit: 'card-window' as const, maxTaps: 2, neighbours, publish },
  ]),
);

describe('@contract C1 L1 change', () => {
  test.each([
    [{ unit: 'tap', neighbours: 'add-remove', publish: 'on+off' }, 1],
    [{ unit: 'tap', neighbours: 'replace-one', publish: 'on+off' }, 2],
    [{ unit: 'trip', neighbours: 'add-remove', publish: 'on+off' }, 2],
    [{ unit: 'trip', neighbours: 'replace-one', publish: 'on+off' }, 4],
    [{ unit: 'trip', neighbours: 'replace-one', publish: 'off' }, 2],
    [{ unit: 'card-day', maxTaps: 4, neighbours: 'add-remove', publish: 'on+off' }, 4],
    [{ unit: 'card-window', maxTaps: 4, neighbours: 'replace-one', publish: 'on' }, 8],
  ] as const)('%j is %i', (rule, expected) => expect(l1Change(rule)).toBe(expected));

  test.each(rules)('holds for any two neighbours and is reached: $unit $publish $neighbours', (rule) => {
    let most = 0;
    const others = fc.array(fc.constantFrom('on mon 0', 'off tue 1', 'on tue 0'), { maxLength: 20 });
    fc.assert(
      fc.property(others, unitsOf(rule), unitsOf(rule), (taps, one, another) => {
        const rest = added(new Map(), taps);
        const second = rule.neighbours === 'replace-one' ? added(rest, another) : rest;
        const change = distance(added(rest, one), second);
        most = Math.max(most, change);
        expect(change).toBeLessThanOrEqual(l1Change(rule));
      }),
      { numRuns: 1000, seed: 7 },
    );
    // Broken twin: a smaller D1 would be caught.
    expect(most).toBe(l1Change(rule));
  });

  test.each([
    [{ unit: 'card-day', neighbours: 'add-remove', publish: 'on' }],
    [{ unit: 'card-day', maxTaps: 0, neighbours: 'add-remove', publish: 'on' }],
    [{ unit: 'card-window', maxTaps: 1.5, neighbours: 'add-remove', publish: 'on' }],
    [{ unit: 'card-window', maxTaps: 10_001, neighbours: 'add-remove', publish: 'on' }],
    [{ unit: 'trip', maxTaps: 2, neighbours: 'add-remove', publish: 'on' }],
  ] as const)('refuses %j', (rule) => {
    expect(() => l1Change(rule)).toThrow(OpalineError);
  });
});

describe('@contract C1 L1 change of left-out taps', () => {
  const card = { unit: 'card-day', clamp: 5 } as const;
  test('is the clamp, twice when a card is replaced, and nothing where they are not counted', () => {
    expect(leftOutChange({ ...card, neighbours: 'add-remove' })).toBe(5);
    expect(leftOutChange({ ...card, neighbours: 'replace-one' })).toBe(10);
    expect(leftOutChange({ unit: 'card-window', neighbours: 'replace-one' })).toBeNull();
  });

  test.each([{ unit: 'trip' }, { clamp: 0 }, { clamp: 1.5 }, { clamp: 10_001 }] as const)('refuses %j', (change) => {
    expect(() => leftOutChange({ ...card, neighbours: 'add-remove', ...change })).toThrow(OpalineError);
  });
});

describe('vanishing patterns', () => {
  test('of a tap of a trip that is replaced are two cells: a value that nobody can use takes both ends away', () => {
    const tap = { unit: 'tap', neighbours: 'replace-one', publish: 'on+off' } as const;
    expect(patternsOfUnit(tap)).toEqual([{ cells: 2, taps: 1 }]);
    expect(patternsOfUnit({ ...tap, rows: 'trips' })).toEqual([{ cells: 2, taps: 1 }]);
    for (const alone of [{ rows: 'taps' }, { neighbours: 'add-remove' }, { publish: 'off' }] as const)
      expect(patternsOfUnit({ ...tap, ...alone })).toEqual([{ cells: 1, taps: 1 }]);
  });

  test('on and off of a trip are never one cell, taps of a card can be', () => {
    const rule = { neighbours: 'replace-one', publish: 'on+off' } as const;
    expect(patternsOfUnit({ ...rule, unit: 'tap', rows: 'taps' })).toEqual([{ cells: 1, taps: 1 }]);
    expect(patternsOfUnit({ ...rule, unit: 'trip' })).toEqual([{ cells: 2, taps: 1 }]);
    expect(patternsOfUnit({ ...rule, unit: 'card-day', maxTaps: 1 })).toEqual([{ cells: 1, taps: 1 }]);
    expect(patternsOfUnit({ ...rule, unit: 'card-day', maxTaps: 3 })).toEqual([
      { cells: 3, taps: 1 },
      { cells: 1, taps: 3 },
    ]);
  });
});
