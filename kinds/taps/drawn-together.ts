import type { Unit } from '../../contracts/certificate.ts';
import type { Partition } from '../../contracts/names.ts';

/** What decides which partitions share the taps of a unit. */
type Rule = { modes: readonly string[]; privacy: { unit: Unit } };

/**
 * The given partitions of a window with all that are drawn together with them, in the order of the modes, then of the
 * days. Which taps of a card are counted depends on all its taps in the scope of the unit: for `card-day` all modes of
 * a day, for `card-window` the whole window. For the units trip and tap a partition stands alone.
 *
 * @contract C2
 */
export function drawnTogether(
  { modes, privacy }: Rule,
  days: readonly string[],
  partitions: readonly Partition[],
): Partition[] {
  const { unit } = privacy;
  const shares = (a: Partition, b: Partition): boolean =>
    unit === 'card-window' || (a.day === b.day && (unit === 'card-day' || a.part === b.part));
  const window = modes.flatMap((mode) => days.map((day) => ({ part: mode, day })));
  return window.filter((one) => partitions.some((other) => shares(one, other)));
}
