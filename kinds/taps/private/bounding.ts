import { join } from 'node:path';
import type { Run } from '../../../contracts/stages.ts';
import { leftOutOfUnit, tapsOfUnit } from '../../../counts/certificate/l1-change.ts';
import { UNITS } from '../../../counts/certificate/units.ts';
import type { DatabaseLimits } from '../../../services/sql/duckdb.ts';
import { sha256 } from '../../../services/stores/json-objects.ts';
import type { TapsSeries } from '../series.ts';
import type { CardBound } from './card-taps.ts';
import type { CountMemory } from './counted-cells.ts';

/** Rows that are looked at together to one MiB of DuckDB's memory, which is idle then: each takes some 64 bytes. */
const ROWS_PER_MIB = 4000;

/** Rows of each of 256 parts that are in memory, of 24 bytes each: 24 MiB. */
const BLOCK_ROWS = 4096;

/** Cells that are counted at once to one MiB: for each there are two counts, of 4 bytes, which is an eighth of it. */
const CELLS_PER_MIB = 2 ** 16;

/** How many counts may be in memory, and where taps are put aside when there are more. */
export const countMemory = ({ folder, memoryMiB }: DatabaseLimits): CountMemory => ({
  path: join(folder, 'cells'),
  cellsAtOnce: memoryMiB * CELLS_PER_MIB,
  blockRows: BLOCK_ROWS,
});

/**
 * How the taps of each card are bounded in a release; null when the unit is no card. Throws CERTIFICATE_IMPOSSIBLE
 * when the series names no maxTaps.
 *
 * Every fixed key keeps the bound. This one depends on the series and the window alone: with the same location lists a
 * retry, a later round and a correction count the same taps of a card whose rows have not changed.
 *
 * @contract C2
 */
export function cardBound(
  { privacy }: Pick<TapsSeries, 'privacy'>,
  run: Run,
  limits: DatabaseLimits,
): CardBound | null {
  const { cardScope } = UNITS[privacy.unit];
  if (cardScope === null) return null;
  return {
    key: sha256(`opaline-card-taps/1 ${run.series} ${run.window}`).slice(0, 32),
    maxTaps: tapsOfUnit(privacy),
    place: privacy.place ?? null,
    clamp: leftOutOfUnit(privacy) ?? 0,
    scope: cardScope,
    folder: limits.folder,
    rowsAtOnce: limits.memoryMiB * ROWS_PER_MIB,
    memory: countMemory(limits),
  };
}
