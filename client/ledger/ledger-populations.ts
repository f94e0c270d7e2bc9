import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { type Ledger, type LedgerKeys, walkLedger } from '../../services/ledger/ledger.ts';
import { holdsTip } from '../../services/ledger/ledger-tip.ts';
import { listPopulations } from '../../services/ledger/populations.ts';
import type { NamedTip } from './named-tips.ts';

/**
 * The one population that is asked for, or all that have a ledger or that a manifest names: a ledger that was taken away
 * as a whole is missed by its manifests alone. Throws USAGE when the one has no ledger.
 */
export async function selectPopulations(
  store: ObjectStore,
  population: string | undefined,
  tips: readonly NamedTip[] = [],
): Promise<string[]> {
  const populations = await listPopulations(store, tips);
  if (population === undefined) return populations;
  if (populations.includes(population)) return [population];
  const hint = populations.length > 0 ? `there are ledgers of ${populations.join(', ')}` : 'no ledger was begun yet';
  throw wrongUse(`There is no ledger of a population ${population}; ${hint}.`);
}

const CODES = ['LEDGER_BROKEN', 'LEDGER_BEHIND'] as const;

export type LedgerCheck =
  | { population: string; verified: true; ledger: Ledger }
  | { population: string; verified: false; code: 'LEDGER_BROKEN' | 'LEDGER_BEHIND'; message: string };

/**
 * Walks the chain of one ledger, looks who signed its entries, and whether it still holds what manifests name of it: a
 * chain that was cut, or begun again with the same key, is whole in itself. What is wrong is an answer. Other faults (a
 * store that does not answer) are thrown.
 *
 * @contract C12
 */
export async function checkLedger(
  store: ObjectStore,
  population: string,
  keys: LedgerKeys,
  tips: readonly NamedTip[],
): Promise<LedgerCheck> {
  try {
    const ledger = await walkLedger(store, population, keys);
    const gaps = tips.flatMap((one) => (one.population === population ? (notHeld(ledger, one) ?? []) : []));
    if (gaps.length > 0) throw new OpalineError('LEDGER_BROKEN', gaps[0]!);
    return { population, verified: true, ledger };
  } catch (error) {
    const code = error instanceof OpalineError && CODES.find((one) => one === error.code);
    if (!code) throw error;
    return { population, verified: false, code, message: (error as OpalineError).message };
  }
}

/** What a ledger does not hold of what a manifest names, in a sentence; null: it holds all of it. */
function notHeld(ledger: Ledger, { release, population, tip, charge }: NamedTip): string | null {
  const { length } = ledger.entries;
  if (tip !== null && tip.sequence > length)
    return `The ledger of ${population} ends at entry ${length}, and the manifest of ${release} names entry ${tip.sequence}: entries were taken away; put them back from the private store or a backup.`;
  if (tip !== null && !holdsTip(ledger, tip))
    return `Entry ${tip.sequence} of the ledger of ${population} is another one than the manifest of ${release} names: one of them is forged; compare with the private store.`;
  if (ledger.entries.some((entry) => entry.kind === 'reserve' && entry.charge === charge)) return null;
  return `The ledger of ${population} does not hold the charge that the manifest of ${release} names: one of them is forged; compare with the private store.`;
}
