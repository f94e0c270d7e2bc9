import type { Certificate } from '../../contracts/certificate.ts';
import type { Partition } from '../../contracts/names.ts';
import { countShadow } from '../../counts/audit/mechanism/shadow-counts.ts';
import { type ShadowTable, shadowTables } from '../../counts/audit/mechanism/shadow-layout.ts';
import type { ShadowCounts } from '../../counts/audit/mechanism/shadow-tallies.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { PublicDomain } from '../../counts/mechanisms/public-domain.ts';
import { PRIVATIZED_TABLE_FORMAT } from '../../counts/tables/columns.ts';
import { type TableRows, tableOfRows } from './table-of-rows.ts';

/**
 * A mechanism under test, without the activity around it. It learns which version of which window it draws, and what
 * was left out.
 */
export type ShadowMechanism = (
  partition: Partition & Pick<ShadowTable, 'window' | 'version' | 'leftOut'>,
  counts: readonly CellCount[],
  domain: PublicDomain,
) => JudgedRows;

/** Rows that are judged. */
export type JudgedRows = Pick<TableRows, 'cells' | 'margins' | 'leftOut'>;

const NO_TABLE = { format: PRIVATIZED_TABLE_FORMAT, part: '', day: '', hours: null, remainder: null } as const;

/** Noise is handed in elsewhere (interference.test.ts). */
const NOT_COMPARED = { events: 0, runs: 0 };

/** What a mechanism does to this number of made-up tables; production draws all. */
export function runShadow(certificate: Certificate, mechanism: ShadowMechanism, tables?: number): ShadowCounts {
  const asked = shadowTables(certificate, tables);
  const answers = asked.map(({ partition, window, version, leftOut, cells, domain }) => {
    const { margins, ...rows } = mechanism(
      { ...partition, window, version, leftOut },
      cells.filter(([, , , count]) => count > 0),
      domain,
    );
    return tableOfRows({ ...NO_TABLE, ...rows, margins });
  });
  return { ...countShadow(certificate, asked, answers), interference: NOT_COMPARED };
}
