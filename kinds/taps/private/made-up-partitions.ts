import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PrivateContext } from '../../../activities/private/context.ts';
import { withScratchFolder } from '../../../activities/scratch-folder.ts';
import { generateSigningKey } from '../../../activities/signing/keys.ts';
import { withDatabase } from '../../../activities/sql/duckdb.ts';
import { insertRows } from '../../../activities/sql/insert-rows.ts';
import { jsonBytes, sha256 } from '../../../activities/stores/json-objects.ts';
import { MemoryStore } from '../../../activities/stores/memory-store.ts';
import { OpalineError } from '../../../contracts/errors.ts';
import { PRIVATE_KEYS, RELEASE_KEYS } from '../../../contracts/names.ts';
import type { PrivatizeInput } from '../../../contracts/stages.ts';
import { BIN_MINUTES, clockAt, type ShadowTable, UNKNOWN } from '../../../core/audit/mechanism/shadow-layout.ts';
import type { TapsSeries } from '../series.ts';
import { createTables, writeCells } from './tally.ts';

/** Made-up partitions as the stages before privatize would leave them, and what privatize is asked to draw of them. */
export type MadeUpPartitions = { context: PrivateContext; inputs: readonly PrivatizeInput[] };

/**
 * Stores made-up tables in memory, as the series, its dictionary and the cells of a release: privatize finds nothing
 * that tells them from real ones but their names. The privacy parameters are those of the series; randomness and kinds
 * are the worker's own.
 */
export async function madeUpPartitions(
  context: PrivateContext,
  series: TapsSeries,
  tables: readonly ShadowTable[],
): Promise<MadeUpPartitions> {
  const [privateStore, releaseStore] = [new MemoryStore(), new MemoryStore()];
  const cells = await storedCells(context, tables);
  const digests = new Map<string, string>();
  const inputs: PrivatizeInput[] = [];
  for (const table of tables) {
    const { shape, window, version, partition } = table;
    const name = `shadow-${shape}`;
    const seriesDigest = digests.get(name) ?? (await putSeries(releaseStore, name, series, table, tables));
    digests.set(name, seriesDigest);
    const input = { series: name, window, version, seriesDigest, round: 0, partition, charge: 'shadow' };
    await privateStore.putIfAbsent(PRIVATE_KEYS.cells(input, input.round, partition), cells.get(contentOf(table))!);
    await privateStore.putIfAbsent(PRIVATE_KEYS.inventory(input, input.round), NO_OBJECTS);
    inputs.push(input);
  }
  // A key of its own signs what is made up: what the ledger's key signs is a draw.
  const { privateKey: ledgerKey } = generateSigningKey();
  return { context: { ...context, sourceStore: noSource, privateStore, releaseStore, ledgerKey }, inputs };
}

/** The inventory of a release that reads nothing. */
const NO_OBJECTS = jsonBytes({ format: 'opaline-inventory/1', round: 0, objects: [], faults: [] });

const noSource = (): never => {
  throw new OpalineError('CONFIGURATION_INVALID', 'A shadow run has no source.');
};

/** Puts the series that has the domain of a table; its SHA-256. */
async function putSeries(
  store: MemoryStore,
  name: string,
  series: TapsSeries,
  { domain: { times, locations } }: ShadowTable,
  tables: readonly ShadowTable[],
): Promise<string> {
  const dictionary = Buffer.from(`location\n${locations.map((location) => `${location}\n`).join('')}`, 'utf8');
  await store.putIfAbsent(RELEASE_KEYS.dictionary(sha256(dictionary)), dictionary);
  const modes = [...new Set(tables.map(({ partition }) => partition.part))];
  const places = { dictionary: sha256(dictionary), unknown: UNKNOWN };
  const bytes = jsonBytes({
    ...series,
    series: name,
    timeZone: 'UTC',
    day: { starts: clockAt(0), ends: clockAt(times.length) },
    bins: { minutes: BIN_MINUTES, locations: Object.fromEntries(modes.map((mode) => [mode, places])) },
    modes,
  });
  await store.putIfAbsent(RELEASE_KEYS.series(name, sha256(bytes)), bytes);
  return sha256(bytes);
}

/** Tables with equal counts of equal cells have this in common, and nothing else has. */
const contentOf = ({ shape, counts, leftOut }: ShadowTable): string => [shape, ...counts, ...leftOut].join(' ');

/** The cells of every distinct table, by contentOf, written as bin writes them. */
function storedCells(
  { scratch, memoryMiB }: PrivateContext,
  tables: readonly ShadowTable[],
): Promise<Map<string, Buffer>> {
  const distinct = new Map(tables.map((table) => [contentOf(table), table]));
  return withScratchFolder(scratch, (folder) =>
    withDatabase({ folder, memoryMiB }, async (database) => {
      await createTables(database);
      const written = new Map<string, Buffer>();
      for (const [content, { cells, leftOut }] of distinct) {
        const mode = String(written.size);
        const counted = cells.filter(([, , , count]) => count > 0);
        await insertRows(
          database,
          'cells',
          counted.map((cell) => [mode, '', ...cell]),
        );
        const path = join(folder, `${mode}.parquet`);
        await writeCells(database, mode, '', path, leftOut.length > 0 ? leftOut : null);
        written.set(content, await readFile(path));
      }
      return written;
    }),
  );
}
