import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import type { PopulationPolicy } from '../../contracts/formats/policy.ts';
import type { DrawScope, ReleaseCost, SeriesKind } from '../../contracts/kind.ts';
import type { Partition } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { type Accounting, accountingOf, type ChargedText } from '../../core/accounting/charged-amount.ts';
import { type Caps, type Charge, EVERY_PART, smallerCaps } from '../../core/ledger/budget.ts';

/** What a population says of every charge: its neighbour relation, and its caps; null: they are not known. */
export type ChargeRules = { neighbours: string; caps: Caps | null };

/**
 * What a release charges for partitions that it draws, and the caps that it is held against: of its population and its
 * series the smaller ones. Null rules are not known: then the series speaks for itself. Throws POLICY_REFUSED for a
 * release that its population does not count.
 *
 * @contract C12
 */
export function chargeOf(
  kind: SeriesKind,
  series: Series,
  days: readonly string[],
  partitions: readonly Partition[],
  rules: ChargeRules | null,
): Charge & { blocks: (Partition & ChargedText)[] } {
  const { caps, delta } = series.privacy;
  const { neighbours, scope } = kind.terms(series);
  const common: Caps = rules?.caps ?? ('rho' in caps.block ? ({ ...caps, delta } as Caps) : (caps as Caps));
  const accounting = accountingOf(common.block);
  if (accounting !== accountingOf(caps.block))
    throw new OpalineError(
      'POLICY_REFUSED',
      `The population ${series.population} counts ${accounting === 'rho' ? 'ρ' : 'ε and δ'}; write privacy.caps of the series in ${accounting === 'rho' ? 'rho' : 'epsilon and delta'}.`,
    );
  const cost = costIn(accounting, kind.cost(series, rules?.neighbours ?? neighbours));
  const blocks = blocksOf(scope, days, partitions).map(({ part, day }) => ({ part, day, ...cost }));
  return { blocks, caps: smallerCaps(common, caps) };
}

/** What a release costs as its population accounts. Throws POLICY_REFUSED where no ρ is known. */
export function costIn(accounting: Accounting, { epsilon, delta, rho }: ReleaseCost): ChargedText {
  if (accounting === 'pure') return { epsilon, delta };
  if (rho !== null) return { rho };
  throw new OpalineError(
    'POLICY_REFUSED',
    'The population counts ρ, which is known of complete-domain and discrete-gaussian alone; take one of them.',
  );
}

/** The blocks on which a charge for these partitions falls (C12): the part `all` where a unit may be in all parts. */
function blocksOf(scope: DrawScope, days: readonly string[], partitions: readonly Partition[]): Partition[] {
  if (scope === 'partition') return [...partitions];
  const chargeDays = scope === 'window' ? days : new Set(partitions.map(({ day }) => day));
  return [...chargeDays].map((day) => ({ part: EVERY_PART, day }));
}

/** The same of a policy. */
export const rulesOfPolicy = ({ neighbours, caps, release }: PopulationPolicy) => ({
  neighbours,
  caps: 'rho' in caps.block ? ({ ...caps, delta: release.delta } as Caps) : (caps as Caps),
});

/**
 * The rules that a ledger names last; null where it names none. Of a population that is about to count ρ, as a series
 * does already, the caps are not known.
 */
export function rulesOf(entries: readonly LedgerEntry[], { privacy }: Series): ChargeRules | null {
  const rules = entries.findLast((entry) => entry.kind === 'policy');
  if (!rules) return null;
  const { neighbours, caps } = rules;
  return { neighbours, caps: accountingOf(caps.block) === 'pure' && 'rho' in privacy.caps.block ? null : caps };
}
