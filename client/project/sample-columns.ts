import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parquetMetadataAsync, parquetSchema } from 'hyparquet';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { ENCODINGS, Series } from '../../contracts/series.ts';
import { csvFields } from '../../core/text/csv.ts';

/** How one file of a source is written. */
export type SampleFormat = Pick<Series['source'], 'format' | 'compression'>;

export type SampleEncoding = (typeof ENCODINGS)[number];

/** How the text of a sample is written. */
type SampleText = { delimiter: string; encoding: SampleEncoding };

type Decompress = (bytes: Readable) => Readable;

/** How the first bytes of a file are decompressed; null: an archive, which is not opened. */
const DECOMPRESS: Readonly<Record<SampleFormat['compression'], Decompress | null>> = {
  none: (bytes) => bytes,
  gzip: (bytes) => Readable.from(bytes.pipe(createGunzip())),
  zip: null,
};

/** The longest header row that is read, in bytes. */
const HEADER_BYTES = 2 ** 16;

/** The format that the end of a name stands for. */
const FORMATS: Readonly<Record<string, SampleFormat['format']>> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  dat: 'csv',
  parquet: 'parquet',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'json',
};

/**
 * How a file is written, by the end of its name; null when the name does not say. `choice`: what somebody says of it; the
 * name says then how it is compressed.
 */
export function formatByName(name: string, choice?: SampleFormat['format']): SampleFormat | null {
  const [, rest = '', packed = ''] = /^(.*?)(\.gz|\.zip)?$/is.exec(name)!;
  const end = /\.([a-z]+)$/i.exec(rest)?.[1]?.toLowerCase() ?? '';
  const compression = packed === '' ? 'none' : packed.toLowerCase() === '.gz' ? 'gzip' : 'zip';
  const format = choice ?? FORMATS[end] ?? (compression === 'zip' ? 'csv' : undefined);
  return format === undefined || (format === 'parquet' && compression !== 'none') ? null : { format, compression };
}

/** What may be between the fields of a CSV, the most usual first, as people name it. */
const DELIMITERS = { ',': ',', tab: '\t', ';': ';', '|': '|' };

/**
 * What is likely to be between the fields of a CSV, in a word: what divides its header row into the most names, or, where
 * nobody reads that, what the end of its name stands for. Throws as sampleColumns does.
 */
export async function usualDelimiter(
  store: ObjectStore,
  key: string,
  { hasHeader, ...how }: SampleFormat & { encoding: SampleEncoding; hasHeader: boolean },
): Promise<string> {
  let usual = { word: /\.tsv(\.gz|\.zip)?$/i.test(key) ? 'tab' : ',', names: 1 };
  for (const [word, delimiter] of hasHeader ? Object.entries(DELIMITERS) : []) {
    const names = (await sampleColumns(store, key, { ...how, delimiter }))?.length ?? 0;
    if (names > usual.names) usual = { word, names };
  }
  return usual.word;
}

/**
 * Names of the columns of one object: those of a Parquet schema, or of the header row of a CSV. Nothing of a row is kept
 * or shown. Null for JSON and archives, of which nothing may be opened to find them; a CSV without a header row is not
 * for this. Throws OBJECT_MISSING, and OBJECT_UNREADABLE whose sentence quotes nothing.
 *
 * @contract C17
 */
export async function sampleColumns(
  store: ObjectStore,
  key: string,
  { format, compression, ...text }: SampleFormat & SampleText,
): Promise<string[] | null> {
  const decompress = DECOMPRESS[compression];
  if (format === 'json' || format === 'jsonl' || decompress === null) return null;
  const facts = await store.head(key);
  if (!facts) throw new OpalineError('OBJECT_MISSING', `The source has no object ${key}; name one that is there.`);
  try {
    return format === 'parquet'
      ? await parquetColumns(store, key, facts.size)
      : await headerRow(store, key, decompress, text);
  } catch (error) {
    if (error instanceof OpalineError) throw error;
    throw new OpalineError(
      'OBJECT_UNREADABLE',
      `The columns of ${key} cannot be read; it is damaged, or of another format.`,
    );
  }
}

async function parquetColumns(store: ObjectStore, key: string, byteLength: number): Promise<string[]> {
  const slice = async (start: number, end = byteLength): Promise<ArrayBuffer> => {
    const { stream } = await store.get(key, { start, end });
    const bytes = Buffer.concat(await stream.toArray());
    return new Uint8Array(bytes).buffer;
  };
  const metadata = await parquetMetadataAsync({ byteLength, slice }, { geoparquet: false });
  return parquetSchema(metadata).children.map(({ element }) => element.name);
}

async function headerRow(
  store: ObjectStore,
  key: string,
  decompress: Decompress,
  { delimiter, encoding }: SampleText,
): Promise<string[]> {
  const { stream } = await store.get(key);
  let start = Buffer.alloc(0);
  try {
    for await (const chunk of decompress(stream) as AsyncIterable<Buffer>) {
      start = Buffer.concat([start, chunk]);
      if (start.includes(0x0a) || start.length > HEADER_BYTES) break;
    }
  } finally {
    stream.destroy();
  }
  const end = start.indexOf(0x0a);
  const row = start.subarray(0, end < 0 ? HEADER_BYTES : end);
  if (encoding === 'utf-8' && !isUtf8(row))
    throw new OpalineError('OBJECT_UNREADABLE', `The first row of ${key} is not UTF-8; name --encoding latin-1.`);
  const line = new TextDecoder(encoding === 'utf-8' ? 'utf-8' : 'windows-1252').decode(row);
  return csvFields(line.replace(/^\ufeff/, '').replace(/\r$/, ''), delimiter).map((name) => name.trim());
}
