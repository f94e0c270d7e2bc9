import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { head, terms } from '../../core/ledger/entries.fixture.ts';
import { findCharges, ledgerFacts } from './ledger-facts.ts';

const caps = { block: { epsilon: '16', delta: '1/500000' }, year: { epsilon: '424', delta: '53/1000000' } };
const reserve = (release: string, days: string[], parts = ['bus']): LedgerEntry => ({
  ...head,
  kind: 'reserve',
  charge: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
  release,
  unit: 'trip',
  ...terms,
  blocks: days.flatMap((day) => parts.map((part) => ({ part, day, epsilon: '8', delta: '1/1000000' }))),
  caps,
});

const entries = [
  reserve('demo/2025-03-03/v1', ['2025-03-03', '2025-03-04']),
  reserve('demo/2026-03-02/v1', ['2026-03-02', '2026-03-03'], ['bus', 'ferry']),
  reserve('demo/2026-03-02/v2', ['2026-03-03']),
  reserve('other/2026-03-02/v1', ['2026-03-02', '2026-03-03']),
];
const series: Parameters<typeof ledgerFacts>[1] = {
  series: 'demo',
  unit: 'trip',
  worstPattern: [1, 1],
  lastDay: '2026-03-03',
};

describe('facts of the ledger', () => {
  test('C12: charges of each block, and a chance for each draw of a day within the year', () => {
    const facts = ledgerFacts(entries, series);
    expect(facts.charges.get('bus/2026-03-03')).toBe(2);
    expect(facts.charges.get('ferry/2026-03-03')).toBe(1);
    expect(facts.charges.get('train/2026-03-03')).toBeUndefined();
    // 2025-03-04 is 364 days before; the day before it, in the same release, counts with it.
    expect(facts.chances).toBe(1 + 1 + 1 + 2);
    expect(facts.deltaCap).toBeCloseTo(4 * 2e-6, 18);
  });

  test('a card in a window is one unit of the year, of whom no more cells count than the worst case has', () => {
    const facts = ledgerFacts(entries.slice(1), { ...series, unit: 'card-window', worstPattern: [1] });
    expect(facts).toMatchObject({ chances: 2, deltaCap: 53e-6 });
    // Where every cell has noise no cell vanishes with a card, and it may be in one of each day all the same.
    const noisy = ledgerFacts(entries, { ...series, unit: 'card-window', worstPattern: [], maxTaps: 28 });
    expect(noisy.chances).toBe(2 + 2 + 1);
  });

  test('an empty ledger gives no chance at all', () => {
    expect(ledgerFacts([], series)).toMatchObject({ chances: 0, deltaCap: 0 });
  });

  test('C13: a release is charged where it or an earlier version of its window is, and no other', () => {
    const release = { series: 'demo', window: '2026-03-02' };
    const first = ['bus/2026-03-02', 'ferry/2026-03-02', 'bus/2026-03-03', 'ferry/2026-03-03'];
    const all = [...first, 'train/2026-03-02'];
    const charged = (...of: Parameters<typeof findCharges>) => {
      const blocks = findCharges(...of);
      return all.filter((partition) => blocks.has(partition));
    };
    expect(charged(entries, { ...release, version: 1 })).toEqual(first);
    expect(charged(entries.slice(2), { ...release, version: 1 })).toEqual([]);
    expect(charged(entries.slice(2), { ...release, version: 2 })).toEqual(['bus/2026-03-03']);
    expect(charged(entries, { ...release, series: 'nobody', version: 1 })).toEqual([]);
    // Where one unit may be in all parts, one block a day is charged for all of them.
    const cards = [reserve('demo/2026-03-02/v1', ['2026-03-02'], ['all'])];
    expect(charged(cards, { ...release, version: 1 })).toEqual(all.filter((name) => name.endsWith('02')));
  });
});
