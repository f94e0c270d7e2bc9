import { type Believed, requireStoredTable } from '../../activities/draws/draw-receipt.ts';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { said } from './said.ts';
import type { StoredRelease } from './stored-releases.ts';

/**
 * Tables that are not the ones of their receipts, receipts that the private worker did not sign, and receipts whose
 * table was taken away. Reads every table.
 */
export async function drawnSentences(store: ObjectStore, believed: Believed, stored: StoredRelease): Promise<string[]> {
  const { release, tables, receipts } = stored;
  const sentences: string[] = [];
  for (const partition of tables) {
    const sentence = await said(
      requireStoredTable(store, believed, release, partition),
      `The receipt of ${partitionPath(partition)} cannot be read.`,
    );
    if (sentence) sentences.push(sentence);
  }
  const there = new Set(tables.map(partitionPath));
  for (const partition of receipts)
    if (!there.has(partitionPath(partition)))
      sentences.push(
        `The privatized table of ${partitionPath(partition)} was drawn, and is not there; a retry has the private worker put it back.`,
      );
  return sentences.map((sentence) => `${releasePath(release)}: ${sentence}`);
}
