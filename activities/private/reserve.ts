import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { releasePath } from '../../contracts/names.ts';
import type { ReserveInput } from '../../contracts/stages.ts';
import { accountingOf } from '../../core/accounting/charged-amount.ts';
import { type Caps, charges, ledgerAccounting, overCap, reserveOfRelease } from '../../core/ledger/budget.ts';
import { type Admitted, admit, newestNumber } from '../../custodian/custody/admission.ts';
import { findReserve } from '../../custodian/custody/custody-charge.ts';
import { accountingOrder, leaveFor, type Wanted } from '../../custodian/custody/orders-below.ts';
import { appendSettled, settleLedger } from '../../custodian/custody/population-ledger.ts';
import { requireChosenOn } from '../../custodian/preview/preview.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { chargeOf, rulesOfPolicy } from '../../services/ledger/charge.ts';
import type { LedgerDraft } from '../../services/ledger/ledger.ts';

/**
 * Reserves the charge of every block of a release before any row of it is looked at, and gives its charge id. The caps
 * are those of the policy, and smaller ones of the series for itself. Over a cap it records the refusal and throws
 * BUDGET_EXCEEDED; what the policy does not allow leaves nothing (POLICY_REFUSED, ORDER_MISSING, SERIES_UNSIGNED). A
 * release that is in the ledger under another series file is refused with NOT_CHARGED.
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
  const { entries } = await settleLedger(context, population);
  const own = ownReserve(entries, release);
  if (own) return own;
  await requireChosenOn(context, release.series, release.run.seriesDigest);
  const candidate = { ...release, number: await newestNumber(context, release.run) };
  const { partitions } = input;
  const correction = input.correction ? { of: input.correction.of, reason: input.correction.reason, partitions } : null;
  const request = { partitions, correction };
  const order = await leaveFor(context, candidate, request, entries);
  const draft = reserveDraft(context, candidate, order, request);
  const toRho = await accountingOrder(context, population);
  await appendSettled(context, population, (before) => rulesDraft(context, release, toRho, before));
  let charge = draft.charge;
  let refusal: string | null = null;
  await appendSettled(context, population, (before) => {
    const entry = ownReserve(before, release);
    if (entry) {
      charge = entry.charge;
      return null;
    }
    requireAccounting(before, draft.caps);
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
    mechanism: kind.terms(series).mechanism,
    series: { name: run.series, digest: run.seriesDigest, number },
    policy: context.policy.numbered,
    trust: context.trust,
    order,
    correction: correction && { ...correction, partitions: [...correction.partitions] },
    ...chargeOf(kind, series, days, partitions, rulesOfPolicy(rules)),
  };
}

/** The rules of the population as the policy has them, unless the ledger names this policy and trust file already. */
function rulesDraft(
  { policy: { policy, numbered }, trust }: PrivateContext,
  { series, rules }: Admitted,
  toRho: string | null,
  entries: readonly LedgerEntry[],
): LedgerDraft | null {
  const { neighbours, caps } = rulesOfPolicy(rules);
  const newest = entries.findLast((entry) => entry.kind === 'policy');
  if (newest?.policy.digest === numbered.digest && newest.trust.digest === trust.digest) return null;
  const order = becomesRho(entries, caps) ? orderOf(entries, series.population, toRho) : null;
  const signers = policy.keys.filter(({ may, revoked }) => may.includes('series') && !revoked);
  return {
    kind: 'policy',
    policy: numbered,
    trust,
    unit: rules.unit,
    neighbours,
    caps,
    order,
    signers: signers.map(({ name, key }) => ({ name, key })),
  };
}

/** Does a population that counted ε and δ count ρ under these caps? Throws POLICY_REFUSED for the way back. */
function becomesRho(entries: readonly LedgerEntry[], caps: Caps): boolean {
  const before = ledgerAccounting(entries);
  if (before !== 'rho') return before === 'pure' && 'delta' in caps;
  requireAccounting(entries, caps);
  return false;
}

/** The order by which it does. Throws POLICY_REFUSED where a charge has no ρ, and ORDER_MISSING. */
function orderOf(entries: readonly LedgerEntry[], population: string, toRho: string | null): string {
  charges(entries, 'rho');
  if (toRho !== null) return toRho;
  throw new OpalineError(
    'ORDER_MISSING',
    `A key of the policy has to order that ${population} counts ρ from now on, for good: \`opaline order rho ${population} --key KEY.pem --out rho.order.json\` makes the order, \`opaline order put\` hands it over; then retry.`,
  );
}

/** A charge counts as its ledger does, whatever policy it was drafted under. Throws POLICY_REFUSED. */
function requireAccounting(entries: readonly LedgerEntry[], caps: Caps): void {
  if (ledgerAccounting(entries) === accountingOf(caps.block)) return;
  throw new OpalineError(
    'POLICY_REFUSED',
    'The ledger of this population counts another measure than the policy of this worker: ρ, once it is counted, is counted for good. Take the newest policy.',
  );
}

/** One refusal per release and cause is enough: a retry adds none. */
function refuseDraft(entries: readonly LedgerEntry[], release: string): LedgerDraft | null {
  const code = 'BUDGET_EXCEEDED';
  if (entries.some((entry) => entry.kind === 'refuse' && entry.release === release && entry.code === code)) return null;
  return { kind: 'refuse', release, code, subject: 'releaseWorkflow', reason: 'over-cap' };
}
