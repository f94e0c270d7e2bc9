import type { PrivateContext } from '../context.ts';

/** What entries are written with: the private store, the keys that may have signed the others, and the worker's own. */
export const writerOf = ({ privateStore, ledgerKeys, ledgerKey }: PrivateContext) => ({
  store: privateStore,
  keys: ledgerKeys,
  privateKey: ledgerKey,
});
