import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RELEASE_KEYS } from '../../contracts/names.ts';

/**
 * Changes the first amount in a ledger that lies in a folder: whatever reads the ledger says LEDGER_BROKEN, with every
 * entry after it. Gives what puts the entry back.
 */
export async function brokenLedger(store: string, population: string): Promise<() => Promise<void>> {
  const entry = join(store, RELEASE_KEYS.ledgerEntry(population, 1));
  const honest = await readFile(entry, 'utf8');
  const forged = honest.replace(/"epsilon":\s*"8/, (amount) => amount.replace('8', '1'));
  if (forged === honest) throw new Error(`${entry} charges no epsilon of 8`);
  await writeFile(entry, forged);
  return () => writeFile(entry, honest);
}
