import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { namesBelow } from '../stores/json-objects.ts';

/** Names of the populations that have a ledger in a store, and of those that others name, in order. */
export async function listPopulations(
  store: ObjectReader,
  others: readonly { population: string }[] = [],
): Promise<string[]> {
  const populations = new Set(others.map(({ population }) => population));
  for (const name of await namesBelow(store, RELEASE_KEYS.allLedgers)) {
    const [population, entry] = name.split('/');
    if (population && entry) populations.add(population);
  }
  return [...populations].sort();
}
