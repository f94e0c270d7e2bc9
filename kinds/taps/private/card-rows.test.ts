import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROW_WORDS } from '../bounding/tap-choice.ts';
import { CardRows, type RowsOfObject } from './card-rows.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opaline-rows-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Cards that differ in the byte that makes parts, in later ones, and in the last one alone. */
const CARDS = [
  [1, 2, 3, 0x0400_0000],
  [1, 2, 3, 0x0500_0000],
  [1, 2, 3, 0x0500_0100],
  [1, 2, 4, 0x0500_0100],
  [2, 2, 4, 0x0500_0100],
];

type Row = { card: number; first: number; second: number };
const rows = fc.array(fc.record({ card: fc.nat(CARDS.length - 1), first: fc.nat(9), second: fc.nat(9) }), {
  maxLength: 40,
});
const words = ({ card, first, second }: Row): number[] => [...CARDS[card]!, first, second];

const fill = (into: RowsOfObject, some: readonly Row[]): RowsOfObject => {
  for (const { card, first, second } of some) into.add(Uint32Array.from([9, ...CARDS[card]!]), 1, first, second);
  return into;
};

/** The rows of lists that were given together. */
function split(lists: Iterable<Uint32Array>): string[] {
  const found: string[] = [];
  for (const list of lists)
    for (let at = 0; at < list.length; at += ROW_WORDS) found.push(String(list.slice(at, at + ROW_WORDS)));
  return found;
}

describe('the rows of cards', () => {
  const memory = fc.record({ block: fc.constantFrom(1, 2, 100), most: fc.constantFrom(1, 4, 100) });

  it('come once each, all of a card together, few at a time; what failed is forgotten, and no file stays', async () => {
    let singles = 0;
    await fc.assert(
      fc.asyncProperty(rows, rows, rows, memory, async (before, failed, after, { block, most }) => {
        const all = new CardRows(join(folder, 'rows'), block);
        fill(all.begin(), before).keep();
        const [beside, own] = [all.begin(), all.begin()];
        const half = after.length >> 1;
        fill(beside, after.slice(0, half));
        fill(own, failed).drop();
        fill(beside, after.slice(half)).keep();
        const found: string[][] = [];
        const lists = all.take(most, (pieces) => {
          singles += 1;
          found.push(split(pieces));
        });
        for (const list of lists) {
          expect(list.length).toBeLessThanOrEqual(most * ROW_WORDS);
          found.push(split([list]));
        }
        const expected = [...before, ...after].map((row) => String(words(row)));
        expect(found.flat().sort()).toEqual(expected.sort());
        for (const digest of CARDS)
          expect(found.filter((list) => list.some((row) => row.startsWith(`${digest},`))).length).toBeLessThanOrEqual(
            1,
          );
        expect(await readdir(folder)).toEqual([]);
      }),
      { seed: 24, numRuns: 60 },
    );
    expect(singles).toBeGreaterThan(0);
  });
});
