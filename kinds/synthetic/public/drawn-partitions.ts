import { OpalineError } from '../../../contracts/errors.ts';
import { partitionPath, RELEASE_KEYS } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import type { PublicContext } from '../../../services/release/public-context.ts';
import { readBytes, sha256 } from '../../../services/stores/json-objects.ts';
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
export async function drawnPartitions(
  { releaseStore }: PublicContext,
  input: DeriveInput,
  series: SyntheticSeries,
): Promise<DrawnPartition[]> {
  const certified = canonicalJson(amountTexts(roundAmounts(syntheticPrivacy(series))));
  const drawn: DrawnPartition[] = [];
  for (const { partition, digest } of input.draws) {
    const { part, day } = partition;
    const bytes = await readBytes(releaseStore, RELEASE_KEYS.privatized(input, partition));
    const table = sha256(bytes) === digest ? syntheticTableSchema.parse(JSON.parse(bytes.toString('utf8'))) : null;
    if (table?.part !== part || table.day !== day)
      throw new OpalineError(
        'VERIFICATION_FAILED',
        `The stored measurements of ${partitionPath(partition)} are not those that were drawn; find out who wrote them.`,
      );
    if (canonicalJson(table.amounts) !== certified || table.measurements.length !== series.rounds)
      throw new OpalineError(
        'CERTIFICATE_IMPOSSIBLE',
        `${partitionPath(partition)} was drawn with other noise or rounds than the series asks for.`,
      );
    drawn.push({ part, day, transcript: { rows: table.rows, measurements: table.measurements } });
  }
  return drawn.sort(byDayAndPart);
}
