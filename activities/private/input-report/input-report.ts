import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OpalineError } from '../../../contracts/errors.ts';
import {
  type Partition,
  PRIVATE_KEYS,
  partitionPath,
  type ReleaseReference,
  releasePath,
} from '../../../contracts/names.ts';
import { withScratchFolder } from '../../scratch-folder.ts';
import { literal, withDatabase } from '../../sql/duckdb.ts';
import { readBytes } from '../../stores/json-objects.ts';
import type { PrivateContext } from '../context.ts';
import { type Inventory, inventorySchema } from '../source/inventory.ts';
import { type Tally, tallySchema } from './tally-file.ts';

/** A row of the source that was not counted, as it was delivered, or what of it was not: for custodians alone. */
export type SampleRow = { object: string; reason: string; of: string; row: string };

/** One object of a release: what was read of it and what was not. */
export type ObjectReport = Omit<Tally, 'format' | 'taps'> & {
  /** What can be counted of its rows. */
  counted: number;
  /** How much of that is at places that no public list names. */
  unknown: number;
};

/**
 * What a release read and what it left out, exact. It is made from what the private worker kept and reads no source; it
 * stays on the custodian side (C5).
 */
export type InputReport = {
  release: string;
  /** How often the source was read anew: 0 at first. */
  round: number;
  objects: ObjectReport[];
  faults: Inventory['faults'];
  /** Partitions of the release to which no row of the source belongs. */
  withoutData: string[];
  /** Taps beyond the bound of their card; null where the unit is no card, or the cells of a partition are not there. */
  beyondBound: number | null;
  warnings: string[];
  samples: SampleRow[];
};

/** What is asked: the partitions of the release, whether taps of cards are bounded, and rows to show of each reason. */
export type InputQuestion = { partitions: readonly Partition[]; isBounded: boolean; samples: number };

/** Part of all taps that may be rejected before the custodian is warned. */
const REJECTED_WARNED = 0.01;
/** Part of the taps of a release that may lie in places that no list names before the custodian is warned. */
const UNKNOWN_WARNED = 0.1;

/** Throws RELEASE_UNKNOWN when the release was never ingested here. */
export async function inputReport(
  context: PrivateContext,
  release: ReleaseReference,
  question: InputQuestion,
): Promise<InputReport> {
  const inventory = await newestInventory(context, release);
  const { round } = inventory;
  const tallies = await talliesOf(context, release, round);
  const objects = tallies.map(({ tally }) => objectReport(tally));
  const own = new Set(question.partitions.map(partitionPath));
  const counted = tallies
    .flatMap(({ tally }) => tally.taps)
    .filter((one) => own.has(partitionPath(one)) && one.taps > 0);
  const fed = new Set(counted.map(partitionPath));
  const withoutData = [...own].filter((path) => !fed.has(path)).sort();
  const eligible = counted.reduce((sum, { taps }) => sum + taps, 0);
  const kept = question.isBounded ? await keptTaps(context, release, round, question.partitions) : null;
  const beyondBound = kept === null ? null : eligible - kept;
  return {
    release: releasePath(release),
    round,
    objects,
    faults: inventory.faults,
    withoutData,
    beyondBound,
    warnings: warningsOf(objects, withoutData),
    samples: question.samples > 0 ? await samplesOf(context, release, round, tallies, question.samples) : [],
  };
}

async function newestInventory(context: PrivateContext, release: ReleaseReference): Promise<Inventory> {
  const prefix = PRIVATE_KEYS.inventories(release);
  let newest: Inventory | null = null;
  for await (const { key } of context.privateStore.list(prefix)) {
    const inventory = inventorySchema.parse(JSON.parse((await readBytes(context.privateStore, key)).toString('utf8')));
    if (newest === null || inventory.round > newest.round) newest = inventory;
  }
  if (newest) return newest;
  throw new OpalineError('RELEASE_UNKNOWN', `${releasePath(release)} was never ingested here.`);
}

type Numbered = { number: number; tally: Tally };

