import { z } from 'zod';
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { digestText } from '../../contracts/formats/common.ts';
import type { PopulationPolicy } from '../../contracts/formats/policy.ts';
import { kindOf } from '../../contracts/kind.ts';
import { type Series, seriesName } from '../../contracts/series.ts';
import type { Run } from '../../contracts/stages.ts';
import { measuresOf } from '../../core/accounting/charged-amount.ts';
import { windowDays, windowPartitions } from '../../core/calendar/window.ts';
import { makeCache, oncePer } from '../../core/memory/function-cache.ts';
import { compare, parseRational } from '../../core/rational/rational.ts';
import { requireEnded } from '../../services/calendar/window-end.ts';
import { costIn } from '../../services/ledger/charge.ts';
import { seriesSignatures } from '../../services/orders/series-signature.ts';
import { greatestCharge } from '../../services/orders/takeover-order.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { isSignedByPolicy } from '../policy/policy-file.ts';
import type { PrivateContext, PrivateKind } from '../private-context.ts';

/** A release that the policy allows to be looked at: what its series file says, and whose key signed it. */
export type Admitted = Awaited<ReturnType<typeof admit>>;

const runSchema = z.object({
  series: seriesName,
  window: z.iso.date(),
  version: z.number().int().positive().max(1_000_000),
  seriesDigest: digestText,
});

/** The release that a payload names. Throws USAGE when it names none. */
export function readRun(input: Run): Run {
  const run = runSchema.safeParse(input);
  if (run.success) return run.data;
  throw wrongUse('The payload names no release; start releases with `opaline run`.');
}

/**
 * Whether the policy lets this worker look at the source for a release at all, asked before every activity. It believes
 * no payload and no store: the series file has the digest that the run names, a key of the policy signed it and it was
 * not revoked, its source belongs to its population, unit, mechanism and amounts are allowed, and the window is over.
 * Throws USAGE, SERIES_UNSIGNED, POLICY_REFUSED, WINDOW_INVALID. It takes microseconds for a series that was seen before.
 * `number`: of the series file's signature; `partitions`: the product of its parts and days, whatever a payload names.
 *
 * @contract C11a
 */
export async function admit(context: PrivateContext, input: Run) {
  const run = readRun(input);
  const series = await readSeries(context.releaseStore, run);
  const number = await readNumber(context, run);
  const kind = kindOf(context.kinds, series);
  const rules = requireRules(context, kind, series);
  requireEnded(series, run.window, context.now());
  const days = windowDays(series, run.window);
  const partitions = windowPartitions(series, kind.terms(series).parts, run.window);
  return { run, series, kind, number, rules, days, partitions };
}

/** Numbers of series files that were found signed, by name and digest. */
const signedFiles = oncePer((_: PrivateContext) => makeCache<Promise<number>>());

/** The greatest number under which a key of the policy signed the series file. Throws SERIES_UNSIGNED. */
const readNumber = (context: PrivateContext, run: Run): Promise<number> =>
  signedFiles(context)(`${run.series} ${run.seriesDigest}`, () => newestNumber(context, run));

/**
 * The same, as the release store has it now: a file may be signed again with a greater number. Anybody may write there,
 * and what no key of the policy has signed is passed over.
 */
export async function newestNumber(
  { releaseStore, policy: { policy } }: PrivateContext,
  { series, seriesDigest }: Run,
): Promise<number> {
  const signatures = await seriesSignatures(releaseStore, { series, digest: seriesDigest }, ({ envelope }) =>
    isSignedByPolicy(policy, 'series', envelope),
  );
  const numbers = signatures.map(({ document }) => document.number);
  if (numbers.length > 0 && !policy.revokedSeries.includes(seriesDigest)) return Math.max(...numbers);
  throw new OpalineError(
    'SERIES_UNSIGNED',
    `No key of the policy has signed this file of ${series}; \`opaline series sign\` does, and then retry.`,
  );
}

/** The ε and δ that a series may name, however its population accounts. */
const greatestPure = ({ release }: PopulationPolicy) => greatestCharge({ release, accounting: 'pure' });

/** The rules of the series' population, which allow it. Throws POLICY_REFUSED. */
export function requireRules(
  { policy: { policy } }: PrivateContext,
  kind: PrivateKind,
  series: Series,
): PopulationPolicy {
  const { population, source, privacy } = series;
  const refuse = (sentence: string): never => {
    throw new OpalineError('POLICY_REFUSED', sentence);
  };
  const rules = Object.hasOwn(policy.populations, population) ? policy.populations[population] : undefined;
  if (!rules) return refuse(`The policy names no population ${population}.`);
  if (!rules.sources.includes(source.store))
    return refuse(`The policy does not give the source ${source.store} to the population ${population}.`);
  const { unit, mechanism } = kind.terms(series);
  if (unit !== rules.unit)
    return refuse(
      `The population ${population} is protected by the unit ${rules.unit}, and the series asks for ${unit}.`,
    );
  if (!rules.mechanisms.includes(mechanism)) return refuse(`The policy does not allow the mechanism ${mechanism}.`);
  const { epsilon, delta } = privacy;
  const greatest = greatestCharge(rules);
  const amounts = measuresOf(greatest, costIn(rules.accounting, kind.cost(series, rules.neighbours)));
  for (const { sign, pair } of [...measuresOf(greatestPure(rules), { epsilon, delta }), ...amounts])
    if (compare(parseRational(pair[1]), parseRational(pair[0])) > 0)
      return refuse(`One release may cost ${sign} = ${pair[0]} at most, and the series asks for more.`);
  return rules;
}
