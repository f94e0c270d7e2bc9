import { dirname, resolve } from 'node:path';
import type { FieldPath } from '../contracts/series-issue.ts';
import { readBoundedFile } from '../services/files/bounded-file.ts';
import { sha256 } from '../services/stores/json-objects.ts';
import type { FileCheck, LoadedList } from './client-kind.ts';

/** A million lines of sixty characters. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Reads a public list that a field of a series file names, relative to that file; null, with a report, when it cannot be
 * read. Mistakes inside are issues of the list.
 */
export async function readList(
  { path, report, inLists }: FileCheck,
  field: FieldPath,
  file: string,
  mistakesOf: (bytes: Buffer) => readonly { line: number; sentence: string }[],
): Promise<LoadedList | null> {
  const { bytes, refusal } = await readBoundedFile(resolve(dirname(path), file), MOST_BYTES);
  if (refusal === null) {
    inLists.push(...mistakesOf(bytes).map((mistake) => ({ file, column: 1, field: '', ...mistake })));
    return { digest: sha256(bytes), bytes };
  }
  report(
    field,
    refusal === 'too large'
      ? `The file ${file} is larger than 64 MiB; leave out what the series does not need.`
      : `The file ${file} cannot be read; paths start at the series file.`,
  );
  return null;
}
