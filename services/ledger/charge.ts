import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import type { DrawScope, SeriesKind } from '../../contracts/kind.ts';
import type { Partition } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { type Caps, type Charge, EVERY_PART, smallerCaps } from '../../core/ledger/budget.ts';

/** What a population says of every charge: its neighbour relation, and its caps. */
export type ChargeRules = { neighbours: string; caps: Caps };

/**
 * What a release charges for partitions that it draws, and the caps that it is held against: of its population and its
 * series the smaller ones. Null rules are not known: then the series speaks for itself.
 *
 * @contract C12
 */
export function chargeOf(
  kind: SeriesKind,
  series: Series,
  days: readonly string[],
  partitions: readonly Partition[],
  rules: ChargeRules | null,
): Charge & { blocks: { part: string; day: string; epsilon: string; delta: string }[] } {
  const { caps } = series.privacy;
  const { neighbours, scope } = kind.terms(series);
  const cost = kind.cost(series, rules?.neighbours ?? neighbours);
  const blocks = blocksOf(scope, days, partitions).map(({ part, day }) => ({ part, day, ...cost }));
  return { blocks, caps: rules ? smallerCaps(rules.caps, caps) : caps };
}

/** The blocks on which a charge for these partitions falls (C12): the part `all` where a unit may be in all parts. */
function blocksOf(scope: DrawScope, days: readonly string[], partitions: readonly Partition[]): Partition[] {
  if (scope === 'partition') return [...partitions];
  const charged = scope === 'window' ? days : new Set(partitions.map(({ day }) => day));
  return [...charged].map((day) => ({ part: EVERY_PART, day }));
}

/** The rules that a ledger names last; null where it names none. */
export const rulesOf = (entries: readonly LedgerEntry[]): ChargeRules | null =>
  entries.findLast((entry) => entry.kind === 'policy') ?? null;
