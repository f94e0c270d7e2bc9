import { link, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin } from '../activities/private/bin.ts';
import { ingest } from '../activities/private/ingest.ts';
import { privatize } from '../activities/private/privatize.ts';
import { reserve } from '../activities/private/reserve.ts';
import { shadow } from '../activities/private/shadow.ts';
import { audit } from '../activities/public/audit.ts';
import { derive } from '../activities/public/derive.ts';
import { loadSeriesFile } from '../client/series/series-file.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import type { Draw } from '../contracts/stages.ts';
import { openStore } from '../services/stores/open-store.ts';
import { FORTNIGHT, writeFortnightSeries, writeFortnightTrips } from '../test/scale/fortnight.fixture.ts';
import { bareGroupBy } from '../test/scale/group-by.fixture.ts';
import { ReleaseBench } from '../test/support/release-bench.ts';
import { uploadFolder } from '../test/support/store-folders.ts';
import { startVersitygw } from '../test/support/versitygw.ts';
import { writePerformance } from './measured-parts.ts';
import { markdownTable, medianOf, used, type WorkUse } from './measuring.ts';

/**
 * Processor time of each stage of the fortnight of the size of 2017, in one process and without Temporal, beside a bare
 * group-by of the same files, which runs before each release. Other work on the machine moves the ratio of these times
 * less than that of seconds. `node bench/stages.bench.ts` takes about five minutes and writes its part of
 * docs/performance.md; `node bench/stages.bench.ts 100 folder 1` runs one case: millions of trips, where they lie (folder
 * or s3), and how often.
 */
type Place = 'folder' | 's3';
type Case = { millions: number; place: Place; runs: number };
const CASES: readonly Case[] = [
  { millions: 3, place: 'folder', runs: 5 },
  { millions: 30, place: 'folder', runs: 5 },
  { millions: 30, place: 's3', runs: 5 },
];
const [millions, place = 'folder', runs = '1'] = process.argv.slice(2);
if (place !== 'folder' && place !== 's3') throw new TypeError('trips lie in folder or s3');
const cases = millions === undefined ? CASES : [{ millions: Number(millions), place, runs: Number(runs) } as const];

/** As many partitions at once as a worker takes. */
const AT_ONCE = 24;

const STAGES = ['ingest', 'bin', 'privatize', 'derive', 'audit'] as const;
const STAGED = STAGES.slice(0, 4);
type StageUses = Record<'group-by' | (typeof STAGES)[number], Pick<WorkUse, 'seconds' | 'processorSeconds'>>;

/** Releases the trips of a folder once, to the gate; `source`: the store that has them, when it is not that folder. */
async function releaseOnce(trips: string, source: ObjectStore | null): Promise<StageUses> {
  const root = await mkdtemp(join(tmpdir(), 'opaline-stages-'));
  try {
    const loaded = await loadSeriesFile((await writeFortnightSeries(join(root, 'series'))).file);
    const release = await new ReleaseBench(join(root, 'release'), loaded, FORTNIGHT).prepared();
    if (source === null)
      for (const name of await readdir(trips)) await link(join(trips, name), join(release.folder('source'), name));
    const wrap = (store: ObjectStore, name: string): ObjectStore => (name === 'source' && source ? source : store);
    const contexts = release.contexts({ wrap });
    contexts.private.memoryMiB = 1024;
    const [run, { partitions }] = [release.run(), release];
    const { charge } = await reserve(contexts.private, { ...run, partitions });
    const uses: Partial<StageUses> = {};
    [uses['group-by']] = await used(() => bareGroupBy(trips));
    [uses.ingest] = await used(() => ingest(contexts.private, { ...run, round: 0 }));
    let binned: Awaited<ReturnType<typeof bin>>;
    [uses.bin, binned] = await used(() => bin(contexts.private, { ...run, round: 0, partitions }));
    if (binned.faults.length > 0) throw new Error('an object is at fault, which would make the stages quick');
    const draws: Draw[] = [];
    [uses.privatize] = await used(async () => {
      const waiting = [...partitions];
      const work = async (): Promise<void> => {
        for (let partition = waiting.shift(); partition; partition = waiting.shift())
          draws.push(await privatize(contexts.private, { ...run, round: 0, partition, charge }));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    });
    const input = { ...run, correction: null, charge, draws, holes: [] };
    [uses.derive] = await used(() => derive(contexts.public, input));
    // The shadow run is the part of the audit that the private worker does.
    [uses.audit] = await used(async () => {
      const tried = await shadow(contexts.private, run);
      await audit(contexts.public, { ...input, shadow: tried });
    });
    return uses as StageUses;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** All runs of a case. */
async function measuredCase({ millions: count, place: where, runs: times }: Case): Promise<StageUses[]> {
  const trips = await mkdtemp(join(tmpdir(), 'opaline-trips-'));
  const gateway = where === 's3' ? await startVersitygw() : null;
  try {
    await writeFortnightTrips(trips, count * 1e6);
    let source: ObjectStore | null = null;
    if (gateway) {
      await gateway.createBucket('trips');
      source = openStore(gateway.configuration('trips'));
      await uploadFolder(trips, source, '.parquet');
    }
    const found: StageUses[] = [];
    for (let run = 0; run < times; run += 1) found.push(await releaseOnce(trips, source));
    return found;
  } finally {
    await gateway?.stop();
    await rm(trips, { recursive: true, force: true });
  }
}

const lines: string[][] = [];
const reached: Record<string, string> = {};

function tell({ millions: count, place: where }: Case, found: readonly StageUses[]): void {
  const median = (value: (uses: StageUses) => number): string => medianOf(found.map(value)).toFixed(1);
  const ratio = (stages: readonly (typeof STAGES)[number][], unit: 'seconds' | 'processorSeconds'): string =>
    median((uses) => stages.reduce((sum, stage) => sum + uses[stage][unit], 0) / uses['group-by'][unit]);
  const name = `${count} M, ${where}`;
  const each = (['group-by', ...STAGES] as const).map((stage) => {
    const [processor, clock] = (['processorSeconds', 'seconds'] as const).map((unit) =>
      median((uses) => uses[stage][unit]),
    );
    return `${processor} (${clock})`;
  });
  lines.push([name, ...each]);
  for (const [until, stages] of [['staged', STAGED] as const, ['the gate', STAGES] as const])
    reached[`${name}, to ${until}`] = `${ratio(stages, 'processorSeconds')} (${ratio(stages, 'seconds')})`;
  console.log(lines.at(-1), reached);
}

for (const one of cases) tell(one, await measuredCase(one));
const text = `Seconds of processor time, all threads, and in brackets of the clock. Medians of ${cases[0]!.runs} runs in turn.

${markdownTable(['trips', 'group-by', ...STAGES], lines)}`;
console.log(text);
if (millions === undefined) await writePerformance({ stages: text }, reached);
