import { type LedgerKeys, walkLedger } from '../../activities/ledger/ledger.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';

/** Names of the populations that have a ledger, in order. */
export async function listPopulations(store: ObjectStore): Promise<string[]> {
  const populations = new Set<string>();
  for await (const { key } of store.list(LEDGERS)) {
    const [population, entry] = key.slice(LEDGERS.length).split('/');
    if (population && entry) populations.add(population);
  }
  return [...populations].sort();
}

/** What all ledgers lie under. */
const LEDGERS = `${RELEASE_KEYS.ledgerPrefix('').split('/')[0]}/`;

/** The one population that is named, or all of them. Throws USAGE when the named one has no ledger. */
export async function selectPopulations(store: ObjectStore, named: string | undefined): Promise<string[]> {
  const populations = await listPopulations(store);
  if (named === undefined) return populations;
  if (populations.includes(named)) return [named];
  const known = populations.length > 0 ? `there are ledgers of ${populations.join(', ')}` : 'no ledger was begun yet';
  throw new OpalineError('USAGE', `There is no ledger of a population ${named}; ${known}.`);
}

/** What walking the chain of one ledger found. */
export type LedgerCheck =
  | { population: string; verified: true; entries: number; tip: string | null }
  | { population: string; verified: false; code: 'LEDGER_BROKEN'; message: string };

/**
 * Walks the chain of one ledger, and with keys looks who signed its entries; a break in it is an answer. Other faults (a
 * store that does not answer) are thrown.
 */
export async function checkLedger(
  store: ObjectStore,
  population: string,
  keys: LedgerKeys | null,
): Promise<LedgerCheck> {
  try {
    const { entries, tip } = await walkLedger(store, population, keys);
    return { population, verified: true, entries: entries.length, tip };
  } catch (error) {
    if (!(error instanceof OpalineError) || error.code !== 'LEDGER_BROKEN') throw error;
    return { population, verified: false, code: error.code, message: error.message };
  }
}
