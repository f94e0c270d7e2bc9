import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { bin } from '../../../activities/private/bin.ts';
import { ingest } from '../../../activities/private/ingest.ts';
import { reingest } from '../../../activities/private/reingest.ts';
import { reserve } from '../../../activities/private/reserve.ts';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import type { ObjectFault } from '../../../contracts/stages.ts';
import { windowDays } from '../../../core/calendar/window.ts';
import type { CellCount } from '../../../counts/mechanisms/cell-counts.ts';
import type { PrivateContext } from '../../../custodian/private-context.ts';
import { sha256 } from '../../../services/stores/json-objects.ts';
import { readCellRows } from '../../../test/support/cell-rows.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import { loadedSeries, ReleaseBench } from '../../../test/support/release-bench.ts';
import { type TapsSeries, tapsSeries, tapsSeriesSchema } from '../series.ts';

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
  /** With it left-out taps are counted, for half of a unit of ε. */
  clamp?: number;
  publish?: string;
  firstWeekday?: string;
  /** Location list of every mode. */
  dictionary?: string;
  /** Other fields of `privacy`. */
  privacy?: object;
};

const DICTIONARY = 'source,location\nCentral,Central Station\nTown Hall,Town Hall Station\n2000,2000\n2010,2010\n';

const TRIP_COLUMNS = ['on_time', 'on_location', 'off_time', 'off_location'];
const TAP_COLUMNS = ['tap', 'time', 'location'];
/** Columns of the source that are called what they are. */
export const sameNames = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]));

const seriesOf = (change: SeriesChange): TapsSeries =>
  tapsSeriesSchema.parse({
    format: 'opaline-series/3',
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
      ...(change.clamp !== undefined && { clamp: change.clamp, split: { bounded: '1/2' } }),
      publish: change.publish ?? 'on+off',
      epsilon: '8',
      delta: '1/1000000',
      caps: { block: { epsilon: 8, delta: '1/1000000' }, year: { epsilon: 100, delta: '1/10000' } },
      ...change.privacy,
    },
    gate: { approvers: [{ subject: 'a' }] },
    publication: { title: 'Test', licence: 'CC-BY-4.0' },
  });

/** One release of a series of taps, charged and ready for ingest and bin; and what these two stages leave. */
export class StageBench extends ReleaseBench {
  readonly series: TapsSeries = tapsSeries(this.loaded.series);
  readonly context: PrivateContext = this.contexts().private;

  /** `before`: a bench that ends, whose source objects this one takes over. */
  static async open(
    change: SeriesChange = {},
    window = '2026-03-02',
    before: StageBench | null = null,
  ): Promise<StageBench> {
    const series = loadedSeries(seriesOf(change), [Buffer.from(change.dictionary ?? DICTIONARY)]);
    const bench = await new StageBench(newFolder(), series, window).prepared();
    await reserve(bench.context, { ...bench.run(), partitions: bench.partitions });
    if (before) await rename(join(before.root, 'source'), join(bench.root, 'source'));
    await before?.close();
    return bench;
  }

  /** A Parquet source object from a query. */
  async deliverParquet(key: string, query: string): Promise<void> {
    const path = join(this.folder('source'), key);
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

  get days(): string[] {
    return windowDays(this.series, this.window);
  }

  ingest(): Promise<{ faults: ObjectFault[] }> {
    return ingest(this.context, { ...this.run(), round: 0 });
  }

  /** Pins the source again, for all partitions. */
  reingest(round: number): Promise<{ faults: ObjectFault[] }> {
    return reingest(this.context, { ...this.run(), round, partitions: this.partitions });
  }

  bin(partitions = this.partitions, round = 0): Promise<{ faults: ObjectFault[] }> {
    return bin(this.context, { ...this.run(), round, partitions });
  }

  /** Both stages; the faults of bin, which hold those of ingest. */
  async count(): Promise<ObjectFault[]> {
    return (await this.through('bin', this.context)).faults;
  }

  cells(mode: string, day: string, round = 0): Promise<CellCount[]> {
    return readCellRows(this.context, this.run(), round, { part: mode, day });
  }

  /** All cells of the window as text: `bus 2026-03-02 on 08:00 2000 = 3`. */
  async allCells(): Promise<string[]> {
    const lines: string[] = [];
    for (const { part: mode, day } of this.partitions) {
      if (!(await this.context.privateStore.head(PRIVATE_KEYS.cells(this.run(), 0, { part: mode, day })))) continue;
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
