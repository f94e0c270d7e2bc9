import type { ShadowWorld } from '../../../activities/private/context.ts';
import type { JudgedRows } from '../../../core/audit/mechanism/drawn-table.ts';
import { countInterference } from '../../../core/audit/mechanism/interference.ts';
import { countShadow } from '../../../core/audit/mechanism/shadow-counts.ts';
import { shadowTables } from '../../../core/audit/mechanism/shadow-layout.ts';
import type { ShadowCounts } from '../../../core/audit/mechanism/tallies.ts';
import { columnsOf, placeCounts } from '../../../core/mechanisms/cell-counts.ts';
import { noiseInPlace } from '../../../core/mechanisms/noise.ts';
import { drawTableWith } from '../../../core/mechanisms/privatize.ts';
import { orderedDomain } from '../../../core/mechanisms/public-domain.ts';
import { rowsOfTable } from '../../../core/privatized-table/rows.ts';
import { certificateOf } from '../certificate.ts';
import { privatizedTableSchema } from '../privatized-table.ts';
import type { TapsSeries } from '../series.ts';
import { drawMadeUp } from './made-up-partitions.ts';

/**
 * Sends made-up counts through the activity that draws every release of taps, in a deployment that nobody else sees, and
 * tells what it stored; then draws some with noise that is handed in. Cost: 60 charges and 480 draws of 64 cells, about a
 * second.
 *
 * @contract C15
 */
export async function shadowOfTaps(world: ShadowWorld, series: TapsSeries): Promise<ShadowCounts> {
  const certificate = certificateOf(series);
  const tables = shadowTables(certificate);
  const drawn = await drawMadeUp(world, series, tables);
  const rows = drawn.map((bytes): JudgedRows => rowsOfTable(privatizedTableSchema.parse(JSON.parse(`${bytes}`))));
  const interference = countInterference(
    certificate,
    world.context.random,
    (noise, partition, counts, given, leftOut) => {
      const domain = orderedDomain(given);
      const placed = placeCounts(columnsOf(counts), domain);
      return drawTableWith(noiseInPlace(noise, domain), partition, placed, domain, certificate, leftOut);
    },
  );
  return { ...countShadow(certificate, tables, rows), interference };
}
