import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RELEASE_KEYS } from '../../contracts/names.ts';

/**
 * Changes the first amount of 8 that is charged in a ledger, or in its copies, in a folder, and leaves the signature as
 * it was: whoever knows the ledger's keys and reads the entry says LEDGER_BROKEN. Gives what puts the entry back.
 */
export async function brokenLedger(store: string, population: string): Promise<() => Promise<void>> {
  const folder = join(store, RELEASE_KEYS.ledgerPrefix(population));
  for (const name of (await readdir(folder)).sort()) {
    const entry = join(folder, name);
    const honest = await readFile(entry, 'utf8');
    const envelope: { payload: string } = JSON.parse(honest);
    const said = Buffer.from(envelope.payload, 'base64').toString('utf8');
    if (!/"kind":"reserve"/.test(said) || !said.includes('"epsilon":"8"')) continue;
    const payload = Buffer.from(said.replace('"epsilon":"8"', '"epsilon":"1"')).toString('base64');
    await writeFile(entry, JSON.stringify({ ...envelope, payload }));
    return () => writeFile(entry, honest);
  }
  throw new Error(`no entry in ${folder} charges an epsilon of 8`);
}
