import { dirname, resolve } from 'node:path';
import type { FileCheck, LoadedList } from '../../client-kind.ts';
import { readList } from '../../list-file.ts';
import { readLocationDictionary } from '../location-dictionary.ts';
import type { TapsFile } from '../series.ts';

/**
 * The dictionaries that a series names, by mode. The label for everything else (`unknown`) is a member of each domain
 * whether the dictionary lists it or not.
 */
export async function readDictionaries(check: FileCheck, bins: TapsFile['bins']): Promise<Map<string, LoadedList>> {
  const lists = new Map<string, LoadedList>();
  const paths = new Set<string>();
  for (const [mode, { dictionary, unknown }] of Object.entries(bins.locations)) {
    const field = ['bins', 'locations', mode];
    const path = resolve(dirname(check.path), dictionary);
    const list = await readList(check, [...field, 'dictionary'], dictionary, (bytes) =>
      paths.has(path) ? [] : readLocationDictionary(bytes).mistakes,
    );
    if (!list) continue;
    paths.add(path);
    lists.set(mode, list);
    if (unknown.trim() !== unknown || unknown === '*')
      check.report([...field, 'unknown'], 'The label has no blanks around it and is not *, which means all.');
  }
  return lists;
}
