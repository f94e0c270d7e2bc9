import { z } from 'zod';
import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerTip, Numbered } from '../../contracts/formats/common.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import type { Order } from '../../contracts/formats/order.ts';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import { ledgerAccounting } from '../../core/ledger/budget.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import { appendToLedger, extend, type Ledger, type LedgerDraft, readLedger } from '../../services/ledger/ledger.ts';
import { holdsTip } from '../../services/ledger/ledger-tip.ts';
import { jsonOrNull, keysBelow, putOnce, readBytes, readBytesIfPresent } from '../../services/stores/json-objects.ts';
import type { PrivateContext } from '../private-context.ts';
import { putCopy } from './copies.ts';
import { ordersBelow } from './orders-below.ts';

/** Why a ledger may not go on, in half a sentence. */
type Reason = { code: keyof typeof WAYS_OUT; words: string };

const WAYS_OUT = {
  LEDGER_BEHIND: 'Nothing is charged until the custodian has looked: runbook ledger-behind.',
  TRUST_BEHIND: 'Put the newest file beside this deployment; another worker that has it goes on meanwhile.',
};

/** What was found where a ledger should go on: entries that only the release store has, and what was lost. */
type Gap = Awaited<ReturnType<typeof gapOf>>;

const ownLedger = ({ privateStore, ledgerKeys }: PrivateContext, population: string): Promise<Ledger> =>
  readLedger(privateStore, population, ledgerKeys);

/**
 * The ledger of a population as its owner has it, and may go on with: its chain is whole and signed, it is not behind its
 * copies, the worker's mark, or the policy and trust file that it names; its copies are in the release store. Whatever is
 * behind is taken over when a key of the policy has ordered it. Throws LEDGER_BEHIND, LEDGER_BROKEN, COPY_DIFFERS, and
 * TRUST_BEHIND where a newer file beside the deployment is all that it takes. It costs a handful of requests when nothing
 * is new.
 *
 * @contract C12
 */
export async function settleLedger(context: PrivateContext, population: string): Promise<Ledger> {
  await context.requireNewest();
  const { ledger, gap, reason } = await lookAt(context, population);
  // An empty ledger may begin with an order that carries the charges of an older build.
  const isTaken = (reason !== null || ledger.tip === null) && (await takeOver(context, population, gap));
  if (reason !== null && !isTaken) throw behindBy(population, reason);
  const newest = isTaken ? await ownLedger(context, population) : ledger;
  await publishCopies(context, population, newest);
  return newest;
}

/**
 * Settles the ledger of every population of the policy, as a worker does that starts, and again and again: copies that
 * are missing are put back, also after the release store was set back, and what was ordered is taken over, so that open
 * releases find their receipts. Problems are returned as sentences and stop nothing else: each charge asks again.
 *
 * @contract C12
 */
export async function settleLedgers(context: PrivateContext): Promise<string[]> {
  const problems: string[] = [];
  copiedEntries(context).clear();
  for (const population of Object.keys(context.policy.policy.populations)) {
    try {
      await settleLedger(context, population);
    } catch (error) {
      if (!(error instanceof OpalineError)) throw error;
      problems.push(`${error.code}: ${error.message}`);
    }
  }
  return problems;
}

/**
 * Asks whether every population of the policy may go on, and changes nothing: as readiness does, again and again. Throws
 * as settledLedger does.
 *
 * @contract C12
 */
export async function requireSettledLedgers(context: PrivateContext): Promise<void> {
  await context.requireNewest();
  for (const population of Object.keys(context.policy.policy.populations)) {
    const ledger = await ownLedger(context, population);
    if (reasonOf(context, await gapOf(context, population, ledger), ledger) === null) continue;
    const { reason } = await lookAt(context, population); // it may have grown meanwhile
    if (reason) throw behindBy(population, reason);
  }
}

/**
 * Lets a ledger go on that is behind, when a key of the policy has ordered it from this very place: the entries that only
 * the release store has come into the private one, and an entry says that it was so. False without such an order.
 *
 * Safe to run twice: everything is put if absent, and the entry that ends it is written once for an order.
 *
 * @contract C12
 */
