import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import type { Reserve } from './budget.ts';
import { amountLeft, budgetLeft, windowCharges } from './budget-left.ts';
import { charge, endEntry, reserveEntry, rulesEntry } from './entries.fixture.ts';

const caps = { block: '20', year: '16' };
const week = (first: string) => charge(first, 7, '4', caps);
/** What is left under the rules of the population, which are those of its first charge. */
const left = (entries: readonly Reserve[], ...more: LedgerEntry[]) =>
  budgetLeft([rulesEntry(entries[0]!.caps), ...entries, ...more]);

test('@contract C12: nothing charged leaves all; what is withheld leaves no more than what is committed', () => {
  expect(budgetLeft([]).year).toEqual({ epsilon: 1, delta: 1 });
  const one = reserveEntry(1, 'a', week('2026-03-02'));
  const expected = { block: { epsilon: 0.8, delta: 0.999 }, year: { epsilon: 0.75, delta: 0.999 } };
  expect(left([one])).toEqual(expected);
  expect(left([one], endEntry('withhold', 1, 'a'))).toEqual(expected);
});

test('the newest days of data count, also when an older window was charged after them', () => {
  const newest = reserveEntry(1, 'a', week('2026-03-02'));
  const older = reserveEntry(2, 'b', week('2024-01-01'));
  expect(left([newest, older])).toEqual(left([newest]));
  const again = reserveEntry(3, 'c', week('2026-03-02'));
  expect(left([newest, older, again])).toMatchObject({ block: { epsilon: 0.6 }, year: { epsilon: 0.5 } });
});

test('less than nothing is never left, and a cap of 0 that nothing was charged to is whole', () => {
  const over = [1, 2, 3, 4, 5, 6].map((number) => reserveEntry(number, `r${number}`, week('2026-03-02')));
  expect(left(over)).toMatchObject({ block: { epsilon: 0 }, year: { epsilon: 0 } });
  const { blocks } = week('2026-03-02');
  const zero = { epsilon: '20', delta: '0' };
  const pure = blocks.map((block) => ({ ...block, delta: '0' }));
  const entry = reserveEntry(1, 'a', { blocks: pure, caps: { block: zero, year: zero } });
  expect(left([entry])).toMatchObject({ block: { delta: 1 }, year: { delta: 1 } });
});

test('@contract C12: what is left of the caps is exact, and of the dearest block', () => {
  const [first, second] = [week('2026-03-02'), charge('2026-03-08', 1, '1/3', caps)];
  const entries = [rulesEntry(first.caps), reserveEntry(1, 'a', first), reserveEntry(2, 'b', second)];
  expect(amountLeft(entries, second)).toEqual({
    block: { epsilon: '47/3', delta: '499/500000' },
    year: { epsilon: '35/3', delta: '499/500000' },
    caps: { block: { epsilon: '20', delta: '1/1000' }, year: { epsilon: '16', delta: '1/1000' } },
  });
  // The first days of the week were charged once.
  expect(amountLeft(entries, { ...first, blocks: first.blocks.slice(0, 1) })?.block).toMatchObject({ epsilon: '16' });
  const over = [1, 2, 3, 4, 5, 6].map((number) => reserveEntry(number, `r${number}`, first));
  expect(amountLeft([rulesEntry(first.caps), ...over], first)).toMatchObject({
    block: { epsilon: '0' },
    year: { epsilon: '0' },
  });
  expect(amountLeft([], first)).toBeNull();
  const { caps: smaller } = charge('2026-03-02', 7, '4', { block: '5', year: '100' });
  expect(amountLeft(entries, { ...first, caps: smaller })).toMatchObject({
    block: { epsilon: '2/3' },
    year: { epsilon: '35/3' },
  });
});

test('the versions of a window are added up, those that nobody published too, and no other window', () => {
  const name = (version: number) => `small/2026-03-02/v${version}`;
  const entries = [
    reserveEntry(1, name(1), week('2026-03-02')),
    endEntry('withhold', 1, name(1)),
    reserveEntry(2, name(2), week('2026-03-02')),
    reserveEntry(3, 'small/2026-03-09/v1', week('2026-03-09')),
    reserveEntry(4, 'smaller/2026-03-02/v1', week('2026-03-02')),
  ];
  const both = { epsilon: '8', delta: '1/500000', charges: 2 };
  expect(windowCharges(entries, 'small', '2026-03-02')).toEqual(both);
});
