import { dirname, resolve } from 'node:path';
import type { ReportIssue, SeriesIssue } from '../../../contracts/series-issue.ts';
import { readBoundedFile } from '../../../services/files/bounded-file.ts';
import { sha256 } from '../../../services/stores/json-objects.ts';
import type { LoadedList } from '../../client-kind.ts';
import { readLocationDictionary } from '../location-dictionary.ts';
import type { TapsFile } from '../series.ts';

/** A public list of locations or of services: a million lines of sixty characters. */
export const MOST_LIST_BYTES = 64 * 2 ** 20;

/** Why a list that a series names was not read. */
export const unreadList = (file: string, refusal: 'unreadable' | 'too large'): string =>
  refusal === 'too large'
    ? `The file ${file} is larger than 64 MiB; leave out what the series does not need.`
    : `The file ${file} cannot be read; paths start at the series file.`;

/**
 * Reads the dictionaries that a series names, relative to its file. The label for everything else (`unknown`) is a
 * member of each domain whether the dictionary lists it or not.
 * Gives digests by mode; mistakes inside a dictionary are issues of that file.
 */
export async function readDictionaries(
  seriesPath: string,
  bins: TapsFile['bins'],
  report: ReportIssue,
  issues: SeriesIssue[],
): Promise<Map<string, LoadedList>> {
  const loaded = new Map<string, LoadedList>();
  const checked = new Set<string>();
  for (const [mode, { dictionary, unknown }] of Object.entries(bins.locations)) {
    const path = resolve(dirname(seriesPath), dictionary);
    const { bytes, refusal } = await readBoundedFile(path, MOST_LIST_BYTES);
    if (refusal !== null) {
      report(['bins', 'locations', mode, 'dictionary'], unreadList(dictionary, refusal));
      continue;
    }
    if (unknown.trim() !== unknown || unknown === '*') {
      report(
        ['bins', 'locations', mode, 'unknown'],
        'The label has no blanks around it and is not *, which means all.',
      );
    }
    if (!checked.has(path)) {
      const { mistakes } = readLocationDictionary(bytes);
      issues.push(...mistakes.map((mistake) => ({ file: dictionary, column: 1, field: '', ...mistake })));
    }
    checked.add(path);
    loaded.set(mode, { digest: sha256(bytes), bytes });
  }
  return loaded;
}
