import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectStore } from '../contracts/object-store.ts';
import { addDays } from '../core/calendar/civil-day.ts';
import { overCap } from '../core/ledger/budget.ts';
import { appendToLedger, type LedgerDraft, readLedger } from '../services/ledger/ledger.ts';
import { FolderStore } from '../services/stores/folder-store.ts';
import { jsonBytes } from '../services/stores/json-objects.ts';
import { ledgerWriter, RESERVE_TERMS } from '../test/support/test-custody.ts';

/**
 * What the ledger of a weekly series costs as it grows to ten years, in a folder store, against bare writes of as many
 * bytes to free keys of the same store: a charge by a process that lives on, which reads only what is new and folds all
 * of it; the same by a process that has just started, which walks the whole chain first; and twenty writers at once. Run
 * with `node bench/ledger.bench.ts`; it takes about twenty seconds.
 */
const YEARS = [1, 2, 5, 10];
const WEEKS = 52;
const MEASURED = 10;
const WRITERS = 20;
const EACH = 2;

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const MODES = ['bus', 'ferry', 'lightrail', 'train'];

/** The reserve of 28 blocks of week n: four modes, seven days. */
function reserve(n: number) {
  const days = Array.from({ length: 7 }, (_, day) => addDays('2016-01-04', 7 * n + day));
  return {
    kind: 'reserve' as const,
    charge: uuid(n),
    release: `taps/${days[0]}/v1`,
    ...RESERVE_TERMS,
    blocks: days.flatMap((day) => MODES.map((part) => ({ part, day, epsilon: '8', delta: '1/1000000' }))),
    caps: { block: { epsilon: '16', delta: '1/500000' }, year: { epsilon: '800', delta: '1/1000' } },
  };
}
const commit = (n: number): LedgerDraft => ({ kind: 'commit', charge: uuid(n), release: reserve(n).release });
const BYTES = jsonBytes(reserve(1));

async function perSecond(writes: number, write: () => Promise<void>): Promise<number> {
  return (writes * 1000) / (await milliseconds(write));
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

async function inTurn(count: number, write: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await write(n);
}

/** Charges a week as the activity does: over the caps it would throw. */
async function chargeWeek(store: ObjectStore, n: number): Promise<void> {
  await appendToLedger(ledgerWriter(store), 'riders', (entries) => {
    const refusal = overCap(entries, reserve(n));
    if (refusal) throw new Error(refusal);
    return reserve(n);
  });
  await appendToLedger(ledgerWriter(store), 'riders', () => commit(n));
}

const number = (value: number): string => value.toFixed(1).padStart(14);

const root = await mkdtemp(join(tmpdir(), 'opaline-ledger-bench-'));
try {
  const store = new FolderStore(join(root, 'store'));
  console.log(
    `${'ms for a week (reserve, commit)'.padEnd(34)}   bare writes    lives on  lives/bare     started    only fold`,
  );
  let weeks = 0;
  const put = (key: string) => store.putIfAbsent(`bare/${key}.json`, BYTES);
  for (const years of YEARS) {
    // Filled without asking the caps, which is not what is measured here.
    for (; weeks < years * WEEKS; weeks++) {
      await appendToLedger(ledgerWriter(store), 'riders', () => reserve(weeks));
      await appendToLedger(ledgerWriter(store), 'riders', () => commit(weeks));
    }
    const bare = (await milliseconds(() => inTurn(2 * MEASURED, (n) => put(`${years}-${n}`)))) / MEASURED;
    const living = (await milliseconds(() => inTurn(MEASURED, () => chargeWeek(store, weeks++)))) / MEASURED;
    const started = await milliseconds(() => chargeWeek(new FolderStore(join(root, 'store')), weeks++));
    const { entries } = await readLedger(store, 'riders');
    const fold = await milliseconds(async () => overCap(entries, reserve(weeks)));
    console.log(
      `${`${entries.length} entries, ${years} years`.padEnd(34)}${[bare, living, living / bare, started, fold].map(number).join('')}`,
    );
  }

  const writers = Array.from({ length: WRITERS }, (_, writer) => writer);
  const together = async (write: (writer: number, n: number) => Promise<unknown>): Promise<void> => {
    await Promise.all(writers.map((writer) => inTurn(EACH, (n) => write(writer, n))));
  };
  const bare = await perSecond(WRITERS * EACH, () => together((writer, n) => put(`${writer}-${n}`)));
  const raced = await perSecond(WRITERS * EACH, () =>
    together((writer, n) => appendToLedger(ledgerWriter(store), 'racing', () => reserve(writer * EACH + n))),
  );
  const what = `${WRITERS} writers at once, ${EACH} appends each`;
  console.log(
    `${what}: ${bare.toFixed(0)} bare writes a second, ${raced.toFixed(0)} appends, ratio ${(bare / raced).toFixed(1)}`,
  );

  const { entries } = await readLedger(store, 'racing');
  const charges = new Set(entries.map((entry) => (entry.kind === 'reserve' ? entry.charge : null)));
  if (charges.size !== WRITERS * EACH || entries.length !== charges.size)
    throw new Error('an entry was lost or doubled');
} finally {
  await rm(root, { recursive: true, force: true });
}
