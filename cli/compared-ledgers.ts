import { compareLedger } from '../custodian/custody/compared-ledger.ts';
import { custodianSide } from './private-deployment.ts';

/** A ledger of the private store, and what its copies say otherwise. */
export type ComparedLedger = { population: string; verified: boolean; sentences: string[] };

/** What the custodian's own store says, of one population or of all in the policy. */
export async function compareLedgers(name?: string): Promise<ComparedLedger[]> {
  const context = await custodianSide();
  const populations = name === undefined ? Object.keys(context.policy.policy.populations) : [name];
  return Promise.all(
    populations.map(async (population) => {
      const sentences = await compareLedger(context, population);
      return { population, verified: sentences.length === 0, sentences };
    }),
  );
}
