import type { DatabaseLimits } from '../../../activities/sql/duckdb.ts';
import { sha256 } from '../../../activities/stores/json-objects.ts';
import type { Run } from '../../../contracts/stages.ts';
import { leftOutOfUnit, tapsOfUnit } from '../../../core/certificate/l1-change.ts';
import { UNITS } from '../../../core/certificate/units.ts';
import type { TapsSeries } from '../series.ts';
import type { CardBound } from './card-taps.ts';

/** Rows of the source to one MiB of DuckDB's memory: 24 bytes each when held, some 150 for both taps when ranked. */
const ROWS_PER_MIB = 2000;

/**
 * How the taps of each card are bounded in a release; null when the unit is no card. Throws CERTIFICATE_IMPOSSIBLE
 * when the series names no maxTaps.
 *
 * Every fixed key keeps the bound. This one depends on the series and the window alone: a retry, a later round and a
 * correction count the same taps of a card whose rows have not changed, so that tables which a correction carries over
 * and those that it redraws are of one choice.
 *
 * @contract C2
 */
export function cardBound(
  { privacy }: Pick<TapsSeries, 'privacy'>,
  run: Run,
  { folder, memoryMiB }: DatabaseLimits,
): CardBound | null {
  const { cardScope } = UNITS[privacy.unit];
  if (cardScope === null) return null;
  return {
    key: sha256(`opaline-card-taps/1 ${run.series} ${run.window}`).slice(0, 32),
    maxTaps: tapsOfUnit(privacy),
    clamp: leftOutOfUnit(privacy) ?? 0,
    scope: cardScope,
    folder,
    rowsInMemory: memoryMiB * ROWS_PER_MIB,
  };
}
