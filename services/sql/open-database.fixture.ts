import { newFolder } from '../../test/support/new-folder.ts';
import { type Database, withDatabase } from './duckdb.ts';

/** A database for all tests of a file, and its folder: to open one takes longer than most tests. */
export async function openDatabase(): Promise<{ database: Database; folder: string; close(): Promise<void> }> {
  const folder = newFolder();
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
  };
  return { database: await opened.promise, folder, close };
}
