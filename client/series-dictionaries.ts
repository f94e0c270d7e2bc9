import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { sha256 } from '../activities/stores/json-objects.ts';
import { csvFields, csvLineProblem } from '../activities/text/csv-line.ts';
import type { SeriesFile } from '../contracts/series.ts';
import type { Report, SeriesIssue } from './series-issue.ts';

/** The bytes of a public location dictionary (C4), named by their digest. */
export type LoadedDictionary = { digest: string; bytes: Buffer };

const COMMA = 0x2c;
/** Longest location that is read. */
const LONGEST = 200;

/**
 * Reads the dictionaries that a series names, relative to its file. The label for everything else (`unknown`) is a
 * member of each domain whether the dictionary lists it or not.
 * Gives digests by mode; mistakes inside a dictionary are issues of that file.
 */
export async function readDictionaries(
  seriesPath: string,
  bins: SeriesFile['bins'],
  report: Report,
  issues: SeriesIssue[],
): Promise<Map<string, LoadedDictionary>> {
  const loaded = new Map<string, LoadedDictionary>();
  const checked = new Set<string>();
  for (const [mode, { dictionary, unknown }] of Object.entries(bins.locations)) {
    const path = resolve(dirname(seriesPath), dictionary);
    const bytes = await readFile(path).catch(() => null);
    if (!bytes) {
      report(
        ['bins', 'locations', mode, 'dictionary'],
        `The file ${dictionary} cannot be read; paths start at the series file.`,
      );
      continue;
    }
    if (unknown.trim() !== unknown || unknown === '*') {
      report(
        ['bins', 'locations', mode, 'unknown'],
        'The label has no blanks around it and is not *, which means all.',
      );
    }
    if (!checked.has(path)) issues.push(...dictionaryIssues(dictionary, bytes));
    checked.add(path);
    loaded.set(mode, { digest: sha256(bytes), bytes });
  }
  return loaded;
}

/** What is wrong with the text of a dictionary: a CSV with the columns source,location, or location alone. */
export function dictionaryIssues(file: string, bytes: Buffer): SeriesIssue[] {
  const issues: SeriesIssue[] = [];
  const issue = (line: number, sentence: string): void => {
    issues.push({ file, line, column: 1, field: '', sentence });
  };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    issue(1, 'The dictionary is not UTF-8; save it in that encoding.');
    return issues;
  }
  const [head = '', ...lines] = text.split(/\r?\n/);
  const header = csvFields(head, ',').map((field) => field.trim());
  const location = header.indexOf('location');
  const source = header.includes('source') ? header.indexOf('source') : location;
  const known = header.every((name) => name === 'location' || name === 'source');
  if (location < 0 || !known || new Set(header).size < header.length) {
    issue(1, 'The first line names the columns: source,location, or location alone.');
    return issues;
  }
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const problem = rowProblem(line, header.length, source, location, seen);
    if (problem) issue(index + 2, problem);
  }
  if (seen.size === 0) issue(1, 'The dictionary has no locations; add some.');
  return issues;
}

function rowProblem(line: string, columns: number, source: number, location: number, seen: Set<string>): string | null {
  if (csvLineProblem(Buffer.from(line), COMMA, columns) !== null) {
    return `The line has not ${columns} well-formed field${columns === 1 ? '' : 's'}; put quotes around a field with a comma.`;
  }
  const fields = csvFields(line, ',').map((field) => field.trim());
  const [name, published] = [fields[source] ?? '', fields[location] ?? ''];
  if (name === '' || published === '') return 'A field is empty; fill it, or take the line out.';
  if (published === '*') return 'The location cannot be *, which means all of them.';
  if ([...published].length > LONGEST || /\p{Cc}/u.test(published)) {
    return `A location has at most ${LONGEST} characters and no control characters.`;
  }
  if (seen.has(name)) return 'The name in the source is there twice; take one line out.';
  seen.add(name);
  return null;
}
