import { OpalineError } from '../../contracts/errors.ts';
import { type LedgerEntry, ledgerEntrySchema } from '../../contracts/ledger.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { jsonBytes, readBytes, sha256 } from '../stores/json-objects.ts';

type Head = 'format' | 'population' | 'sequence' | 'previous';
type WithoutHead<Entry> = Entry extends LedgerEntry ? Omit<Entry, Head> : never;

/** An entry before it has its place in the chain. */
export type LedgerDraft = WithoutHead<LedgerEntry>;

export type Ledger = { entries: LedgerEntry[] /** SHA-256 of the newest entry's bytes. */; tip: string | null };

/**
 * Reads the whole ledger of a population and checks its chain: sequence without gaps, each entry holding the digest of
 * the one before. Throws LEDGER_BROKEN for anything else, unknown entry kinds included.
 *
 * @contract C12
 */
export async function readLedger(store: ObjectStore, population: string): Promise<Ledger> {
  const entries: LedgerEntry[] = [];
  let tip: string | null = null;
  for (const { key, bytes } of await readChain(store, population)) {
    const sequence = entries.length + 1;
    const parsed = ledgerEntrySchema.safeParse(parseJson(bytes));
    if (
      !parsed.success ||
      key !== RELEASE_KEYS.ledgerEntry(population, sequence) ||
      parsed.data.population !== population ||
      parsed.data.sequence !== sequence ||
      parsed.data.previous !== tip
    )
      throw new OpalineError(
        'LEDGER_BROKEN',
        `Entry ${sequence} of the ledger of ${population} is missing, altered or of an unknown kind; restore it from a backup.`,
      );
    entries.push(parsed.data);
    tip = sha256(bytes);
  }
  return { entries, tip };
}

/** Reads that are under way at once: a chain of years over a network must not wait for every entry by itself. */
const READERS = 32;

async function readChain(store: ObjectStore, population: string): Promise<{ key: string; bytes: Buffer }[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(RELEASE_KEYS.ledgerPrefix(population))) keys.push(key);
  const chain: { key: string; bytes: Buffer }[] = [];
  for (let first = 0; first < keys.length; first += READERS) {
    const some = keys.slice(first, first + READERS);
    chain.push(...(await Promise.all(some.map(async (key) => ({ key, bytes: await readBytes(store, key) })))));
  }
  return chain;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

/**
 * Appends what `decide` makes of the entries that are there; null appends nothing. Check and append are one
 * create-if-absent write: whoever loses the place reads again and decides again, so nothing is lost or doubled.
 */
export async function appendToLedger(
  store: ObjectStore,
  population: string,
  decide: (entries: readonly LedgerEntry[]) => LedgerDraft | null,
): Promise<void> {
  for (;;) {
    const { entries, tip } = await readLedger(store, population);
    const draft = decide(entries);
    if (!draft) return;
    const sequence = entries.length + 1;
    const entry = ledgerEntrySchema.parse({
      format: 'opaline-ledger/1',
      population,
      sequence,
      previous: tip,
      ...draft,
    });
    const key = RELEASE_KEYS.ledgerEntry(population, sequence);
    if ((await store.putIfAbsent(key, jsonBytes(entry))) === 'created') return;
  }
}
