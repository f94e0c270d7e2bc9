import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectBody, ObjectStore } from '../../contracts/object-store.ts';
import { jsonBytes, readBytes } from './json-objects.ts';
import { type MutableObject, readMutable, swapMutable } from './mutable-json.ts';
import { PART_BYTES } from './s3-store.ts';

/** All the canary writes is below this prefix. */
export const CANARY_PREFIX = 'canary/';

const PUT_RACES = 60;
const SWAP_RACES = 10;
const PARTS_RACES = 10;
const WRITERS = 8;

/** A tag that no object has: 128 bits would have to be zero. */
const STALE_TAG = `"${'0'.repeat(32)}"`;

/** Says that the store passed this version of the canary, and what its server called itself then (mutable). */
const PASSED = `${CANARY_PREFIX}passed-2`;

/**
 * Lets writers race for keys, and throws STORE_UNSAFE when a store lets two of them win, or loses the winner's bytes.
 * On such a store a second draw of noise could replace the first (C11), so a worker calls this at its start, for each
 * store that it writes and the world does not read.
 *
 * A store that passed keeps an object that says so, and is not tested again until its server calls itself otherwise, as
 * after an upgrade; of a server that says no version, `again` has to be asked for. The object is in the store, and not
 * in a cache of the machine, because it is the store that was tested: any worker finds it, and a store elsewhere of the
 * same name does not inherit it.
 *
 * A server that loses a race with probability p passes with (1 − p)^60: at the 24 % of versitygw 1.7.0, 7e-8.
 */
export async function refuseUnsafeStore(store: ObjectStore, { again = false } = {}): Promise<void> {
  if (!again && (await hasPassed(store))) return;
  const run = `${CANARY_PREFIX}${randomUUID()}`;
  await checkSequence(store, run);
  for (let race = 0; race < PUT_RACES; race++) await racePut(store, `${run}/put-${race}`);
  await raceSwaps(store, `${run}/swap`);
  await checkParts(store, `${run}/sequence`);
  for (let race = 0; race < PARTS_RACES; race++) await racePut(store, `${run}/parts-${race}`, true);
  const mark = { server: store.server ?? '', races: PUT_RACES + SWAP_RACES + PARTS_RACES, writers: WRITERS };
  // Another worker may have recorded the same meanwhile.
  await swapMutable(store, PASSED, await readMutable(store, PASSED), mark);
}

/**
 * Asks a store that the world reads whether it honours conditions, with an object that is there anyway and with its own
 * bytes, so that nothing is left and nothing changes. Throws STORE_UNSAFE. It finds a server that ignores conditions. One
 * that only loses races is found where draws are stored: writers that race for a published file all have the same bytes.
 */
export async function refuseIgnoredConditions(store: ObjectStore, key: string, bytes: Uint8Array): Promise<void> {
  const isNew = (await store.putIfAbsent(key, bytes)) === 'created';
  if (isNew || (await store.swapPage(key, { bytes, tag: STALE_TAG }, bytes)))
    throw unsafe(store, 'ignores the condition of a write', 'what is published could be replaced');
}

/** Does the store hold the mark of a canary that its server passed? Cheap, so it also shows whether the store answers. */
export async function hasPassed(store: ObjectStore): Promise<boolean> {
  const mark = await readMutable(store, PASSED);
  return mark !== null && mark.value.server === (store.server ?? '');
}

const unsafe = (store: ObjectStore, how: string, harm = 'noise could be drawn twice'): OpalineError =>
  new OpalineError(
    'STORE_UNSAFE',
    `The store ${store.location} ${how}, so ${harm}. Use a server with safe conditional writes.`,
  );

/** One writer after the other: finds a server that ignores conditions, without a race. */
async function checkSequence(store: ObjectStore, run: string): Promise<void> {
  const key = `${run}/sequence`;
  await store.putIfAbsent(key, jsonBytes({ writer: 0 }));
  if ((await store.putIfAbsent(key, jsonBytes({ writer: 1 }))) === 'created') {
    throw unsafe(store, 'lets a second writer replace an object that must be written once');
  }
  const mutable = `${run}/sequence-swap`;
  await swapMutable(store, mutable, null, { writer: 0 });
  const first = await readMutable(store, mutable);
  await swapMutable(store, mutable, first, { writer: 1 });
  for (const stale of [first, null]) {
    if (await swapMutable(store, mutable, stale, { writer: 2 })) {
      throw unsafe(store, 'lets a writer replace an object that has changed since it was read');
    }
  }
}

/** An upload in parts has its condition on another call, which a server may ignore apart from the rest. */
async function checkParts(store: ObjectStore, key: string): Promise<void> {
  const large = { stream: Readable.from([Buffer.alloc(PART_BYTES + 1)]) };
  if ((await store.putIfAbsent(key, large)) === 'created') {
    throw unsafe(store, 'lets an upload in parts replace an object that must be written once');
  }
}

const writers = Array.from({ length: WRITERS }, (_, writer) => writer);

async function racePut(store: ObjectStore, key: string, inParts = false): Promise<void> {
  const bodies = writers.map((writer) => jsonBytes({ writer }));
  const wrap = (body: Uint8Array): ObjectBody => (inParts ? { stream: Readable.from([body]), inParts } : body);
  const outcomes = await Promise.all(bodies.map((body) => store.putIfAbsent(key, wrap(body))));
  const wins = outcomes.map((outcome) => outcome === 'created');
  const winner = checkWinners(store, wins);
  if (winner === null) return;
  if (!(await readBytes(store, key)).equals(bodies[winner]!)) {
    throw unsafe(store, 'does not keep the object of the writer that won');
  }
}

async function raceSwaps(store: ObjectStore, key: string): Promise<void> {
  let current: MutableObject | null = null;
  for (let race = 0; race < SWAP_RACES; race++) {
    const before: MutableObject | null = current;
    const outcomes = await Promise.all(writers.map((writer) => swapMutable(store, key, before, { race, writer })));
    const winner = checkWinners(store, outcomes);
    current = await readMutable(store, key);
    if (winner !== null && (current?.value.race !== race || current.value.writer !== winner)) {
      throw unsafe(store, 'does not keep the object of the writer that won');
    }
  }
}

/** The number of the winner. Null when nobody won: that happens when the winner's answer was lost, and is safe. */
function checkWinners(store: ObjectStore, wins: boolean[]): number | null {
  if (wins.filter(Boolean).length > 1) throw unsafe(store, 'lets two writers win the same key');
  return wins.includes(true) ? wins.indexOf(true) : null;
}
