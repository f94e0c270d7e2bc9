import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OpalineError } from '../../contracts/errors.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { ObjectFault } from '../../contracts/stages.ts';
import { csvFields } from '../../core/text/csv.ts';
import { keepDiagnostics } from '../diagnostics.ts';
import type { PrivateContext } from '../private-context.ts';
import { cleanLines } from './clean-lines.ts';
import type { Pin } from './inventory.ts';
import type { RejectedLines } from './rejected-rows.ts';
import { linkCopy, objectCode } from './scratch-copy.ts';
import { sourceText } from './source-text.ts';

/** What reading CSV objects of a series needs, and the columns that it wants. */
export type CsvReading = {
  context: PrivateContext;
  run: ReleaseReference;
  source: Series['source'];
  folder: string;
  columns: readonly string[];
};

/** Takes one row up: its values by column, and its line. */
export type TakeRow = (fields: ReadonlyMap<string, string>, line: string) => void;

/**
 * Reads an object row by row, and ends its rejects; the code when the object is at fault. Whatever was taken from such
 * an object before its fault was found must be in no partition that is stored.
 *
 * @contract C5
 * @contract C6
 */
export async function readRowsOrCode(
  { context, run, source, folder, columns }: CsvReading,
  pin: Pin,
  rejects: RejectedLines,
  take: TakeRow,
): Promise<ObjectFault['code'] | null> {
  const path = join(folder, 'object');
  const { delimiter, header } = source.csv;
  try {
    const store = context.sourceStore(source.store);
    await linkCopy({ scratch: context.scratch, release: run, store }, pin, path);
    const format = { kind: 'csv', delimiter, header: header ?? null } as const;
    const clean = await cleanLines(sourceText(path, source), format, `${path}.rows`, `${rejects.path}.lines`);
    rejects.addLines(clean.rejected);
    const places = placesOf(clean.header, columns);
    for await (const line of linesOf(`${path}.rows`)) {
      const values = csvFields(line, delimiter);
      take(new Map(places.map(([name, place]) => [name, values[place] ?? ''])), line);
    }
    return null;
  } catch (error) {
    const isDamaged = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
    const code = isDamaged ? 'OBJECT_UNREADABLE' : objectCode(error);
    await keepDiagnostics(context)(`bin ${pin.key}`, error);
    return code;
  } finally {
    await rejects.end();
    for (const name of [path, `${path}.rows`]) await rm(name, { force: true });
  }
}

/** The lines of a cleaned file. A line ends with a line feed and with nothing else that Unicode takes for an end. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const text of createReadStream(path, 'utf8')) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

/** Where each wanted column is. Throws OBJECT_SCHEMA unless all of them are there, once. */
function placesOf(header: readonly string[] | null, columns: readonly string[]): [name: string, place: number][] {
  const names = header ?? [];
  if (columns.every((column) => names.filter((name) => name === column).length === 1))
    return columns.map((column) => [column, names.indexOf(column)]);
  throw new OpalineError('OBJECT_SCHEMA', 'An object lacks a column that the series names, or has it twice.');
}
