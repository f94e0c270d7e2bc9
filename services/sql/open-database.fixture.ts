import { newFolder } from '../../test/support/new-folder.ts';
import { type Database, withDatabase } from './duckdb.ts';

/** A database for all tests of a file, and its folder: to open one takes longer than most tests. */
export async function openDatabase(): Promise<{ database: Database; folder: string; close(): Promise<void> }> {
  const folder = newFolder();
  const start = Promise.withResolvers<Database>();
  const end = Promise.withResolvers<void>();
  const session = withDatabase({ folder, memoryMiB: 256 }, (database) => {
    start.resolve(database);
    return end.promise;
  });
  session.catch(start.reject);
  const close = async (): Promise<void> => {
    end.resolve();
    await session;
  };
  return { database: await start.promise, folder, close };
}
