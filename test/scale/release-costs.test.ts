import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { derive } from '../../activities/public/derive.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { newFolder } from '../support/new-folder.ts';
import { ReleaseBench, type StoreName } from '../support/release-bench.ts';
import { storeMethods } from '../support/store-methods.ts';
import { FORTNIGHT, writeFortnightSeries, writeFortnightTrips } from './fortnight.fixture.ts';

/**
 * What a release costs, in things that can be counted: no noise of a machine moves them. Seconds are in
 * docs/performance.md.
 */
const [FEWER, MORE] = [50_000, 200_000];
const OBJECTS = 14;
/** Rows of results for which something is made: of each object its columns. */
const MOST_MADE = 400;

type Costs = {
  /** Statements of DuckDB in ingest and bin, rows of their results of which values were made, and the others. */
  statements: string[];
  made: number;
  asWords: number;
  /** Bytes that were read of each object of a store, by `store/key`, and bytes that it has. */
  read: Map<string, number>;
  sizes: Map<string, number>;
};

/** A store that adds up what is read of it. */
const metered = (store: ObjectStore, name: StoreName, read: Map<string, number>): ObjectStore => ({
  ...storeMethods(store),
  get: async (key, range) => {
    const { stream, facts } = await store.get(key, range);
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of stream as AsyncIterable<Buffer>) {
        read.set(`${name}/${key}`, (read.get(`${name}/${key}`) ?? 0) + piece.length);
        yield piece;
      }
    };
    return { stream: Readable.from(counted()), facts };
  },
});

const folder = newFolder();

async function costsOf(trips: number): Promise<Costs> {
  const root = join(folder, `${trips}`);
  const loaded = await loadSeriesFile((await writeFortnightSeries(join(root, 'series'))).file);
  const release = await new ReleaseBench(join(root, 'release'), loaded, FORTNIGHT).prepared();
  await writeFortnightTrips(release.folder('source'), trips);
  const read = new Map<string, number>();
  const contexts = release.contexts({ wrap: (store, name) => metered(store, name, read) });
  const watched = watchDuckdb();
  await release.through('bin', contexts.private);
  const { statements, made, asWords } = watched.end();
  await derive(contexts.public, await release.through('privatize', contexts.private));
  const sizes = new Map<string, number>();
  for (const name of ['source', 'private', 'release'] as const)
    for await (const { key, size } of release.store(name).list('')) sizes.set(`${name}/${key}`, size);
  return { statements, made, asWords, read, sizes };
}

/** The statements of DuckDB until the end, and how many rows of their results came to JavaScript, in which way. */
function watchDuckdb() {
  const calls = [vi.spyOn(DuckDBConnection.prototype, 'run'), vi.spyOn(DuckDBConnection.prototype, 'stream')];
  const fetchChunk = DuckDBResult.prototype.fetchChunk;
  let rows = 0;
  vi.spyOn(DuckDBResult.prototype, 'fetchChunk').mockImplementation(async function (this: DuckDBResult) {
    const chunk = await fetchChunk.call(this);
    rows += chunk?.rowCount ?? 0;
    return chunk;
  });
  const makeRow = vi.spyOn(DuckDBDataChunk.prototype, 'convertRowValues');
  return {
    end: (): Pick<Costs, 'statements' | 'made' | 'asWords'> => {
      const statements = calls.flatMap(({ mock }) => mock.calls.map(([sql]) => sql));
      const made = makeRow.mock.calls.length;
      vi.restoreAllMocks();
      return { statements, made, asWords: rows - made };
    },
  };
}

/** Of the objects below a prefix what was read, beside their sizes. */
const readBelow = ({ read, sizes }: Costs, prefix: string): { read: number[]; sizes: number[] } => {
  const keys = [...sizes.keys()].filter((key) => key.startsWith(prefix));
  return { read: keys.map((key) => read.get(key) ?? 0), sizes: keys.map((key) => sizes.get(key)!) };
};

/** For each object how many statements read its rows; a look at its columns is not one. */
const scansIn = (statements: readonly string[]): number[] => {
  const scans = statements.filter((sql) => !sql.startsWith('DESCRIBE'));
  return Array.from(
    { length: OBJECTS },
    (_, object) => scans.filter((sql) => sql.includes(`/object-${object}'`)).length,
  );
};

describe('a release', () => {
  let fewer: Costs;
  let more: Costs;
  beforeAll(async () => {
    fewer = await costsOf(FEWER);
    more = await costsOf(MORE);
  });

  test('scans each object once', () => {
    expect(scansIn(more.statements)).toEqual(Array(OBJECTS).fill(1));
    const again = "SELECT count(*) FROM read_parquet('/scratch/object-3')";
    expect(scansIn([...more.statements, again])[3], 'a twin that looks again').toBe(2);
  });

  test('reads the source once, and what one stage writes for the next once', () => {
    const once = ['source/', 'private/cells/', 'release/privatized/'];
    expect(readBelow(more, 'source/').sizes).toHaveLength(OBJECTS);
    for (const prefix of once) {
      const { read, sizes } = readBelow(more, prefix);
      expect(read, prefix).toEqual(sizes);
    }
  });

  test('asks DuckDB as often for four times the trips, and takes groups and no rows, as words of which nothing is made', () => {
    expect(more.statements.length).toBe(fewer.statements.length);
    // Of four times the rows there would be four times as many.
    expect(more.asWords).toBeGreaterThan(fewer.asWords);
    expect(more.asWords).toBeLessThan((fewer.asWords * MORE) / FEWER);
    for (const { made } of [fewer, more]) expect(made).toBeLessThan(MOST_MADE);
    expect(more.made).toBeGreaterThan(0);
  });
});
