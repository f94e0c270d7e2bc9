import type { FileCheck, LoadedList } from '../../client-kind.ts';
import { readList } from '../../list-file.ts';
import { readLocationDictionary } from '../../taps/location-dictionary.ts';
import type { SyntheticFile } from '../series.ts';

/** The lists that attributes name, by the name in the file. */
export async function loadLists(
  check: FileCheck,
  attributes: SyntheticFile['attributes'],
): Promise<Map<string, LoadedList>> {
  const lists = new Map<string, LoadedList>();
  for (const [place, { list }] of attributes.entries()) {
    if (list === undefined || lists.has(list)) continue;
    const field = ['attributes', place, 'list'];
    const file = await readList(check, field, list, (bytes) => readLocationDictionary(bytes).mistakes);
    if (file) lists.set(list, file);
  }
  return lists;
}
