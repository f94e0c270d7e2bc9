import { OpalineError } from '../contracts/errors.ts';
import { seriesSignatureSchema } from '../contracts/formats/order.ts';
import { kindOf } from '../contracts/kind.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import type { Series } from '../contracts/series.ts';
import { windowDays, windowPartitions } from '../core/calendar/window.ts';
import { matchObject, patternPrefix } from '../core/source-pattern/pattern.ts';
import { parseDocument } from '../services/signing/signed-objects.ts';
import { newestNumber, requireRules } from './custody/admission.ts';
import { leaveFor } from './custody/orders-below.ts';
import { isSignedByPolicy } from './policy/policy-file.ts';
import { requireChosenOn } from './preview/preview.ts';
import type { PrivateContext } from './private-context.ts';

/** A series file as people have it, with the signature beside it. */
type Checkable = { series: Series; digest: string; signature: Buffer | null };

/**
 * Would the custodian side draw a series of this file? The policy allows it, a key of the policy has signed it, and it
 * says where its parameters come from. Throws POLICY_REFUSED and SERIES_UNSIGNED, as a release would.
 *
 * @contract C11a
 */
export async function requireAllowed(context: PrivateContext, { series, digest, signature }: Checkable): Promise<void> {
  requireRules(context, kindOf(context.kinds, series), series);
  await requireChosenOn(context, series, digest);
  const beside = signature === null ? null : parseDocument(signature, seriesSignatureSchema);
  const isOfIt = beside?.document.series === series.series && beside.document.digest === digest;
  if (isOfIt && isSignedByPolicy(context.policy.policy, 'series', beside.envelope)) return;
  await newestNumber(context, { series: series.series, window: '', version: 1, seriesDigest: digest });
}

/**
 * Would the custodian side charge the first versions of these windows of this file with the orders that it has? The
 * command that makes one names the series and the first and last window by `range`. Throws ORDER_MISSING,
 * and WINDOW_INVALID.
 *
 * @contract C11a
 */
export async function requireLeave(
  context: PrivateContext,
  { series, digest }: Pick<Checkable, 'series' | 'digest'>,
  windows: readonly string[],
  range: { series: string; from: string; to: string },
): Promise<void> {
  const kind = kindOf(context.kinds, series);
  const rules = requireRules(context, kind, series);
  const common = { series, kind, number: Number.MAX_SAFE_INTEGER, rules };
  for (const window of windows) {
    const partitions = windowPartitions(series, kind.terms(series).parts, window);
    const run = { series: series.series, window, version: 1, seriesDigest: digest };
    const release = { ...common, run, days: windowDays(series, window), partitions };
    await leaveFor(context, release, { partitions, correction: null }, []).catch((error: unknown) => {
      if (!(error instanceof OpalineError) || error.code !== 'ORDER_MISSING') throw error;
      throw new OpalineError(
        'ORDER_MISSING',
        `The window ${window} ended more than ${rules.lateDays} days ago and needs an order of a key of the policy; \`opaline order windows ${range.series} --from ${range.from} --to ${range.to} --key KEY.pem --out order.json\` makes one, to be handed over with \`--order order.json\`.`,
      );
    });
  }
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
