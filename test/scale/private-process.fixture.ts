import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { measure } from '../../bench/measuring.ts';
import { processUse } from '../../bench/throughput/process-use.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import type { ObjectFault, Run } from '../../contracts/stages.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import { tapsSeries } from '../../kinds/taps/series.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { provideDemoTrust } from '../../stack/demo-trust.ts';
import { locateFiles, writeDeployments } from '../../stack/embedded-files.ts';
import { StageProcess } from '../../worker/stages/stage-process.ts';
import { usualDeployments } from '../support/test-stack.ts';
import { TEST_TRUST } from '../support/test-trust.ts';
import { FORTNIGHT, writeFortnightSeries, writeTripFiles } from './fortnight.fixture.ts';

/** What a stage used of the process that computed it. */
export type ProcessStageUse = {
  seconds: number;
  processorSeconds: number;
  /** Highest resident memory as the kernel keeps it (VmHWM): with the pages of the program and its libraries. */
  residentMiB: number;
  /** Highest memory that belongs to no file (RssAnon), of looks. */
  anonymousMiB: number;
};

/** The same without memory. */
type Times = Pick<ProcessStageUse, 'seconds' | 'processorSeconds'>;

/** Milliseconds between two looks. */
const LOOK_MS = 50;

/**
 * Ingest and bin of a fortnight of `trips` trips in `fileCount` files, in the process that computes for a private
 * worker, with the deployment file of an embedded stack: its program, limits and stores, and no server. Before them
 * `copy`, a bare copy of the files with their digests, which is what ingest cannot do without.
 */
export async function countTrips(
  root: string,
  trips: number,
  fileCount: number,
): Promise<Record<'ingest' | 'bin', ProcessStageUse> & { copy: Times }> {
  const files = locateFiles(root);
  await provideDemoTrust(files, TEST_TRUST);
  await writeDeployments(files, usualDeployments(root), 'localhost:1');
  const loaded = await loadSeriesFile((await writeFortnightSeries(join(root, 'series'), '*.parquet')).file);
  const signingKey = await readFile(files.key('policy'), 'utf8');
  await applySeries({ releaseStore: new FolderStore(files.store('release')), signingKey }, loaded);
  const source = join(files.sources, 'trips');
  await writeTripFiles(source, trips, fileCount);
  const [copy] = await measure(() => copyHashed(source, join(root, 'copy')));

  const series = tapsSeries(loaded.series);
  const run: Run = { series: series.series, window: FORTNIGHT, version: 1, seriesDigest: loaded.digest };
  const partitions = windowPartitions(series, series.modes, FORTNIGHT);
  const computing = new StageProcess({
    entry: new URL('../../worker/private-stages.ts', import.meta.url),
    deployment: files.deployment('private'),
    niceness: 0,
    limits: { memoryMiB: 4096, minutes: 300 },
    log: pino({ level: 'warn' }),
  });
  try {
    await computing.ready;
    const stage = async (name: string, input: object): Promise<ProcessStageUse> => {
      const [use, result] = await watched(computing.pid!, () =>
        computing.run(name, { ...run, ...input }, new AbortController().signal),
      );
      const { faults = [] } = result as { faults?: ObjectFault[] };
      if (faults.length > 0)
        throw new Error(`at fault, which would make the stages quick: ${JSON.stringify(faults[0])}`);
      return use;
    };
    await stage('reserve', { partitions });
    return { copy, ingest: await stage('ingest', { round: 0 }), bin: await stage('bin', { round: 0, partitions }) };
  } finally {
    computing.kill(null);
    await computing.whenEnded;
  }
}

/** Reads, hashes and writes each file of a folder, and removes what it wrote. */
async function copyHashed(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    const hash = createHash('sha256');
    const file = await open(join(to, name), 'w');
    for await (const piece of createReadStream(join(from, name), { highWaterMark: 2 ** 20 })) {
      hash.update(piece);
      await file.write(piece);
    }
    await file.close();
    hash.digest('hex');
  }
  await rm(to, { recursive: true });
}

/** What a process uses for a piece of work; only Linux reports it. */
async function watched<T>(pid: number, work: () => Promise<T>): Promise<[ProcessStageUse, T]> {
  // 5: the highest resident memory begins again.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const field = async (name: string): Promise<number> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) / 1024;
  };
  let anonymousMiB = 0;
  const look = async (): Promise<void> => {
    anonymousMiB = Math.max(anonymousMiB, await field('RssAnon').catch(() => 0));
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    const [begin, before] = [performance.now(), processUse(pid).cpuMs];
    const result = await work();
    const seconds = (performance.now() - begin) / 1000;
    await look();
    const residentMiB = await field('VmHWM');
    const processorSeconds = (processUse(pid).cpuMs - before) / 1000;
    return [{ seconds, processorSeconds, residentMiB, anonymousMiB }, result];
  } finally {
    clearInterval(timer);
  }
}
