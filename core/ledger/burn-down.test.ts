import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { addDays } from '../calendar/civil-day.ts';
import { formatRational, multiply, parseRational, rational } from '../rational/rational.ts';
import { blockTotal, charges as chargesIn } from './budget.ts';
import { type BurnDown, burnDown } from './burn-down.ts';
import { charge, endEntry, epsilonIn, head, reserveEntry } from './entries.fixture.ts';

const MONDAY = '2026-03-02';

describe('C12: the burn-down of a ledger', () => {
  test('of an empty ledger is empty', () => {
    expect(burnDown([])).toEqual({ accounting: null, charges: [], refusals: [], caps: null, blocks: [] });
  });

  test('lists charges with how they ended, and refusals with who and why', () => {
    const refusal = { release: 'taps/c/v1', code: 'BUDGET_EXCEEDED', subject: 'releaseWorkflow', reason: 'over-cap' };
    const burnt = burnDown([
      reserveEntry(1, 'taps/a/v1', charge(MONDAY, 7, '8')),
      endEntry('commit', 1, 'taps/a/v1'),
      reserveEntry(2, 'taps/b/v1', charge(MONDAY, 7, '36/5')),
      endEntry('withhold', 2, 'taps/b/v1'),
      reserveEntry(3, 'taps/d/v1', charge('2027-03-08', 7, '8')),
      { ...head, kind: 'refuse', ...refusal },
    ]);
    expect(
      burnt.charges.map(({ release, state, year, ...one }) => [release, state, epsilonIn(one), epsilonIn(year)]),
    ).toEqual([
      ['taps/a/v1', 'committed', '8', '8'],
      ['taps/b/v1', 'withheld', '36/5', '76/5'],
      ['taps/d/v1', 'reserved', '8', '8'],
    ]);
    expect(burnt.charges[0]).toMatchObject({ firstDay: MONDAY, lastDay: '2026-03-08', blocks: 7, unit: 'trip' });
    expect(burnt.refusals).toEqual([refusal]);
    expect(burnt.blocks).toEqual([
      { epsilon: '76/5', delta: '1/500000', blocks: 7, parts: ['bus'], firstDay: MONDAY, lastDay: '2026-03-08' },
      { epsilon: '8', delta: '1/1000000', blocks: 7, parts: ['bus'], firstDay: '2027-03-08', lastDay: '2027-03-14' },
    ]);
  });

  /** ε of all groups together is ε of all blocks together, each asked for by itself. */
  function whole(seen: (entries: LedgerEntry[]) => BurnDown): boolean {
    const charges = fc.array(
      fc.record({
        start: fc.integer({ min: 0, max: 30 }),
        days: fc.integer({ min: 1, max: 9 }),
        epsilon: fc.integer({ min: 1, max: 9 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    const property = fc.property(charges, (list) => {
      const entries: LedgerEntry[] = list.flatMap(({ start, days, epsilon }, index) => [
        reserveEntry(index, `taps/${index}/v1`, charge(addDays(MONDAY, start), days, `${epsilon}/7`)),
        endEntry(index % 2 === 0 ? 'commit' : 'withhold', index, `taps/${index}/v1`),
      ]);
      const { blocks } = seen(entries);
      for (const { blocks: count, firstDay, ...spent } of blocks) {
        expect(count).toBeGreaterThan(0);
        expect(formatRational(epsilonIn(blockTotal(chargesIn(entries), 'bus', firstDay)))).toBe(epsilonIn(spent));
      }
      const sevenths = blocks.map(({ blocks: count, ...spent }) =>
        multiply(parseRational(epsilonIn(spent)), rational(BigInt(7 * count))),
      );
      const total = sevenths.reduce((sum, { numerator }) => sum + Number(numerator), 0);
      expect(total).toBe(list.reduce((sum, { days, epsilon }) => sum + days * epsilon, 0));
    });
    return !fc.check(property, { numRuns: 100, seed: 1 }).failed;
  }

  test('adds up to what every block was charged', () => {
    expect(whole(burnDown)).toBe(true);
  });

  test('broken twin: one that takes withheld charges back is caught', () => {
    const withheld = (entries: LedgerEntry[]) =>
      new Set(entries.flatMap((entry) => (entry.kind === 'withhold' ? [entry.charge] : [])));
    const forgiving = (entries: LedgerEntry[]) => {
      const back = withheld(entries);
      return burnDown(entries.filter((entry) => entry.kind !== 'reserve' || !back.has(entry.charge)));
    };
    expect(whole(forgiving)).toBe(false);
  });
});
