import { seriesSignatureSchema } from '../../contracts/formats/order.ts';
import { kindOf } from '../../contracts/kind.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import { matchObject, patternPrefix } from '../../core/source-pattern/pattern.ts';
import { isSignedByPolicy } from '../policy/policy-keys.ts';
import { storedDocument } from '../signing/signed-objects.ts';
import type { PrivateContext } from './context.ts';
import { allowingRules, newestNumber } from './custody/admission.ts';
import { requireTold } from './preview.ts';

/** A series file as people have it, with the signature beside it. */
type Checkable = { series: Series; digest: string; signature: Buffer | null };

/**
 * Would the custodian side draw a series of this file? The policy allows it, a key of the policy has signed it, and it
 * says where its parameters come from. Throws POLICY_REFUSED and SERIES_UNSIGNED, as a release would.
 *
 * @contract C11a
 */
export async function requireAllowed(context: PrivateContext, { series, digest, signature }: Checkable): Promise<void> {
  allowingRules(context, kindOf(context.kinds, series), series);
  await requireTold(context, series, digest);
  const beside = signature === null ? null : storedDocument(signature, seriesSignatureSchema);
  const isOfIt = beside?.document.series === series.series && beside.document.digest === digest;
  if (isOfIt && isSignedByPolicy(context.policy.policy, 'series', beside.envelope)) return;
  await newestNumber(context, { series: series.series, window: '', version: 1, seriesDigest: digest });
}

/** What the names of a source say without a window: how many fit the pattern, the first and last, one that does not. */
export type SourceNames = { objects: number; first: string | null; last: string | null; stray: string | null };

/** Lists a source under the prefix of a pattern. Throws STORE_UNAVAILABLE. Cost in S3: a request for 1,000 names. */
export async function sourceNames(store: ObjectStore, pattern: string): Promise<SourceNames> {
  const names: SourceNames = { objects: 0, first: null, last: null, stray: null };
  for await (const { key } of store.list(patternPrefix(pattern))) {
    if (matchObject(pattern, key) === null) {
      names.stray ??= key;
      continue;
    }
    names.objects += 1;
    names.first ??= key;
    names.last = key;
  }
  return names;
}
