import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { putSignature } from '../../../activities/orders/series-signature.ts';
import { bin } from '../../../activities/private/bin.ts';
import type { PrivateContext } from '../../../activities/private/context.ts';
import { ingest } from '../../../activities/private/ingest.ts';
import { reserve } from '../../../activities/private/reserve.ts';
import { jsonBytes, sha256 } from '../../../activities/stores/json-objects.ts';
import { type Partition, PRIVATE_KEYS, RELEASE_KEYS } from '../../../contracts/names.ts';
import type { ObjectFault, Run } from '../../../contracts/stages.ts';
import { windowDays } from '../../../core/calendar/window.ts';
import type { CellCount } from '../../../core/mechanisms/cell-counts.ts';
import { privateContextBelow } from '../../../test/support/folder-contexts.ts';
import { POLICY_KEY, testPolicy } from '../../../test/support/test-custody.ts';
import { widePopulation } from '../../../test/support/test-trust.ts';
import { type TapsSeries, tapsSeriesSchema } from '../series.ts';
import { readCells } from './cells.ts';

/** What a test changes in the series; the rest is a week of bus and train trips in Sydney, as CSV. */
export type SeriesChange = {
  source?: Record<string, unknown>;
  day?: { starts: string; ends: string };
  minutes?: number;
  days?: number;
  timeZone?: string;
  modes?: string[];
  unit?: string;
  maxTaps?: number;
  publish?: string;
  firstWeekday?: string;
  /** Location list of every mode. */
  dictionary?: string;
};

const DICTIONARY = 'source,location\nCentral,Central Station\nTown Hall,Town Hall Station\n2000,2000\n2010,2010\n';

const TRIP_COLUMNS = ['on_time', 'on_location', 'off_time', 'off_location'];
const TAP_COLUMNS = ['tap', 'time', 'location'];
/** Columns of the source that are called what they are. */
export const sameNames = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]));

const seriesOf = (change: SeriesChange): TapsSeries =>
  tapsSeriesSchema.parse({
    format: 'opaline-series/1',
    series: 'test-taps',
    population: 'test-riders',
    timeZone: change.timeZone ?? 'Australia/Sydney',
    source: {
      store: 'source',
      pattern: '{date}/{mode}.csv',
      format: 'csv',
      rows: 'trips',
      columns: sameNames(change.source?.rows === 'taps' ? TAP_COLUMNS : TRIP_COLUMNS),
      ...change.source,
    },
    day: change.day ?? { starts: '00:00', ends: '24:00' },
    window: { days: change.days ?? 7, firstWeekday: change.firstWeekday ?? 'monday' },
    bins: {
      minutes: change.minutes ?? 15,
      locations: Object.fromEntries(
        (change.modes ?? ['bus', 'train']).map((mode) => [
          mode,
          { dictionary: sha256(change.dictionary ?? DICTIONARY) },
        ]),
      ),
    },
    modes: change.modes ?? ['bus', 'train'],
    privacy: {
      unit: change.unit ?? 'trip',
      maxTaps: change.maxTaps,
      publish: change.publish ?? 'on+off',
      epsilon: '8',
      delta: '1/1000000',
      caps: { block: { epsilon: 8, delta: '1/1000000' }, year: { epsilon: 100, delta: '1/10000' } },
    },
    gate: { approvers: [{ subject: 'a', key: '-----BEGIN PUBLIC KEY-----' }] },
    publication: { title: 'Test', licence: 'CC-BY-4.0' },
  });

/** A private worker's stores in a temporary folder, and one release to run through ingest and bin. */
export class StageBench {
  readonly root: string;
  readonly context: PrivateContext;
  readonly series: TapsSeries;
  readonly run: Run;

  private constructor(root: string, series: TapsSeries, run: Run) {
    this.root = root;
    this.series = series;
    this.run = run;
    const { population, source, privacy } = series;
    const populations = { [population]: widePopulation([source.store], { unit: privacy.unit }) };
    this.context = privateContextBelow(root, { policy: testPolicy({ populations }) });
  }

