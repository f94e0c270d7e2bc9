import { correctionStatements } from '../../../contracts/certificate-statements.ts';
import { FILES } from '../../../contracts/names.ts';
import type { Correction, DeriveInput } from '../../../contracts/stages.ts';
import { writeForms } from '../../../services/publication/table-parquet.ts';
import type { PublicContext, StagedFile } from '../../../services/release/public-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import type { SyntheticCertificate } from '../certified-rows.ts';
import { certificateOfSynthesis } from '../plan.ts';
import { syntheticPrivacyFile } from '../privacy-file.ts';
import { publicAttributes } from '../public-attributes.ts';
import type { SyntheticSeries } from '../series.ts';
import { MEASUREMENTS, measurementColumns, type SynthesisTable, weightColumns, weightsTable } from '../tables.ts';
import { drawnPartitions } from './drawn-partitions.ts';

/**
 * The table and the measurements that it follows from, each as CSV and Parquet, the privacy parameters, and the
 * certificate.
 */
export async function deriveSynthesis(
  context: PublicContext,
  input: DeriveInput,
  series: SyntheticSeries,
): Promise<Record<SynthesisTable, StagedFile[]>> {
  const drawn = await drawnPartitions(context, input, series);
  const attributes = await publicAttributes(context.releaseStore, series);
  const privacy = syntheticPrivacyFile(series, attributes, input, input.holes);
  const { scratch } = context;
  return {
    table: await writeForms(scratch, weightsTable(privacy.domain), weightColumns(privacy, drawn)),
    measurements: await writeForms(scratch, MEASUREMENTS, measurementColumns(privacy, drawn)),
    privacy: [[FILES.privacy, jsonBytes(privacy)]],
    certificate: [[FILES.certificate, jsonBytes(synthesisCertificate(series, input.correction))]],
  };
}

/**
 * The certificate of a release. One that corrects an earlier version says so among its assumptions (C13).
 *
 * @contract C13
 */
export function synthesisCertificate(series: SyntheticSeries, correction: Correction | null): SyntheticCertificate {
  const certificate = certificateOfSynthesis(series);
  return { ...certificate, assumptions: [...certificate.assumptions, ...correctionStatements(correction)] };
}
