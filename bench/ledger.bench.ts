import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendToLedger, type LedgerDraft, readLedger } from '../activities/public/ledger.ts';
import { FolderStore } from '../activities/stores/folder-store.ts';
import { jsonBytes } from '../activities/stores/json-objects.ts';

/**
 * Appends a second to a ledger in a folder store, against bare writes of as many bytes to free keys of the same store,
 * by one writer and by twenty at once. An append reads and checks the whole chain before it writes, so it slows down
 * with length: a weekly series makes 104 entries a year. Run with `node bench/ledger.bench.ts`; it takes about fifteen
 * seconds.
 */
const LENGTHS = [25, 50, 100, 200];
const MEASURED = 25;
const WRITERS = 20;
const EACH = 2;

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** A reserve of 28 blocks: four modes, seven days. */
const reserve = (n: number): LedgerDraft => ({
  kind: 'reserve',
  charge: uuid(n),
  release: `taps/2026-03-02/v${n}`,
  unit: 'trip',
  blocks: ['bus', 'ferry', 'lightrail', 'train'].flatMap((mode) =>
    [2, 3, 4, 5, 6, 7, 8].map((day) => ({ mode, day: `2026-03-0${day}`, epsilon: '8', delta: '1/1000000' })),
  ),
  caps: { block: { epsilon: '16', delta: '1/500000' }, year: { epsilon: '424', delta: '53/1000000' } },
});
const BYTES = jsonBytes(reserve(1));

async function perSecond(writes: number, write: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await write();
  return (writes * 1000) / (performance.now() - begin);
}

async function inTurn(count: number, write: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await write(n);
}

function print(what: string, bare: number, append: number): void {
  const columns = [
    bare.toFixed(0).padStart(8),
    append.toFixed(0).padStart(11),
    (bare / append).toFixed(1).padStart(12),
  ];
  console.log(`${what.padEnd(34)}${columns.join('')}`);
}

const root = await mkdtemp(join(tmpdir(), 'opaline-ledger-bench-'));
try {
  const store = new FolderStore(join(root, 'store'));
  console.log(`${'writes a second'.padEnd(34)}    bare     append bare/append`);
  let length = 0;
  const append = () => appendToLedger(store, 'riders', () => reserve(++length));
  const put = (key: string) => store.putIfAbsent(`bare/${key}.json`, BYTES);
  for (const target of LENGTHS) {
    await inTurn(target - length, append);
    const bare = await perSecond(MEASURED, () => inTurn(MEASURED, (n) => put(`${target}-${n}`)));
    print(`one writer, ${target} entries before`, bare, await perSecond(MEASURED, () => inTurn(MEASURED, append)));
  }

  const writers = Array.from({ length: WRITERS }, (_, writer) => writer);
  const together = async (write: (writer: number, n: number) => Promise<unknown>): Promise<void> => {
    await Promise.all(writers.map((writer) => inTurn(EACH, (n) => write(writer, n))));
  };
  const bare = await perSecond(WRITERS * EACH, () => together((writer, n) => put(`${writer}-${n}`)));
  const raced = await perSecond(WRITERS * EACH, () =>
    together((writer, n) => appendToLedger(store, 'racing', () => reserve(writer * EACH + n))),
  );
  print(`${WRITERS} writers at once, ${EACH} appends each`, bare, raced);

  const { entries } = await readLedger(store, 'racing');
  const charges = new Set(entries.map((entry) => (entry.kind === 'reserve' ? entry.charge : null)));
  if (charges.size !== WRITERS * EACH || entries.length !== charges.size)
    throw new Error('an entry was lost or doubled');
} finally {
  await rm(root, { recursive: true, force: true });
}
