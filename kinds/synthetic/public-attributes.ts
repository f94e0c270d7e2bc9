import type { ObjectStore } from '../../contracts/object-store.ts';
import { makeCache, oncePer } from '../../core/memory/function-cache.ts';
import { readDictionary } from '../../services/stores/series-objects.ts';
import { type Attribute, attributesOf } from './attributes.ts';
import type { SyntheticSeries } from './series.ts';

const keptOf = oncePer((_: SyntheticSeries) => makeCache<Promise<Attribute[]>>());

/** The attributes of a stored series with their public values, read once and kept. Throws SERIES_INVALID. */
export const publicAttributes = (store: ObjectStore, series: SyntheticSeries): Promise<Attribute[]> =>
  keptOf(series)('attributes', async () => {
    const lists = new Map<string, Uint8Array>();
    for (const digest of listsOf(series)) lists.set(digest, await readDictionary(store, digest));
    return attributesOf(series, lists);
  });

/** Digests of the public lists of a stored series, each once. */
export const listsOf = ({ attributes }: Pick<SyntheticSeries, 'attributes'>): string[] => [
  ...new Set(attributes.flatMap(({ list }) => list ?? [])),
];
