import { OpalineError } from '../../contracts/errors.ts';
import type { PrivateContext } from '../context.ts';
import { settledLedger } from './population-ledger.ts';

/**
 * Settles the ledger of every population of the policy, as a worker does that starts: copies that are missing are put
 * back, and what was ordered is taken over, so that open releases find their receipts. What is not well is told in
 * sentences and stops nothing else: each charge asks again.
 *
 * @contract C12
 */
export async function settleLedgers(context: PrivateContext): Promise<string[]> {
  const problems: string[] = [];
  for (const population of Object.keys(context.policy.policy.populations)) {
    try {
      await settledLedger(context, population);
    } catch (error) {
      if (!(error instanceof OpalineError)) throw error;
      problems.push(`${error.code}: ${error.message}`);
    }
  }
  return problems;
}
