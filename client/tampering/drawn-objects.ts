import { parsePartitionPath, partitionPath, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { type Believed, requireStored } from '../../services/draws/draw-receipt.ts';
import { said } from './said.ts';
import type { StoredRelease } from './stored-releases.ts';

/**
 * Tables that are not the ones of their receipts, or lie where a hole is, receipts that the private worker did not sign,
 * and receipts whose table was taken away. Reads every table.
 */
export async function drawnSentences(store: ObjectStore, believed: Believed, stored: StoredRelease): Promise<string[]> {
  const { release, tables, receipts } = stored;
  const sentences: string[] = [];
  for (const path of new Set([...tables, ...receipts].map(partitionPath))) {
    const sentence = await said(
      requireStored(store, believed, release, parsePartitionPath(path)!),
      `The receipt of ${path} cannot be read.`,
    );
    if (sentence) sentences.push(`${releasePath(release)}: ${sentence}`);
  }
  return sentences;
}
