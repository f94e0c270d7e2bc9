import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LEDGER_FORMAT, type LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { formatCharged } from '../../core/accounting/charged-amount.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { blockTotal, charges as chargesIn, yearPeak } from '../../core/ledger/budget.ts';
import { burnDown } from '../../core/ledger/burn-down.ts';
import { epsilonIn, reserveEntry } from '../../core/ledger/entries.fixture.ts';
import { compare } from '../../core/rational/rational.ts';
import { takeoverOfShown } from './takeover-order.ts';

const MONDAY = '2026-03-02';
const caps = { block: { epsilon: '100', delta: '1' }, year: { epsilon: '100', delta: '1' } };

const reserveOf = (number: number, first: number, days: number, parts: readonly string[], epsilon: string) =>
  reserveEntry(number, `small/${addDays(MONDAY, first)}/v${number}`, {
    blocks: Array.from({ length: days }, (_, at) => addDays(MONDAY, first + at)).flatMap((day) =>
      parts.map((part) => ({ part, day, epsilon, delta: '1/1000000' })),
    ),
    caps,
  });

/** What `ledger show --json` prints, as the builds before this one do. */
const shownOf = (entries: LedgerEntry[]): string =>
  JSON.stringify({ populations: [{ population: 'riders', ...burnDown(entries) }] });

function takenOf(entries: LedgerEntry[]): LedgerEntry[] {
  const { unexplained } = takeoverOfShown(shownOf(entries), 'riders');
  const numbered = { number: 1, digest: 'ab'.repeat(32) };
  const head = { format: LEDGER_FORMAT, population: 'riders', sequence: 1, previous: null } as const;
  const believed = { policy: numbered, trust: numbered, order: 'ab'.repeat(32), tip: null, mark: null };
  return [{ ...head, ...believed, kind: 'takeover', unexplained }];
}

test('@contract C12: charges that are taken over leave no block and no year with less than was spent', () => {
  const charges = fc.array(
    fc.record({
      first: fc.integer({ min: 0, max: 20 }),
      days: fc.integer({ min: 1, max: 9 }),
      parts: fc.constantFrom(['bus'], ['ferry'], ['bus', 'ferry'], ['all']),
      epsilon: fc.constantFrom('8', '1/3', '36/5'),
    }),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(charges, (all) => {
      const entries = all.map(({ first, days, parts, epsilon }, at) => reserveOf(at + 1, first, days, parts, epsilon));
      const taken = takenOf(entries);
      const days = Array.from({ length: 30 }, (_, at) => addDays(MONDAY, at));
      for (const part of ['bus', 'ferry', 'all'])
        for (const day of days)
          expect(
            compare(
              epsilonIn(blockTotal(chargesIn(taken), part, day)),
              epsilonIn(blockTotal(chargesIn(entries), part, day)),
            ),
          ).toBeGreaterThanOrEqual(0);
      const [before, after] = [entries, taken].map((some) =>
        yearPeak(
          some.flatMap((one) => (one.kind === 'takeover' ? one.unexplained : one.kind === 'reserve' ? [one] : [])),
          days.map((day) => ({ day })),
        ),
      );
      expect(formatCharged(after!)).toEqual(formatCharged(before!));
    }),
    { numRuns: 200 },
  );
});

test('of releases of the same parts every block has exactly what it had', () => {
  const entries = [reserveOf(1, 0, 7, ['bus', 'ferry'], '8'), reserveOf(2, 0, 7, ['bus', 'ferry'], '36/5')];
  for (const day of [MONDAY, '2026-03-08', '2026-03-09'])
    expect(formatCharged(blockTotal(chargesIn(takenOf(entries)), 'bus', day))).toEqual(
      formatCharged(blockTotal(chargesIn(entries), 'bus', day)),
    );
});

test('broken twins: a file without the population, or in which a charge was left out, is refused', () => {
  const entries = [reserveOf(1, 0, 7, ['bus'], '8'), reserveOf(2, 0, 7, ['bus'], '36/5')];
  const usage = expect.objectContaining({ code: 'USAGE' });
  expect(() => takeoverOfShown(shownOf(entries), 'others')).toThrow(usage);
  expect(() => takeoverOfShown('{}', 'riders')).toThrow(usage);
  expect(() => takeoverOfShown(shownOf([]), 'riders')).toThrow(usage);
  const shown = JSON.parse(shownOf(entries));
  shown.populations[0].charges.pop();
  expect(() => takeoverOfShown(JSON.stringify(shown), 'riders')).toThrow(usage);
});
