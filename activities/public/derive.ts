import { kindOf } from '../../contracts/kind.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { DeriveInput } from '../../contracts/stages.ts';
import { putOnce } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PublicContext } from './context.ts';
import { requireDrawn } from './drawn-tables.ts';

/**
 * Stages all data files, as the kind of the series derives them from the privatized tables. Throws VERIFICATION_FAILED
 * when one of them has no receipt of the private worker.
 *
 * Safe to run twice: the files are a pure function of write-once objects, and each is written if absent. Bytes of an
 * earlier run stand, even those of another build; the audit compares what is staged with the privatized tables.
 *
 * @contract C9
 * @contract C11
 * @contract C18
 * @contract safe-to-retry
 */
export async function derive(context: PublicContext, input: DeriveInput): Promise<void> {
  const series = await readSeries(context.releaseStore, input);
  await requireDrawn(context, input, series);
  const files = await kindOf(context.kinds, series).derive(context, input, series);
  for (const [name, bytes] of files) await putOnce(context.releaseStore, RELEASE_KEYS.staged(input, name), bytes);
}
