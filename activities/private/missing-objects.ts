import type { MissingObjects, Run } from '../../contracts/stages.ts';
import { admit } from '../../custodian/custody/admission.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { sourceWindow } from '../../custodian/source/inventory.ts';
import { checkMarkers, listSource } from '../../custodian/source/listing.ts';

/** Names that go into histories at most; the total says how many more there are. */
const NAMES_MAX = 20;

/**
 * What a window still lacks: the supplier's markers when the series names one, the expected objects otherwise. Names of
 * the inventory alone, never anything of rows; the overlap object may be absent and is not waited for.
 *
 * Safe to run twice: it writes nothing.
 *
 * @contract C6
 * @contract safe-to-retry
 */
export async function missingObjects(context: PrivateContext, run: Run): Promise<MissingObjects> {
  const { kind, series } = await admit(context, run);
  const source = sourceWindow(kind, series, run.window);
  const store = context.sourceStore(series.source.store);
  const faults = series.source.completeness?.marker
    ? await checkMarkers(store, source)
    : (await listSource(store, source)).faults.filter(({ code }) => code === 'OBJECT_MISSING');
  return { names: faults.slice(0, NAMES_MAX).map(({ object }) => object), total: faults.length };
}
