import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { OWNERS_ALONE } from '../../services/files/scratch-folder.ts';
import { literal, withDatabase } from '../../services/sql/duckdb.ts';
import { keepDiagnostics } from '../diagnostics.ts';
import type { PrivateContext } from '../private-context.ts';
import { putFile } from './scratch-copy.ts';

/** Rows of one object that were not counted, with the reason, as they are found. */
export type RejectedLines = ReturnType<typeof openRejects>;

export function openRejects(path: string) {
  const stream = createWriteStream(path, OWNERS_ALONE);
  // Asked for at once: an error between two rows is one of `end`, and not of the process.
  const finish = finished(stream);
  finish.catch(() => undefined);
  let count = 0;
  return {
    /** JSON lines {reason, row}; those of lines that are no rows are beside it, under `.lines`. */
    path,
    add: (reason: string, row: string) => {
      count += 1;
      stream.write(`${JSON.stringify({ reason, row })}\n`);
    },
    /** Takes up how many lines were no rows. */
    addLines: (lines: number) => {
      count += lines;
    },
    isEmpty: () => count === 0,
    end: () => {
      stream.end();
      return finish;
    },
  };
}

/** The lines of a file that are no rows, as (reason, row). */
export const rejectsOf = (path: string): string =>
  `read_json(${literal(path)}, format = 'newline_delimited', columns = {reason: 'VARCHAR', row: 'VARCHAR'})`;

/**
 * Lists the rejects of an object for custodians, as Parquet. A list that cannot be made is a diagnostic: the other
 * rows are counted (C5).
 */
export async function keepRejects(
  context: PrivateContext,
  folder: string,
  { path, isEmpty }: RejectedLines,
  key: string,
): Promise<void> {
  if (isEmpty()) return;
  const target = join(folder, 'rejects.parquet');
  const parts = [path, `${path}.lines`].map((file) => `SELECT reason, row FROM ${rejectsOf(file)}`);
  try {
    await withDatabase({ folder, memoryMiB: context.memoryMiB }, async (database) => {
      await database.run(`COPY (${parts.join(' UNION ALL ')}) TO ${literal(target)} (FORMAT parquet)`);
    });
    await putFile(context.privateStore, key, target);
  } catch (error) {
    await keepDiagnostics(context)(`rejects ${key}`, error);
  }
}