async function talliesOf(context: PrivateContext, release: ReleaseReference, round: number): Promise<Numbered[]> {
  const prefix = PRIVATE_KEYS.tallies(release, round);
  const tallies: Numbered[] = [];
  for await (const { key } of context.privateStore.list(prefix)) {
    const tally = tallySchema.parse(JSON.parse((await readBytes(context.privateStore, key)).toString('utf8')));
    tallies.push({ number: Number(/(\d+)\.json$/.exec(key)?.[1]), tally });
  }
  return tallies.sort((a, b) => a.number - b.number);
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

const objectReport = ({ objects, rows, lines, rejected, taps }: Tally): ObjectReport => ({
  objects,
  rows,
  lines,
  rejected,
  counted: total(taps.map((one) => one.taps)),
  unknown: total(taps.map((one) => one.unknown)),
});

function warningsOf(objects: readonly ObjectReport[], withoutData: readonly string[]): string[] {
  const rejected = objects.map((one) => total(Object.values(one.rejected)) + one.lines);
  const counted = total(objects.map((one) => one.counted));
  const unknown = total(objects.map((one) => one.unknown));
  return [
    ...objects.flatMap((one, place) => {
      const [name, left] = [one.objects[0]!, rejected[place]!];
      if (one.rows + one.lines === 0) return [`${name} holds no row.`];
      const share = left / (left + one.counted);
      return share > REJECTED_WARNED ? [`${percent(share)} of ${name} was rejected.`] : [];
    }),
    ...(counted > 0 && unknown / counted > UNKNOWN_WARNED
      ? [`${percent(unknown / counted)} of all taps are at places that no list names.`]
      : []),
    ...(withoutData.length > 0 ? [`No row belongs to ${withoutData.join(', ')}.`] : []),
  ];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Taps in the cells of all partitions; null when those of one are not there. */
async function keptTaps(
  context: PrivateContext,
  release: ReleaseReference,
  round: number,
  partitions: readonly Partition[],
): Promise<number | null> {
  const keys = partitions.map((partition) => PRIVATE_KEYS.cells(release, round, partition));
  const there = await Promise.all(keys.map((key) => context.privateStore.head(key)));
  if (there.some((facts) => facts === null)) return null;
  return withCopies(context, keys, async (rows, files) => {
    const sums = await rows(`SELECT sum(count) FROM read_parquet([${files.map(literal).join(', ')}])`);
    return Number(sums[0]?.[0] ?? 0);
  });
}

async function samplesOf(
  context: PrivateContext,
  release: ReleaseReference,
  round: number,
  tallies: readonly Numbered[],
  most: number,
): Promise<SampleRow[]> {
  const samples: SampleRow[] = [];
  for (const { number, tally } of tallies) {
    const key = PRIVATE_KEYS.rejects(release, round, number);
    if (!(await context.privateStore.head(key))) continue;
    const found = await withCopies(context, [key], (rows, [file]) =>
      rows(`SELECT reason, tap, CAST(row AS VARCHAR) FROM read_parquet(${literal(file!)})
        QUALIFY row_number() OVER (PARTITION BY reason ORDER BY tap, row) <= ${most} ORDER BY reason, tap, row`),
    );
    const object = tally.objects[0]!;
    for (const [reason, tap, row] of found)
      samples.push({ object, reason: String(reason), of: String(tap), row: String(row) });
  }
  return samples;
}

/** Copies objects of the private store to a scratch folder and asks a database that sees nothing else. */
const withCopies = <T>(
  context: PrivateContext,
  keys: readonly string[],
  ask: (rows: (sql: string) => Promise<unknown[][]>, files: string[]) => Promise<T>,
): Promise<T> =>
  withScratchFolder(context.scratch, async (folder) => {
    const files = keys.map((_, number) => join(folder, `${number}.parquet`));
    for (const [number, key] of keys.entries()) {
      const { stream } = await context.privateStore.get(key);
      await pipeline(stream, createWriteStream(files[number]!));
    }
    return withDatabase({ folder, memoryMiB: context.memoryMiB }, (database) => ask(database.rows, files));
  });
