import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import type { SeriesKind } from '../../contracts/kind.ts';
import type { Partition } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { type Caps, type Charge, smallerCaps } from '../../core/ledger/budget.ts';

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
  const cost = kind.cost(series, rules?.neighbours ?? kind.terms(series).neighbours);
  const blocks = kind.blocks(series, days, partitions).map(({ part, day }) => ({ part, day, ...cost }));
  return { blocks, caps: rules ? smallerCaps(rules.caps, caps) : caps };
}

/** The rules that a ledger names last; null where it names none. */
export const rulesOf = (entries: readonly LedgerEntry[]): ChargeRules | null =>
  entries.findLast((entry) => entry.kind === 'policy') ?? null;
