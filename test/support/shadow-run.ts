import type { Certificate } from '../../contracts/certificate.ts';
import type { Partition } from '../../contracts/names.ts';
import type { JudgedRows } from '../../counts/audit/mechanism/drawn-table.ts';
import { countShadow } from '../../counts/audit/mechanism/shadow-counts.ts';
import { type ShadowTable, shadowTables } from '../../counts/audit/mechanism/shadow-layout.ts';
import type { ShadowCounts } from '../../counts/audit/mechanism/tallies.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';

/**
 * A mechanism under test, without the activity around it. It is told which version of which window it draws, and what
 * was left out.
 */
export type ShadowMechanism = (
  partition: Partition & Pick<ShadowTable, 'window' | 'version' | 'leftOut'>,
  counts: readonly CellCount[],
  domain: PublicDomain,
) => JudgedRows;

/** Noise is handed in elsewhere (interference.test.ts). */
const NOT_COMPARED = { events: 0, runs: 0 };

/** What a mechanism does to so many made-up tables; production draws all. */
export function runShadow(certificate: Certificate, mechanism: ShadowMechanism, tables?: number): ShadowCounts {
  const asked = shadowTables(certificate, tables);
  const rows = asked.map(({ partition, window, version, leftOut, cells, domain }) =>
    mechanism(
      { ...partition, window, version, leftOut },
      cells.filter(([, , , count]) => count > 0),
      domain,
    ),
  );
  return { ...countShadow(certificate, asked, rows), interference: NOT_COMPARED };
}
