import { extname } from 'node:path';

/** Media types of what a store holds, by the end of the key. A browser shows pages and feeds only under their own. */
const TYPES: Readonly<Record<string, string>> = {
  '.atom': 'application/atom+xml; charset=utf-8',
  '.cff': 'application/yaml; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.jsonld': 'application/ld+json',
  '.md': 'text/markdown; charset=utf-8',
  '.parquet': 'application/vnd.apache.parquet',
};

const typeOf = (key: string): string =>
  TYPES[extname(key)] ?? (key.endsWith('/SHA256SUMS') ? 'text/plain; charset=utf-8' : 'application/octet-stream');

/** What readers of an object over HTTP are told. */
type HttpHeaders = { ContentType: string; CacheControl: string };

/** Of an object that is written once: whoever has it need not ask again for a year. */
export const onceHeaders = (key: string): HttpHeaders => ({
  ContentType: typeOf(key),
  CacheControl: 'max-age=31536000, immutable',
});

/** Of a mutable object: whoever has it asks each time whether it is still the same. */
export const mutableHeaders = (key: string): HttpHeaders => ({ ContentType: typeOf(key), CacheControl: 'no-cache' });
