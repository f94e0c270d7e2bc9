import type { ObjectStore } from '../../contracts/object-store.ts';
import { readDictionary } from '../../services/stores/series-objects.ts';
import { type Attribute, attributesOf } from './attributes.ts';
import type { SyntheticSeries } from './series.ts';

const known = new WeakMap<SyntheticSeries, Promise<Attribute[]>>();

/** The attributes of a stored series with their public values, read once and kept. Throws SERIES_INVALID. */
export function publicAttributes(store: ObjectStore, series: SyntheticSeries): Promise<Attribute[]> {
  const before = known.get(series);
  if (before) return before;
  const attributes = read(store, series);
  known.set(series, attributes);
  attributes.catch(() => known.delete(series));
  return attributes;
}

async function read(store: ObjectStore, series: SyntheticSeries): Promise<Attribute[]> {
  const lists = new Map<string, Uint8Array>();
  for (const digest of listsOf(series)) lists.set(digest, await readDictionary(store, digest));
  return attributesOf(series, lists);
}

/** Digests of the public lists of a stored series, each once. */
export const listsOf = ({ attributes }: Pick<SyntheticSeries, 'attributes'>): string[] => [
  ...new Set(attributes.flatMap(({ list }) => list ?? [])),
];
