import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, withDatabase } from './duckdb.ts';

/** A database for all tests of a file, and its folder: to open one takes longer than most tests. */
export async function openDatabase(): Promise<{ database: Database; folder: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'opaline-sql-'));
  const opened = Promise.withResolvers<Database>();
  const ended = Promise.withResolvers<void>();
  const closed = withDatabase({ folder, memoryMiB: 256 }, (database) => {
    opened.resolve(database);
    return ended.promise;
  });
  closed.catch(opened.reject);
  const close = async (): Promise<void> => {
    ended.resolve();
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  return { database: await opened.promise, folder, close };
}