async function takeOver(context: PrivateContext, population: string, gap: Gap): Promise<boolean> {
  const isHere = (order: Order): boolean =>
    order.kind === 'ledger' &&
    order.population === population &&
    (order.tip?.digest ?? null) === gap.whole.tip &&
    (order.mark?.digest ?? null) === (gap.mark?.digest ?? null) &&
    // Charges of ε and δ would leave a ledger of ρ without a sum.
    (ledgerAccounting(gap.whole.entries) !== 'rho' ||
      order.unexplained.every(({ blocks }) => blocks.every((block) => 'rho' in block)));
  const [match] = await ordersBelow(context, RELEASE_KEYS.ledgerOrders(population), 'ledger', isHere);
  if (match?.document.kind !== 'ledger') return false;
  const { document: order, digest } = match;
  for (const { key, bytes } of gap.ahead) await putOnce(context.privateStore, key, bytes);
  const { policy, trust } = context;
  await appendToLedger(writerOf(context), population, (entries) => {
    if (entries.some((entry) => entry.kind === 'takeover' && entry.order === digest)) return null;
    const { tip, mark, unexplained } = order;
    return { kind: 'takeover', order: digest, policy: policy.numbered, trust, tip, mark, unexplained };
  });
  return true;
}

const behindBy = (population: string, { code, words }: Reason): OpalineError =>
  new OpalineError(code, `The ledger of ${population} ${words}. ${WAYS_OUT[code]}`);

/** What is not well with the ledger, in half a sentence, or null. It changes nothing. Throws as settledLedger does. */
export const reasonOfLedger = async (context: PrivateContext, population: string): Promise<string | null> =>
  (await lookAt(context, population)).reason?.words ?? null;

/**
 * The ledger, and what is not well with it. Another release may append between the look at the ledger and that at its
 * copies, which then seem to be ahead: a gap is one only when the ledger has not grown meanwhile.
 */
async function lookAt(context: PrivateContext, population: string) {
  let ledger = await ownLedger(context, population);
  for (;;) {
    const gap = await gapOf(context, population, ledger);
    const reason =
      reasonOf(context, gap, ledger) ?? (ledger.tip === null ? await whyNotEmpty(context, population) : null);
    const again = reason === null ? ledger : await ownLedger(context, population);
    if (again.tip === ledger.tip) return { ledger, gap, reason };
    ledger = again;
  }
}

/** What is not well with the ledger; null: it may go on. */
function reasonOf({ policy, trust }: PrivateContext, { ahead, mark }: Gap, { entries }: Ledger): Reason | null {
  if (ahead.length > 0) return behind(`is ${ahead.length} entries behind its copies in the release store`);
  if (mark !== null) return behind(`does not hold entry ${mark.sequence}, which this worker has seen`);
  const last = entries.findLast((entry) => 'policy' in entry);
  if (!last) return null;
  return olderThan('policy', policy.numbered, last.policy) ?? olderThan('trust file', trust, last.trust);
}

const behind = (words: string): Reason => ({ code: 'LEDGER_BEHIND', words });

/** A file that changes takes the next number. A lower one is old; two files of one number are a riddle for people. */
function olderThan(file: string, own: Numbered, other: Numbered): Reason | null {
  if (own.number > other.number || (own.number === other.number && own.digest === other.digest)) return null;
  const words = `names version ${other.number} of the ${file}, and this worker has`;
  return own.number < other.number
    ? { code: 'TRUST_BEHIND', words: `${words} version ${own.number}` }
    : behind(`${words} another one of this number`);
}

/**
 * Why a ledger without entries cannot be one that begins, or null: something names charges that were made. Nobody is
 * believed here, as all that it does is to stop the population.
 */
