import { describe, expect, test } from 'vitest';
import type { CountRow } from '../../derive/count-row.ts';
import { tableOf } from '../../derive/count-table.ts';
import type { Tap } from '../../tables/tap-tables.ts';
import { equalTruthPairs, versionPairs } from './equal-truth-pairs.ts';

const row = (tap: Tap, time: string, location: string, count: number, day = '2016-07-25'): CountRow => ({
  mode: 'ferry',
  day,
  tap,
  time,
  location,
  count,
});

const MANLY = [
  { mode: 'ferry', from: 'Manly Wharf', to: 'Circular Quay 3', minutes: 30 },
  { mode: 'ferry', from: 'Circular Quay 3', to: 'Manly Wharf', minutes: 30 },
];

describe('pairs of equal truth', () => {
  test('are the two ends of the Manly ferry, as in table 1 of the 2017 report', () => {
    const cells = [
      row('on', '06:45', 'Manly Wharf', 88),
      row('off', '07:15', 'Circular Quay 3', 86),
      row('on', '07:00', 'Circular Quay 3', 33),
      row('off', '07:30', 'Manly Wharf', 32),
      // Suppressed at the other end.
      row('on', '23:45', 'Manly Wharf', 21),
      // Another day.
      row('off', '00:15', 'Circular Quay 3', 20, '2016-07-26'),
    ];
    expect(equalTruthPairs(tableOf(cells), MANLY)).toEqual([
      [88, 86],
      [33, 32],
    ]);
  });

  test('of two versions leave out what is carried over and what one of them suppresses', () => {
    const first = [row('on', '06:45', 'A', 30), row('on', '07:00', 'A', 40), row('on', '06:45', 'A', 50, '2016-07-26')];
    const second = [
      row('on', '06:45', 'A', 31),
      row('on', '07:15', 'A', 22),
      row('on', '06:45', 'A', 50, '2016-07-26'),
    ];
    expect(versionPairs(tableOf(first), tableOf(second), new Set(['ferry/2016-07-26']))).toEqual([[30, 31]]);
    expect(versionPairs(tableOf(first), tableOf(second), new Set())).toEqual([
      [30, 31],
      [50, 50],
    ]);
  });
});