  static async open(change: SeriesChange = {}, window = '2026-03-02'): Promise<StageBench> {
    const root = await mkdtemp(join(tmpdir(), 'opaline-stages-'));
    await mkdir(join(root, 'source'), { recursive: true });
    const series = seriesOf(change);
    const bytes = jsonBytes(series);
    const run = { series: series.series, window, version: 1, seriesDigest: sha256(bytes) };
    const bench = new StageBench(root, series, run);
    await bench.context.releaseStore.putIfAbsent(RELEASE_KEYS.series(run.series, run.seriesDigest), bytes);
    const dictionary = change.dictionary ?? DICTIONARY;
    await bench.context.releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(sha256(dictionary)), Buffer.from(dictionary));
    await putSignature(
      bench.context.releaseStore,
      { series, digest: run.seriesDigest, signature: null },
      POLICY_KEY.privateKey,
    );
    await reserve(bench.context, { ...run, partitions: bench.partitions });
    return bench;
  }

  close(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }

  /** Writes or replaces a source object. */
  async deliver(key: string, content: string | Uint8Array): Promise<void> {
    const path = join(this.root, 'source', key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  /** A Parquet source object from a query. */
  async deliverParquet(key: string, query: string): Promise<void> {
    const path = join(this.root, 'source', key);
    await mkdir(dirname(path), { recursive: true });
    await duckdb(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
  }

  sourceBytes(key: string): Promise<Buffer> {
    return readFile(join(this.root, 'source', key));
  }

  async withdraw(key: string): Promise<void> {
    await rm(join(this.root, 'source', key));
  }

  async withdrawPrivate(key: string): Promise<void> {
    await rm(join(this.root, 'private', key));
  }

  async loseScratch(): Promise<void> {
    await rm(this.context.scratch, { recursive: true, force: true });
  }

  get days(): string[] {
    return windowDays(this.series, this.run.window);
  }

  get partitions(): Partition[] {
    return this.series.modes.flatMap((mode) => this.days.map((day) => ({ part: mode, day })));
  }

  ingest(round = 0): Promise<{ faults: ObjectFault[] }> {
    return ingest(this.context, { ...this.run, round });
  }

  bin(partitions = this.partitions, round = 0): Promise<{ faults: ObjectFault[] }> {
    return bin(this.context, { ...this.run, round, partitions });
  }

  /** Both stages; the faults of bin, which hold those of ingest. */
  async count(): Promise<ObjectFault[]> {
    await this.ingest();
    return (await this.bin()).faults;
  }

  cells(mode: string, day: string, round = 0): Promise<CellCount[]> {
    return readCells(this.context, this.run, round, { part: mode, day });
  }

  /** All cells of the window as text: `bus 2026-03-02 on 08:00 2000 = 3`. */
  async allCells(): Promise<string[]> {
    const lines: string[] = [];
    for (const { part: mode, day } of this.partitions) {
      if (!(await this.context.privateStore.head(PRIVATE_KEYS.cells(this.run, 0, { part: mode, day })))) continue;
      for (const [tap, time, location, count] of await this.cells(mode, day)) {
        lines.push(`${mode} ${day} ${tap} ${time} ${location} = ${count}`);
      }
    }
    return lines;
  }

  /** All rejects of the release. */
  async rejects(): Promise<{ reason: string; tap: string | null; row: string }[]> {
    const folder = join(this.root, 'private', 'rejects');
    const files = await readdir(folder, { recursive: true }).catch(() => []);
    if (!files.some((file) => file.endsWith('.parquet'))) return [];
    const rows = await duckdb(`SELECT reason, tap, row FROM '${folder}/**/*.parquet' ORDER BY ALL`);
    return rows.map(([reason, tap, row]) => ({
      reason: String(reason),
      tap: tap === null ? null : String(tap),
      row: String(row),
    }));
  }

  async reasons(): Promise<string[]> {
    return (await this.rejects()).map(({ reason }) => reason);
  }

  /** Everything that the release store holds, for a search of canaries. */
  releaseStoreText(): Promise<string> {
    return textOf(join(this.root, 'release'));
  }

  diagnostics(): Promise<string> {
    return textOf(join(this.root, 'private', 'diagnostics'));
  }
}

async function textOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

/** Rows of one query, in a database of its own. */
export async function duckdb(query: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const connection = await instance.connect();
    return (await connection.runAndReadAll(query)).getRowsJS();
  } finally {
    instance.closeSync();
  }
}
