import { dirname, resolve } from 'node:path';
import type { ReportIssue, SeriesIssue } from '../../../contracts/series-issue.ts';
import { readBoundedFile } from '../../../services/files/bounded-file.ts';
import { sha256 } from '../../../services/stores/json-objects.ts';
import type { LoadedList } from '../../client-kind.ts';
import { MOST_LIST_BYTES, unreadList } from '../../taps/file/dictionaries.ts';
import { readLocationDictionary } from '../../taps/location-dictionary.ts';
import type { SyntheticFile } from '../series.ts';

/**
 * Reads the lists that attributes name, relative to the series file: by the name in the file. Mistakes inside are
 * issues of those files.
 */
export async function loadLists(
  seriesPath: string,
  attributes: SyntheticFile['attributes'],
  report: ReportIssue,
  issues: SeriesIssue[],
): Promise<Map<string, LoadedList>> {
  const loaded = new Map<string, LoadedList>();
  for (const [place, { list }] of attributes.entries()) {
    if (list === undefined || loaded.has(list)) continue;
    const { bytes, refusal } = await readBoundedFile(resolve(dirname(seriesPath), list), MOST_LIST_BYTES);
    if (refusal !== null) {
      report(['attributes', place, 'list'], unreadList(list, refusal));
      continue;
    }
    const { mistakes } = readLocationDictionary(bytes);
    issues.push(...mistakes.map((mistake) => ({ file: list, column: 1, field: '', ...mistake })));
    loaded.set(list, { digest: sha256(bytes), bytes });
  }
  return loaded;
}
