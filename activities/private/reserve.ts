import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { releasePath } from '../../contracts/names.ts';
import type { ReserveInput } from '../../contracts/stages.ts';
import { overCap, reserveOfRelease } from '../../core/ledger/budget.ts';
import { type Admitted, admit, newestNumber } from '../../custodian/custody/admission.ts';
import { findReserve } from '../../custodian/custody/custody-charge.ts';
import { leaveFor, type Wanted } from '../../custodian/custody/orders-below.ts';
import { appendSettled, settledLedger } from '../../custodian/custody/population-ledger.ts';
import { requireChosenOn } from '../../custodian/preview/preview.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { chargeOf } from '../../services/ledger/charge.ts';
import type { LedgerDraft } from '../../services/ledger/ledger.ts';

/**
 * Reserves the charge of every block of a release before any row of it is looked at, and gives its charge id. The caps
 * are those of the policy, and smaller ones of the series for itself. Over a cap it records the refusal and throws
 * BUDGET_EXCEEDED; what the policy does not allow leaves nothing (POLICY_REFUSED, ORDER_MISSING, SERIES_UNSIGNED). A
 * release that stands under another series file is refused with NOT_CHARGED.
 *
 * Safe to run twice: it looks for the release's own reserve first and answers with the charge id that is there.
 *
 * @contract C11a
 * @contract C12
 * @contract safe-to-retry
 */
export async function reserve(context: PrivateContext, input: ReserveInput): Promise<{ charge: string }> {
  const release = await admit(context, input);
  const { population } = release.series;
  const { entries } = await settledLedger(context, population);
  const own = ownReserve(entries, release);
  if (own) return own;
  await requireChosenOn(context, release.series, release.run.seriesDigest);
  const signed = { ...release, number: await newestNumber(context, release.run) };
  const { partitions } = input;
  const correction = input.correction ? { of: input.correction.of, reason: input.correction.reason, partitions } : null;
  const wanted = { partitions, correction };
  const order = await leaveFor(context, signed, wanted, entries);
  const draft = reserveDraft(context, signed, order, wanted);
  await appendSettled(context, population, (before) => rulesDraft(context, release, before));
  let charge = draft.charge;
  let refusal: string | null = null;
  await appendSettled(context, population, (before) => {
    const existing = ownReserve(before, release);
    if (existing) {
      charge = existing.charge;
      return null;
    }
    refusal = overCap(before, draft);
    return refusal ? refuseDraft(before, draft.release) : draft;
  });
  if (refusal) throw new OpalineError('BUDGET_EXCEEDED', `${refusal} Nothing was charged and nothing was drawn.`);
  return { charge };
}

/** The charge that the release has. Throws NOT_CHARGED when it has one under another series file. */
function ownReserve(entries: readonly LedgerEntry[], { run }: Admitted): { charge: string } | null {
  const own = findReserve(entries, run);
  if (own) return { charge: own.charge };
  if (!reserveOfRelease(entries, run)) return null;
  throw new OpalineError(
    'NOT_CHARGED',
    `${releasePath(run)} was charged under another series file; take the next version.`,
  );
}

function reserveDraft(
  context: PrivateContext,
  release: Admitted,
  order: string | null,
  { partitions, correction }: Wanted,
) {
  const { run, series, kind, number, rules, days } = release;
  return {
    kind: 'reserve' as const,
    charge: context.newId(),
    release: releasePath(run),
    unit: rules.unit,
    neighbours: rules.neighbours,
    series: { name: run.series, digest: run.seriesDigest, number },
    policy: context.policy.numbered,
    trust: context.trust,
    order,
    correction: correction && { ...correction, partitions: [...correction.partitions] },
    ...chargeOf(kind, series, days, partitions, rules),
  };
}

/** The rules of the population as the policy has them, unless the ledger names this policy and trust file already. */
function rulesDraft(
  { policy: { policy, numbered }, trust }: PrivateContext,
  { rules: { unit, neighbours, caps } }: Admitted,
  entries: readonly LedgerEntry[],
): LedgerDraft | null {
  const newest = entries.findLast((entry) => entry.kind === 'policy');
  if (newest?.policy.digest === numbered.digest && newest.trust.digest === trust.digest) return null;
  const signers = policy.keys.filter(({ may, revoked }) => may.includes('series') && !revoked);
  return {
    kind: 'policy',
    policy: numbered,
    trust,
    unit,
    neighbours,
    caps,
    signers: signers.map(({ name, key }) => ({ name, key })),
  };
}

/** One refusal per release and cause is enough: a retry adds none. */
function refuseDraft(entries: readonly LedgerEntry[], release: string): LedgerDraft | null {
  const code = 'BUDGET_EXCEEDED';
  if (entries.some((entry) => entry.kind === 'refuse' && entry.release === release && entry.code === code)) return null;
  return { kind: 'refuse', release, code, subject: 'releaseWorkflow', reason: 'over-cap' };
}