async function whyNotEmpty({ releaseStore }: PrivateContext, population: string): Promise<Reason | null> {
  for await (const { key } of releaseStore.list(RELEASE_KEYS.ledgerPrefix(population)))
    return behind(`is empty, and the release store holds ${key}`);
  for await (const { key } of releaseStore.list(RELEASE_KEYS.allStaged)) {
    if (!key.endsWith(`/${FILES.manifest}`)) continue;
    const manifest = schema.safeParse(jsonOrNull(`${await readBytes(releaseStore, key)}`)).data;
    if (manifest?.population === population) return behind(`is empty, and ${key} names a charge`);
  }
  return null;
}

/** What a manifest of any form says of its population. */
const schema = z.object({ population: z.string() });

async function gapOf(context: PrivateContext, population: string, ledger: Ledger) {
  const { releaseStore, ledgerKeys, highWater } = context;
  /** Copies that validly follow what the private store holds, and the ledger with them. */
  const ahead: { key: string; bytes: Buffer }[] = [];
  let whole = ledger;
  for (;;) {
    const key = RELEASE_KEYS.ledgerEntry(population, whole.entries.length + 1);
    const bytes = await readBytesIfPresent(releaseStore, key);
    if (bytes === null) break;
    whole = extendByCopy(whole, population, { key, bytes }, ledgerKeys);
    ahead.push({ key, bytes });
  }
  const mark = await highWater.read(population);
  const isLost = mark !== null && !holdsTip(whole, mark) && !isGivenUp(whole.entries, mark);
  /** `mark`: the worker's, when it names a place that is not there. */
  return { ahead, whole, mark: isLost ? mark : null };
}

/** Throws COPY_DIFFERS for what is no entry of this ledger. */
function extendByCopy(
  whole: Ledger,
  population: string,
  copy: { key: string; bytes: Buffer },
  keys: PrivateContext['ledgerKeys'],
): Ledger {
  try {
    return extend(whole, population, [copy], keys);
  } catch (error) {
    if (!(error instanceof OpalineError) || error.code === 'LEDGER_BEHIND') throw error;
    throw new OpalineError(
      'COPY_DIFFERS',
      `The release store holds something at ${copy.key} that is no entry of this ledger; find out who wrote it, take it away, and retry.`,
    );
  }
}

const isGivenUp = (entries: readonly LedgerEntry[], mark: LedgerTip): boolean =>
  entries.some((entry) => entry.kind === 'takeover' && entry.mark?.digest === mark.digest);

/** How many entries of each ledger this process knows to have their copies. */
const copiedEntries = oncePer((_: PrivateContext) => new Map<string, number>());

/** Puts the copies of all entries that have none, then moves the mark: nothing is drawn before. */
async function publishCopies(context: PrivateContext, population: string, { entries, tip }: Ledger): Promise<void> {
  const { privateStore, releaseStore, highWater } = context;
  const counts = copiedEntries(context);
  const count = counts.get(population);
  const present =
    count === undefined ? new Set(await keysBelow(releaseStore, RELEASE_KEYS.ledgerPrefix(population))) : null;
  for (let sequence = (count ?? 0) + 1; sequence <= entries.length; sequence++) {
    const key = RELEASE_KEYS.ledgerEntry(population, sequence);
    // Of a long chain that this process meets for the first time, the end alone is compared: the others hang on it.
    if (present?.has(key) && sequence < entries.length) continue;
    await putCopy(releaseStore, key, await readBytes(privateStore, key));
  }
  counts.set(population, entries.length);
  if (tip !== null) await highWater.raise(population, { sequence: entries.length, digest: tip });
}

/** What entries are written with: the private store, the keys that may have signed the others, and the worker's own. */
const writerOf = ({ privateStore: store, ledgerKeys: keys, ledgerKey: privateKey }: PrivateContext) => {
  return { store, keys, privateKey };
};

/**
 * Appends what `decide` makes of a settled ledger, and copies it. Throws as settledLedger does.
 *
 * @contract C12
 */
export async function appendSettled(
  context: PrivateContext,
  population: string,
  decide: (entries: readonly LedgerEntry[]) => LedgerDraft | null,
): Promise<Ledger> {
  await settleLedger(context, population);
  const ledger = await appendToLedger(writerOf(context), population, decide);
  await publishCopies(context, population, ledger);
  return ledger;
}
