import { withCorrection } from '../../../contracts/certificate-statements.ts';
import { FILES } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { writeForms } from '../../../services/publication/table-parquet.ts';
import type { PublicContext, PublicKind, StagedFile } from '../../../services/release/public-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { certificateOfSynthesis } from '../plan.ts';
import { syntheticPrivacyFile } from '../privacy-file.ts';
import { publicAttributes } from '../public-attributes.ts';
import { type SyntheticSeries, syntheticSeries } from '../series.ts';
import { MEASUREMENTS, measurementColumns, type SynthesisTable, weightColumns, weightsTable } from '../tables.ts';
import { readDraws } from './drawn-partitions.ts';

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
