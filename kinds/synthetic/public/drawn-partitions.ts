import { OpalineError } from '../../../contracts/errors.ts';
import { partitionPath } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import type { PublicContext } from '../../../services/release/public-context.ts';
import { readDrawnTables } from '../../drawn-tables.ts';
import { roundAmounts } from '../mechanism/synthetic-privacy.ts';
import { syntheticPrivacy } from '../plan.ts';
import type { SyntheticSeries } from '../series.ts';
import { amountTexts, syntheticTableSchema } from '../synthetic-table.ts';
import { byDayAndPart, type DrawnPartition } from '../tables.ts';

/**
 * What was drawn for each partition of the release, in order. Throws VERIFICATION_FAILED when a stored table is not
 * the one that was drawn (C11), and CERTIFICATE_IMPOSSIBLE when it was drawn with other amounts or rounds than are
 * certified.
 *
 * @contract C10
 * @contract C11
 */
export async function readDraws(
  { releaseStore }: PublicContext,
  input: DeriveInput,
  series: SyntheticSeries,
): Promise<DrawnPartition[]> {
  const amounts = canonicalJson(amountTexts(roundAmounts(syntheticPrivacy(series))));
  const tables = await readDrawnTables(releaseStore, input, syntheticTableSchema);
  const draws = tables.map(({ part, day, ...table }): DrawnPartition => {
    if (canonicalJson(table.amounts) !== amounts || table.measurements.length !== series.rounds)
      throw new OpalineError(
        'CERTIFICATE_IMPOSSIBLE',
        `${partitionPath({ part, day })} was drawn with other noise or rounds than the series asks for.`,
      );
    return { part, day, rows: table.rows, measurements: table.measurements };
  });
  return draws.sort(byDayAndPart);
}
