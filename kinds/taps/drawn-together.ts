import type { Unit } from '../../contracts/certificate.ts';
import type { Partition } from '../../contracts/names.ts';
import { UNITS } from '../../counts/certificate/units.ts';

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
  const window = modes.flatMap((part) => days.map((day) => ({ part, day })));
  return window.filter((one) => partitions.some((other) => shareTaps(privacy.unit, one, other)));
}

/** Can one unit have taps in both partitions that are chosen together? */
function shareTaps(unit: Unit, a: Partition, b: Partition): boolean {
  switch (UNITS[unit].cardScope) {
    case null:
      return a.day === b.day && a.part === b.part;
    case 'day':
      return a.day === b.day;
    case 'window':
      return true;
  }
}
