import { withCorrection } from '../../../contracts/certificate-statements.ts';
import { OpalineError } from '../../../contracts/errors.ts';
import { FILES, partitionPath } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { writeForms } from '../../../services/publication/table-parquet.ts';
import type { PublicContext, PublicKind, StagedFile } from '../../../services/release/public-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { readDrawnTables } from '../../drawn-tables.ts';
import { roundAmounts } from '../mechanism/synthetic-privacy.ts';
import { syntheticPrivacyFile } from '../privacy-file.ts';
import { publicAttributes } from '../public-attributes.ts';
import { type SyntheticSeries, syntheticSeries } from '../series.ts';
import { certificateOfSynthesis, syntheticPrivacy } from '../synthesis-plan.ts';
import { amountTexts, syntheticTableSchema } from '../synthetic-table.ts';
import {
  byDayAndPart,
  type DrawnPartition,
  MEASUREMENTS,
  measurementColumns,
  type SynthesisTable,
  weightColumns,
  weightsTable,
} from '../tables.ts';

/**
 * The table and the measurements that it follows from, each as CSV and Parquet, the privacy parameters, and the
 * certificate.
 */
export const deriveSynthesis: PublicKind['derive'] = async (context, input, document) => {
  const { drawn, privacy, certificate } = await synthesisRelease(context, input, syntheticSeries(document));
  const { scratch } = context;
  return {
    table: await writeForms(scratch, weightsTable(privacy.domain), weightColumns(privacy, drawn)),
    measurements: await writeForms(scratch, MEASUREMENTS, measurementColumns(privacy, drawn)),
    privacy: [[FILES.privacy, jsonBytes(privacy)]],
    certificate: [[FILES.certificate, jsonBytes(certificate)]],
  } satisfies Record<SynthesisTable, StagedFile[]>;
};

/** What a release says: all that was drawn, in order, its public parameters, and its certificate. */
export async function synthesisRelease(context: PublicContext, input: DeriveInput, series: SyntheticSeries) {
  const draws = await readDraws(context, input, series);
  const attributes = await publicAttributes(context.releaseStore, series);
  const certificate = withCorrection(certificateOfSynthesis(series), input.correction);
  return { drawn: draws, privacy: syntheticPrivacyFile(series, attributes, input), certificate };
}

/**
 * What was drawn for each partition of the release, in order. Throws VERIFICATION_FAILED when a stored table is not
 * the one that was drawn (C11), and CERTIFICATE_IMPOSSIBLE when it was drawn with other amounts or rounds than are
 * certified.
 *
 * @contract C10
 * @contract C11
 */
async function readDraws(
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
