import type { DrawScope } from '../../contracts/kind.ts';
import type { Partition } from '../../contracts/names.ts';

/**
 * The given partitions of a window with all that are drawn together with them, in the order of the parts, then of the
 * days: which rows of a unit are counted depends on all of them in its scope.
 *
 * @contract C2
 */
export function expandToScope(
  { parts, scope }: { parts: readonly string[]; scope: DrawScope },
  days: readonly string[],
  partitions: readonly Partition[],
): Partition[] {
  const window = parts.flatMap((part) => days.map((day) => ({ part, day })));
  return window.filter((one) => partitions.some((other) => shareUnits(scope, one, other)));
}

/** Can one unit be in both partitions? */
function shareUnits(scope: DrawScope, a: Partition, b: Partition): boolean {
  switch (scope) {
    case 'partition':
      return a.day === b.day && a.part === b.part;
    case 'day':
      return a.day === b.day;
    case 'window':
      return true;
  }
}
