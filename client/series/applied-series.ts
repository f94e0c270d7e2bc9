import { wrongUse } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import { listSeriesNames, readApplied } from '../../services/stores/series-objects.ts';
import { nearText } from './near-names.ts';

/** The newest applied file of a series that a person named. Throws USAGE, with the names that are near. */
export async function requireApplied(store: ObjectStore, name: string): Promise<{ series: Series; digest: string }> {
  const names = await listSeriesNames(store);
  if (names.includes(name)) return readApplied(store, name);
  throw wrongUse(
    `No series "${name}" was applied; \`opaline schedule apply\` applies a series file.${nearText(name, names)}`,
  );
}
