import { countInterference } from '../../../counts/audit/mechanism/interference.ts';
import { countShadow } from '../../../counts/audit/mechanism/shadow-counts.ts';
import { shadowTables } from '../../../counts/audit/mechanism/shadow-layout.ts';
import type { ShadowCounts } from '../../../counts/audit/mechanism/tallies.ts';
import { columnsOf, placeCounts } from '../../../counts/mechanisms/cell-counts.ts';
import { noiseInPlace } from '../../../counts/mechanisms/noise.ts';
import { drawTableWith } from '../../../counts/mechanisms/privatize.ts';
import { orderedDomain } from '../../../counts/mechanisms/public-domain.ts';
import type { ShadowWorld } from '../../../custodian/context.ts';
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
  const answers = drawn.map((bytes) => privatizedTableSchema.parse(JSON.parse(`${bytes}`)));
  const interference = countInterference(
    certificate,
    world.context.random,
    (noise, partition, counts, given, leftOut) => {
      const domain = orderedDomain(given);
      const placed = placeCounts(columnsOf(counts), domain);
      return drawTableWith(noiseInPlace(noise, domain), partition, placed, domain, certificate, leftOut);
    },
  );
  return { ...countShadow(certificate, tables, answers), interference };
}
