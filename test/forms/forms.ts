import { join } from 'node:path';
import { parquetMetadata } from 'hyparquet';
import { parquetBuffer, parquetColumns } from '../../services/publication/parquet-columns.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonBytes, jsonOrNull, readBytes } from '../../services/stores/json-objects.ts';

/** Texts for people, and what the standards of others define. */
const NOT_OURS = /\.(?:html|md|cff|atom|pb|jsonld)$|\/SHA256SUMS$|\/datapackage\.json$/;

/** What differs between keys of objects of one form: digests, ids, numbers, days and parts. */
const NAMES: [RegExp, string][] = [
  [/[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{12}/g, '*'],
  [/\d{4}-\d\d-\d\d/g, 'DAY'],
  [/(?<=DAY[-/])v\d/, 'vN'],
  [/(?<=\/)\d(?=[./])/g, 'N'],
  [/(?<=[-/])(?:bus|ferry|north|south)(?=[./])/, 'PART'],
  [/(?<=^|\/)(?:demo|small)(?=\/)/, 'SERIES'],
  [/(?<=^ledger\/)[^/]+/, 'POPULATION'],
];

/** The forms of the objects of every store below a root. */
export async function formsBelow(root: string): Promise<Record<string, string>> {
  const forms: Record<string, string> = {};
  for (const store of ['private', 'publication', 'release'])
    for (const [key, form] of Object.entries(await formsOf(join(root, store)))) forms[`${store}/${key}`] = form;
  return forms;
}

/**
 * The form of every object of a store, by its key: which members its JSON has and of which type, what is signed in it
 * too; the columns of its tables. What digests, ids and texts say does not count. Staged files are those of the
 * publication.
 */
async function formsOf(folder: string): Promise<Record<string, string>> {
  const store = new FolderStore(folder);
  const forms = new Map<string, Set<string>>();
  for await (const { key } of store.list('')) {
    if (key.startsWith('staging/')) continue;
    const name = NAMES.reduce((text, [what, by]) => text.replace(what, by), key);
    const known = forms.get(name) ?? new Set();
    forms.set(name, known.add(NOT_OURS.test(key) ? 'any' : formOf(await readBytes(store, key))));
  }
  return Object.fromEntries([...forms].sort(inOrder).map(([name, found]) => [name, [...found].sort().join(' or ')]));
}

const inOrder = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

function formOf(bytes: Buffer): string {
  if (bytes.subarray(0, 4).toString() === 'PAR1')
    return `Parquet ${parquetColumns(parquetMetadata(parquetBuffer(bytes))).join(', ')}`;
  const text = bytes.toString('utf8');
  const value = jsonOrNull(text);
  if (value === null) return `lines ${JSON.stringify(text.slice(0, text.indexOf('\n') + 1))}`;
  return `${jsonBytes(value).equals(bytes) ? 'canonical' : 'spaced'} ${shapeOf(value)}`;
}

function shapeOf(value: unknown, name = ''): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${[...new Set(value.map((one) => shapeOf(one)))].sort().join('|')}]`;
  if (typeof value !== 'object') return name === 'format' ? JSON.stringify(value) : typeof value;
  const members = Object.entries(value);
  const isSigned = members.some(([member]) => member === 'payloadType');
  const shapes = members.map(([member, given]) =>
    isSigned && member === 'payload'
      ? `payload:${shapeOf(JSON.parse(Buffer.from(given as string, 'base64').toString('utf8')))}`
      : `${member.replace(/[0-9a-f]{64}/, '*')}:${shapeOf(given, member)}`,
  );
  return `{${shapes.join()}}`;
}
