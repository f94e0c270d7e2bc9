import { readFile } from 'node:fs/promises';
import { wrongUse } from '../../contracts/errors.ts';
import { csvFields, csvRow } from '../../core/text/csv.ts';
import type { Levels } from './sql/recoded-table.ts';
import { unreadable } from './table-file.ts';

/** Coarser names of the values of a column, and the names of the levels, the finest first. */
export type NamedLevels = { names: string[]; levels: Levels };

/**
 * A public hierarchy of places (or of anything): a CSV whose first column is the value in the table and whose further
 * columns, named in the header, are its coarser names, the finest first. Throws USAGE with the first mistake.
 */
export async function readLevels(path: string): Promise<NamedLevels> {
  const text = await readFile(path, 'utf8').catch(unreadable(path));
  const [header = '', ...lines] = text.split(/\r?\n/);
  const [value, ...names] = csvFields(header).map((name) => name.trim());
  if (value === undefined || names.length === 0 || names.includes('') || new Set(names).size < names.length)
    throw wrongUse(`Line 1 of ${path} names the value and at least one level, each once.`);
  const levels = new Map<string, string[]>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [own, ...coarser] = csvRow(line, names.length + 1) ?? [];
    if (own === undefined || levels.has(own))
      throw wrongUse(`Line ${index + 2} of ${path} has not ${names.length + 1} fields, or repeats a value.`);
    levels.set(own, coarser);
  }
  return { names, levels };
}
