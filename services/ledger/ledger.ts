import { z } from 'zod';
import { type Envelope, envelopeSchema } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { entrySchema, LEDGER_FORMAT, type LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectReader, ObjectStore } from '../../contracts/object-store.ts';
import { makeCache, oncePer } from '../../core/memory/function-cache.ts';
import { mapAtOnce } from '../at-once.ts';
import { keyIdOfPem, publicKeyOf } from '../signing/keys.ts';
import { findSigners, signDocument } from '../signing/signed-document.ts';
import { parseDocument } from '../signing/signed-objects.ts';
import { jsonBytes, jsonOrNull, keysBelow, readBytes, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';

type Head = 'format' | 'population' | 'sequence' | 'previous';
type WithoutHead<Entry> = Entry extends LedgerEntry ? Omit<Entry, Head> : never;

/** An entry before it has its place in the chain. */
export type LedgerDraft = WithoutHead<LedgerEntry>;

/** The public keys (SPKI PEM) of which one has to have signed an entry. */
export type LedgerKeys = (population: string, sequence: number) => readonly string[];

/** Whoever knows no keys can check the chain alone: that it is whole, and not who wrote it. */
export const NO_KEYS = null;

export type Ledger = {
  entries: readonly LedgerEntry[];
  /** SHA-256 of the newest entry's bytes. */
  tip: string | null;
};

const EMPTY: Ledger = { entries: [], tip: null };

/** What this process has read and checked: by store, by the keys that it was checked with, and by population. */
const memoryOf = oncePer((_: ObjectStore) => makeCache<Map<string, Ledger>, LedgerKeys | null>());
const ledgersOf = (store: ObjectStore, keys: LedgerKeys | null): Map<string, Ledger> =>
  memoryOf(store)(keys, () => new Map());

/**
 * The ledger of a population, its chain checked: sequence without gaps, each entry holding the digest of the one before.
 * Entries are write-once, so a process that lives on keeps what it has checked: it reads the newest one that it knows
 * again, and those that came after it, two requests when there are none. A chain that has become shorter, or ends
 * otherwise than it did, is broken. What was altered further back is found by walkLedger. Throws LEDGER_BROKEN for
 * anything but a whole chain, unknown entry kinds and, where keys are given, entries of other keys included, and
 * LEDGER_BEHIND as extended does.
 *
 * @contract C12
 */
export async function readLedger(
  store: ObjectStore,
  population: string,
  keys: LedgerKeys | null = NO_KEYS,
): Promise<Ledger> {
  const ledgers = ledgersOf(store, keys);
  const before = ledgers.get(population);
  const ledger = before ? await readOnFrom(before, store, population, keys) : await walkLedger(store, population, keys);
  return remember(ledgers, population, ledger);
}

/** Entries that are in memory at once before they are checked, and reads of them that are under way over a network. */
const PIECE = 128;
const READERS = 32;

/** Reads the whole ledger afresh and checks its chain, whatever this process knows of it. Throws as readLedger does. */
export async function walkLedger(
  store: ObjectStore,
  population: string,
  keys: LedgerKeys | null = NO_KEYS,
): Promise<Ledger> {
  const names = await keysBelow(store, RELEASE_KEYS.ledgerPrefix(population));
  let ledger = EMPTY;
  for (let from = 0; from < names.length; from += PIECE) {
    const read = async (key: string) => ({ key, bytes: await readBytes(store, key) });
    ledger = extend(ledger, population, await mapAtOnce(names.slice(from, from + PIECE), READERS, read), keys);
  }
  return ledger;
}

/** Chains grow at their end only: of two that were checked, the longer one holds the shorter. */
function remember(ledgers: Map<string, Ledger>, population: string, ledger: Ledger): Ledger {
  if (ledger.entries.length > (ledgers.get(population)?.entries.length ?? 0)) ledgers.set(population, ledger);
  return ledger;
}

type StoredEntry = { key: string; bytes: Buffer };

async function readOnFrom(
  before: Ledger,
  store: ObjectStore,
  population: string,
  keys: LedgerKeys | null,
): Promise<Ledger> {
  const length = before.entries.length;
  const newest = await readBytesIfPresent(store, RELEASE_KEYS.ledgerEntry(population, length));
  if (newest === null || sha256(newest) !== before.tip) throw chainError(population, length);
  const tail: StoredEntry[] = [];
  for (;;) {
    const key = RELEASE_KEYS.ledgerEntry(population, length + tail.length + 1);
    const bytes = await readBytesIfPresent(store, key);
    if (bytes === null) return tail.length === 0 ? before : extend(before, population, tail, keys);
    tail.push({ key, bytes });
  }
}

/**
 * A chain with the entries that follow it. Throws LEDGER_BROKEN when they do not, and LEDGER_BEHIND for what is no entry
 * of this build's form: it may be a charge, so that nothing goes on after it or without it.
 */
export function extend(
  before: Ledger,
  population: string,
  tail: readonly StoredEntry[],
  keys: LedgerKeys | null,
): Ledger {
  const entries = [...before.entries];
  let { tip } = before;
  for (const { key, bytes } of tail) {
    const sequence = entries.length + 1;
    if (formatIn(bytes) !== LEDGER_FORMAT) throw formError(population, sequence);
    const entry = readEntry(bytes, keys?.(population, sequence) ?? null);
    const isNext =
      entry !== null &&
      key === RELEASE_KEYS.ledgerEntry(population, sequence) &&
      entry.population === population &&
      entry.sequence === sequence &&
      entry.previous === tip;
    if (!isNext) throw chainError(population, sequence);
    entries.push(entry);
    tip = sha256(bytes);
  }
  return { entries, tip };
}

/** The entry in these bytes; null when they are not one, or none of the keys signed it. Null keys: anybody may have. */
function readEntry(bytes: Buffer, keys: readonly string[] | null): LedgerEntry | null {
  const object = parseDocument(bytes, entrySchema);
  return object && (keys === null || findSigners(object.envelope, keys).size > 0) ? object.document : null;
}

const signedText = z.object({ payload: z.base64() }).transform(({ payload }) => Buffer.from(payload, 'base64'));
const header = z.object({ format: z.string() });

/** The format that a stored entry says it has under its signature; null for what is no signed document. */
function formatIn(bytes: Buffer): string | null {
  const text = signedText.safeParse(jsonOrNull(bytes.toString('utf8'))).data;
  return header.safeParse(jsonOrNull(`${text}`)).data?.format ?? null;
}

/** The first population with an entry that this build does not read: then the store is of another build. */
export async function unreadPopulation(store: ObjectReader): Promise<string | null> {
  for await (const { key } of store.list(RELEASE_KEYS.allLedgers))
    if (key.endsWith('/000000000001.json') && formatIn(await readBytes(store, key)) !== LEDGER_FORMAT)
      return key.split('/')[1]!;
  return null;
}

/** What people read about the folder of an older build. */
export const unreadSentence = (population: string, place: string): string =>
  `This build does not read the ledger of ${population} in ${place}: ${OLDER}.`;

const OLDER =
  'an older build has written it. Forget a demo with `opaline up --reset`; a project goes on in a new folder, runbook ledger-behind';

const formError = (population: string, sequence: number): OpalineError =>
  new OpalineError(
    'LEDGER_BEHIND',
    `Entry ${sequence} of the ledger of ${population} has a form that this build does not read: it was damaged, or ${OLDER}.`,
  );

/** An entry of a ledger in its envelope, which one of the keys has signed. Throws LEDGER_BROKEN. */
export async function requireEntry(
  store: ObjectStore,
  population: string,
  sequence: number,
  keys: LedgerKeys,
): Promise<Envelope> {
  const bytes = await readBytesIfPresent(store, RELEASE_KEYS.ledgerEntry(population, sequence));
  const entry = bytes && readEntry(bytes, keys(population, sequence));
  if (entry?.sequence === sequence) return envelopeSchema.parse(jsonOrNull(bytes!.toString('utf8')));
  throw chainError(population, sequence);
}

const chainError = (population: string, sequence: number): OpalineError =>
  new OpalineError(
    'LEDGER_BROKEN',
    `Entry ${sequence} of the ledger of ${population} is missing, altered, of an unknown kind or not signed by its key; restore it from a backup.`,
  );

const keyError = (population: string, sequence: number): OpalineError =>
  new OpalineError(
    'TRUST_BEHIND',
    `The key of this private worker may not sign entry ${sequence} of the ledger of ${population}; give it the newest trust file, and the key that this names.`,
  );

/**
 * Appends what `decide` makes of the entries that are there, signed with the key (PKCS#8 PEM); null appends nothing.
 * Check and append are one create-if-absent write: whoever loses the place reads again and decides again, so nothing is
 * lost or doubled. Gives the ledger that was decided on, or the one with the entry. Throws TRUST_BEHIND where the key is
 * none that may sign the next entry: it would break the chain.
 */
export async function appendToLedger(
  { store, keys, privateKey }: { store: ObjectStore; keys: LedgerKeys; privateKey: string },
  population: string,
  decide: (entries: readonly LedgerEntry[]) => LedgerDraft | null,
): Promise<Ledger> {
  for (;;) {
    const before = await readLedger(store, population, keys);
    const draft = decide(before.entries);
    if (!draft) return before;
    const sequence = before.entries.length + 1;
    if (!keys(population, sequence).some((key) => keyIdOfPem(key) === keyIdOfPem(publicKeyOf(privateKey))))
      throw keyError(population, sequence);
    const head = { format: LEDGER_FORMAT, population, sequence, previous: before.tip };
    const bytes = jsonBytes(signDocument(entrySchema.parse({ ...head, ...draft }), privateKey));
    const key = RELEASE_KEYS.ledgerEntry(population, sequence);
    if ((await store.putIfAbsent(key, bytes)) !== 'created') continue;
    return remember(ledgersOf(store, keys), population, extend(before, population, [{ key, bytes }], keys));
  }
}
