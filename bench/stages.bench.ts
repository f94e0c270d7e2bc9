import { link, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bin } from '../activities/private/bin.ts';
import { ingest } from '../activities/private/ingest.ts';
import { privatize } from '../activities/private/privatize.ts';
import { reserve } from '../activities/private/reserve.ts';
import { shadow } from '../activities/private/shadow.ts';
import { audit } from '../activities/public/audit.ts';
import { derive } from '../activities/public/derive.ts';
import { loadSeriesFile } from '../client/series/series-file.ts';
import type { Partition } from '../contracts/names.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import type { Draw } from '../contracts/stages.ts';
import { mapAtOnce } from '../services/at-once.ts';
import { openStore } from '../services/stores/open-store.ts';
import { FORTNIGHT, writeFortnightSeries, writeFortnightTrips } from '../test/scale/fortnight.fixture.ts';
import { bareGroupBy } from '../test/scale/group-by.fixture.ts';
import { ReleaseBench } from '../test/support/release-bench.ts';
import { uploadFolder } from '../test/support/store-folders.ts';
import { startVersitygw } from '../test/support/versitygw.ts';
import { writePerformance } from './measured-parts.ts';
import { inFolder, markdownTable, measure, medianOf, sumOf, type WorkUse } from './measuring.ts';

/**
 * Processor time of each stage of the fortnight of the size of 2017, in one process and without Temporal, beside a bare
 * group-by of the same files, which runs before each release. Other work on the machine moves the ratio of these times
 * less than that of seconds. `node bench/stages.bench.ts` takes about five minutes and writes its part of
 * docs/performance.md; `node bench/stages.bench.ts 100 folder 1` runs one case: millions of trips, where they are (folder
 * or s3), and how often.
 */
type Case = { millions: number; place: 'folder' | 's3'; runs: number };
const CASES: readonly Case[] = [
  { millions: 3, place: 'folder', runs: 5 },
  { millions: 30, place: 'folder', runs: 5 },
  { millions: 30, place: 's3', runs: 5 },
];
const [size, place = 'folder', runs = '1'] = process.argv.slice(2);
if (place !== 'folder' && place !== 's3') throw new TypeError('trips are in folder or s3');
const cases = size === undefined ? CASES : [{ millions: Number(size), place, runs: Number(runs) } as const];

/** As many partitions at once as a worker takes. */
const AT_ONCE = 24;

const PARTS = ['group-by', 'ingest', 'bin', 'privatize', 'derive', 'audit'] as const;
type Part = (typeof PARTS)[number];
type StageUses = Record<Part, Pick<WorkUse, 'seconds' | 'processorSeconds'>>;

/** Releases the trips of a folder once, to the gate; `source`: the store that has them, when it is not that folder. */
const releaseOnce = (trips: string, source: ObjectStore | null): Promise<StageUses> =>
  inFolder(async (root) => {
    const file = await loadSeriesFile((await writeFortnightSeries(join(root, 'series'))).file);
    const release = await new ReleaseBench(join(root, 'release'), file, FORTNIGHT).prepared();
    if (source === null)
      for (const name of await readdir(trips)) await link(join(trips, name), join(release.folder('source'), name));
    const wrap = (store: ObjectStore, name: string): ObjectStore => (name === 'source' && source ? source : store);
    const contexts = release.contexts({ wrap });
    contexts.private.memoryMiB = 1024;
    const [run, { partitions }] = [{ ...release.run(), round: 0 }, release];
    const { charge } = await reserve(contexts.private, { ...run, partitions });
    const input = { ...release.run(), correction: null, charge, draws: [] as Draw[], holes: [] };
    const work: Record<Part, () => Promise<unknown>> = {
      'group-by': () => bareGroupBy(trips),
      ingest: () => ingest(contexts.private, run),
      bin: async () => {
        const { faults } = await bin(contexts.private, { ...run, partitions });
        if (faults.length > 0) throw new Error('an object is at fault, which would make the stages quick');
      },
      privatize: async () => {
        const draw = (one: Partition) => privatize(contexts.private, { ...run, partitions: [one], charge });
        input.draws.push(...(await mapAtOnce(partitions, AT_ONCE, draw)).flat());
      },
      derive: () => derive(contexts.public, input),
      // The shadow run is the part of the audit that the private worker does.
      audit: async () => {
        await shadow(contexts.private, release.run());
        await audit(contexts.public, input);
      },
    };
    const uses: Partial<StageUses> = {};
    for (const [part, one] of Object.entries(work)) [uses[part as Part]] = await measure(one);
    return uses as StageUses;
  });

/** All runs of a case. */
const usesOf = ({ millions, place, runs }: Case): Promise<StageUses[]> =>
  inFolder(async (trips) => {
    const gateway = place === 's3' ? await startVersitygw() : null;
    try {
      await writeFortnightTrips(trips, millions * 1e6);
      await gateway?.createBucket('trips');
      const source = gateway && openStore(gateway.configuration('trips'));
      if (source) await uploadFolder(trips, source, '.parquet');
      const uses: StageUses[] = [];
      for (let run = 0; run < runs; run += 1) uses.push(await releaseOnce(trips, source));
      return uses;
    } finally {
      await gateway?.stop();
    }
  });

const UNTIL: Record<string, readonly Part[]> = { staged: PARTS.slice(1, 5), 'the gate': PARTS.slice(1) };
const lines: string[][] = [];
const figures: Record<string, string> = {};
for (const one of cases) {
  const uses = await usesOf(one);
  /** Median of the processor time, and in brackets that of the clock. */
  const median = (value: (use: StageUses, unit: keyof StageUses[Part]) => number): string => {
    const [processor, clock] = (['processorSeconds', 'seconds'] as const).map((unit) =>
      medianOf(uses.map((use) => value(use, unit))).toFixed(1),
    );
    return `${processor} (${clock})`;
  };
  const name = `${one.millions} M, ${one.place}`;
  lines.push([name, ...PARTS.map((part) => median((use, unit) => use[part][unit]))]);
  for (const [until, stages] of Object.entries(UNTIL))
    figures[`${name}, to ${until}`] = median(
      (use, unit) => sumOf(stages.map((stage) => use[stage][unit])) / use['group-by'][unit],
    );
  console.log(lines.at(-1), figures);
}
const text = `Seconds of processor time, all threads, and in brackets of the clock. Medians of ${cases[0]!.runs} runs in turn.

${markdownTable(['trips', ...PARTS], lines)}`;
writePerformance({ stages: text }, figures, size === undefined);
