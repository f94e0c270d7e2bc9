import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { walkLedger } from '../../services/ledger/ledger.ts';
import { readBytes, readBytesIfPresent } from '../../services/stores/json-objects.ts';
import type { PrivateContext } from '../private-context.ts';
import { reasonOfLedger } from './population-ledger.ts';

/**
 * What is not well with the ledger of a population as its owner has it, in sentences: its own chain, walked from its
 * first entry and looked at for who signed it; its copies, each byte; the worker's mark; the policy and trust file that
 * it names. None: all of it agrees. It changes nothing, and reads every entry twice.
 *
 * @contract C12
 */
export async function compareLedger(context: PrivateContext, population: string): Promise<string[]> {
  const { privateStore, releaseStore, ledgerKeys } = context;
  try {
    const { entries } = await walkLedger(privateStore, population, ledgerKeys);
    const problems: string[] = [];
    for (let sequence = 1; sequence <= entries.length; sequence += 1) {
      const key = RELEASE_KEYS.ledgerEntry(population, sequence);
      const copy = await readBytesIfPresent(releaseStore, key);
      if (copy?.equals(await readBytes(privateStore, key))) continue;
      problems.push(
        copy
          ? `The copy of entry ${sequence} of the ledger of ${population} is not the entry: runbook copy-differs.`
          : `Entry ${sequence} of the ledger of ${population} has no copy; a private worker puts it back within a minute.`,
      );
    }
    const reason = await reasonOfLedger(context, population);
    return reason === null ? problems : [...problems, `The ledger of ${population} ${reason}: runbook ledger-behind.`];
  } catch (error) {
    if (!(error instanceof OpalineError) || !FINDINGS.some((code) => code === error.code)) throw error;
    return [`The private store: ${error.message}`];
  }
}

/** What may be wrong with a ledger; a store that does not answer is something else. */
const FINDINGS = ['LEDGER_BROKEN', 'LEDGER_BEHIND', 'COPY_DIFFERS'] as const;
