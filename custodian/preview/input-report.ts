import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { kindOf } from '../../contracts/kind.ts';
import {
  type Partition,
  PRIVATE_KEYS,
  partitionPath,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import { reserveOfRelease } from '../../core/ledger/budget.ts';
import { UNITS } from '../../counts/certificate/units.ts';
import { OWNERS_ALONE, withScratchFolder } from '../../services/files/scratch-folder.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { literal, withDatabase } from '../../services/sql/duckdb.ts';
import { readApplied, readSeries } from '../../services/stores/series-objects.ts';
import type { KindLooks, PrivateContext } from '../private-context.ts';
import { newestInventory } from '../source/inventory.ts';
import { deliveryWarnings, inputWarnings, partitionsWithoutData, tallyWarnings } from './input-warnings.ts';
import { type NumberedTally, newestTallies, objectReport, partitionTotals, total } from './tallies.ts';

/** A row of the source that was not counted, as it was delivered, or what of it was not: for custodians alone. */
export type SampleRow = { object: string; reason: string; of: string; row: string };

export type InputReport = Awaited<ReturnType<typeof inputReport>>;

/**
 * What is asked: the partitions of the release, how what is kept of one is read (null where nothing is bounded), and how
 * many rows are shown of each reason.
 */
export type InputQuestion = { partitions: readonly Partition[]; kept: KindLooks['kept'] | null; samples: number };

/** The greatest number of rows of each reason that are shown. */
export const MOST_SAMPLES = 1000;

/** The report of a release, with at most `samples` rows of each object and reason. Throws RELEASE_UNKNOWN. */
export async function releaseInput(
  context: PrivateContext,
  release: ReleaseReference,
  samples: number,
): Promise<InputReport> {
  const series = await seriesOf(context, release);
  const kind = kindOf(context.kinds, series);
  const partitions = windowPartitions(series, kind.terms(series).parts, release.window);
  const count = (boundsCards(series) && kind.looks?.kept) || null;
  return inputReport(context, release, { partitions, kept: count, samples });
}

/** Is what one card adds bounded before it is counted? A kind without such units has none to bound. */
const boundsCards = ({ privacy }: Series): boolean =>
  Object.entries(UNITS).some(([name, { cardScope }]) => name === privacy.unit && cardScope !== null);

/** The series file that a release was charged under; while it is not charged, the newest applied one. */
async function seriesOf({ releaseStore }: PrivateContext, release: ReleaseReference): Promise<Series> {
  const { series: applied } = await readApplied(releaseStore, release.series);
  const { entries } = await readLedger(releaseStore, applied.population);
  const own = reserveOfRelease(entries, release);
  if (!own) return applied;
  return readSeries(releaseStore, { series: release.series, seriesDigest: own.series.digest });
}

/**
 * What a release read and what it left out, exact. It is made from what the private worker kept and reads no source; it
 * stays on the custodian side (C5). Throws RELEASE_UNKNOWN when the release was never ingested here.
 */
export async function inputReport(context: PrivateContext, release: ReleaseReference, question: InputQuestion) {
  const inventory = await newestInventory(context, release);
  const { round } = inventory;
  const tallies = await newestTallies(context, release, round);
  const counts = tallies.map(({ tally }) => tally);
  const objects = counts.map((one) => objectReport(one));
  const own = new Set(question.partitions.map(partitionPath));
  const totals = partitionTotals(question.partitions, counts);
  const withoutData = partitionsWithoutData(question.partitions, tallies);
  const eligible = total(totals.map(({ counted }) => counted));
  const within = question.kept ? await countKept(context, release, round, question.partitions, question.kept) : null;
  return {
    release: releasePath(release),
    /** How often the source was read again: 0 at first. */
    round,
    objects: counts.map((one) => objectReport(one, own)),
    /** Of each partition of the release, in the order in which they were asked for. */
    totals,
    faults: inventory.faults,
    /** Partitions of the release to which no row of the source belongs. */
    withoutData,
    /** Taps beyond the bound of their card; null where the unit is no card, or the cells of a partition are not there. */
    beyondBound: within === null ? null : eligible - within,
    warnings: [
      ...inputWarnings(objects, withoutData),
      ...deliveryWarnings({ ...inventory, faults: [] }),
      ...tallyWarnings(tallies, inventory),
    ].map(({ sentence }) => sentence),
    samples: question.samples > 0 ? await samplesOf(context, release, tallies, question.samples) : [],
  };
}

/** What is kept of all partitions, each in the newest round that has its cells; null when those of one are missing. */
async function countKept(
  context: PrivateContext,
  release: ReleaseReference,
  round: number,
  partitions: readonly Partition[],
  count: KindLooks['kept'],
): Promise<number | null> {
  let sum = 0;
  for (const partition of partitions) {
    let newest = round;
    while (!(await context.privateStore.head(PRIVATE_KEYS.cells(release, newest, partition))))
      if (--newest < 0) return null;
    sum += await count(context, release, newest, partition);
  }
  return sum;
}

async function samplesOf(
  context: PrivateContext,
  release: ReleaseReference,
  tallies: readonly NumberedTally[],
  most: number,
): Promise<SampleRow[]> {
  const samples: SampleRow[] = [];
  for (const { round, number, tally } of tallies) {
    const key = PRIVATE_KEYS.rejects(release, round, number);
    if (!(await context.privateStore.head(key))) continue;
    // A database of its own, which sees this copy and nothing else.
    const rejects = await withScratchFolder(context.scratch, async (folder) => {
      const file = join(folder, 'copy.parquet');
      await pipeline((await context.privateStore.get(key)).stream, createWriteStream(file, OWNERS_ALONE));
      return withDatabase({ folder, memoryMiB: context.memoryMiB }, ({ rows }) =>
        rows(`SELECT reason, tap, CAST(row AS VARCHAR) FROM read_parquet(${literal(file)})
          QUALIFY row_number() OVER (PARTITION BY reason ORDER BY tap, row) <= ${most} ORDER BY reason, tap, row`),
      );
    });
    const object = tally.objects[0]!;
    for (const [reason, tap, row] of rejects)
      samples.push({ object, reason: String(reason), of: String(tap), row: String(row) });
  }
  return samples;
}
