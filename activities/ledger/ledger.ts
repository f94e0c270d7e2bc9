import { OpalineError } from '../../contracts/errors.ts';
import { LEDGER_FORMAT, type LedgerEntry, ledgerEntrySchema } from '../../contracts/formats/ledger.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { jsonBytes, readBytes, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';

type Head = 'format' | 'population' | 'sequence' | 'previous';
type WithoutHead<Entry> = Entry extends LedgerEntry ? Omit<Entry, Head> : never;

/** An entry before it has its place in the chain. */
export type LedgerDraft = WithoutHead<LedgerEntry>;

export type Ledger = {
  entries: readonly LedgerEntry[] /** SHA-256 of the newest entry's bytes. */;
  tip: string | null;
};

const EMPTY: Ledger = { entries: [], tip: null };

/** What this process has read and checked, by store and population. */
const known = new WeakMap<ObjectStore, Map<string, Ledger>>();

/**
 * The ledger of a population, its chain checked: sequence without gaps, each entry holding the digest of the one before.
 * Entries are write-once, so a process that lives on keeps what it has checked: it reads the newest one that it knows
 * again, and those that came after it, two requests when there are none. A chain that has become shorter, or ends
 * otherwise than it did, is broken. What was altered further back is found by walkLedger. Throws LEDGER_BROKEN for
 * anything but a whole chain, unknown entry kinds included.
 *
 * @contract C12
 */
export async function readLedger(store: ObjectStore, population: string): Promise<Ledger> {
  const before = known.get(store)?.get(population) ?? EMPTY;
  const ledger = before === EMPTY ? await walkLedger(store, population) : await readOnFrom(before, store, population);
  remember(store, population, ledger);
  return ledger;
}

/** Reads the whole ledger afresh and checks its chain, whatever this process knows of it. Throws as readLedger does. */
export const walkLedger = async (store: ObjectStore, population: string): Promise<Ledger> =>
  extended(EMPTY, population, await readChain(store, population));

/** Chains grow at their end only: of two that were checked, the longer one holds the shorter. */
function remember(store: ObjectStore, population: string, ledger: Ledger): void {
  const ledgers = known.get(store) ?? new Map<string, Ledger>();
  known.set(store, ledgers);
  if (ledger.entries.length > (ledgers.get(population)?.entries.length ?? 0)) ledgers.set(population, ledger);
}

type StoredEntry = { key: string; bytes: Buffer };

async function readOnFrom(before: Ledger, store: ObjectStore, population: string): Promise<Ledger> {
  const length = before.entries.length;
  const newest = await readBytesIfPresent(store, RELEASE_KEYS.ledgerEntry(population, length));
  if (newest === null || sha256(newest) !== before.tip) throw broken(population, length);
  const added: StoredEntry[] = [];
  for (;;) {
    const key = RELEASE_KEYS.ledgerEntry(population, length + added.length + 1);
    const bytes = await readBytesIfPresent(store, key);
    if (bytes === null) return added.length === 0 ? before : extended(before, population, added);
    added.push({ key, bytes });
  }
}

/** A chain with the entries that follow it. Throws LEDGER_BROKEN when they do not. */
function extended(before: Ledger, population: string, added: readonly StoredEntry[]): Ledger {
  const entries = [...before.entries];
  let { tip } = before;
  for (const { key, bytes } of added) {
    const sequence = entries.length + 1;
    const parsed = ledgerEntrySchema.safeParse(parseJson(bytes));
    if (
      !parsed.success ||
      key !== RELEASE_KEYS.ledgerEntry(population, sequence) ||
      parsed.data.population !== population ||
      parsed.data.sequence !== sequence ||
      parsed.data.previous !== tip
    )
      throw broken(population, sequence);
    entries.push(parsed.data);
    tip = sha256(bytes);
  }
  return { entries, tip };
}

const broken = (population: string, sequence: number): OpalineError =>
  new OpalineError(
    'LEDGER_BROKEN',
    `Entry ${sequence} of the ledger of ${population} is missing, altered or of an unknown kind; restore it from a backup.`,
  );

/** Reads that are under way at once: a chain of years over a network must not wait for every entry by itself. */
const READERS = 32;

async function readChain(store: ObjectStore, population: string): Promise<StoredEntry[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(RELEASE_KEYS.ledgerPrefix(population))) keys.push(key);
  const chain: StoredEntry[] = [];
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
      format: LEDGER_FORMAT,
      population,
      sequence,
      previous: tip,
      ...draft,
    });
    const key = RELEASE_KEYS.ledgerEntry(population, sequence);
    if ((await store.putIfAbsent(key, jsonBytes(entry))) === 'created') return;
  }
}
