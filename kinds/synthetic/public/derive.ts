import type { Correction, DeriveInput } from '../../../contracts/stages.ts';
import { correctionStatements } from '../../../counts/certificate/statements.ts';
import { formatParquetTable } from '../../../services/publication/parquet-of-csv.ts';
import type { PublicContext, StagedFile } from '../../../services/release/context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { SYNTHETIC_FILES, type SynthesisTable } from '../files.ts';
import type { SyntheticCertificate } from '../mechanism/certified-rows.ts';
import { certificateOfSynthesis } from '../plan.ts';
import { syntheticPrivacyFile } from '../privacy-file.ts';
import { publicAttributes } from '../public-attributes.ts';
import type { SyntheticSeries } from '../series.ts';
import { formatMeasurements, formatTable, MEASUREMENT_COLUMNS, tableColumns } from '../table-csv.ts';
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
  const table = formatTable(privacy, drawn);
  const measurements = formatMeasurements(privacy, drawn);
  return {
    table: [
      [SYNTHETIC_FILES.table, table],
      [SYNTHETIC_FILES.parquet, await formatParquetTable(context.scratch, tableColumns(privacy), table)],
    ],
    measurements: [
      [SYNTHETIC_FILES.measurements, measurements],
      [
        SYNTHETIC_FILES.measurementsParquet,
        await formatParquetTable(context.scratch, MEASUREMENT_COLUMNS, measurements),
      ],
    ],
    privacy: [[SYNTHETIC_FILES.privacy, jsonBytes(privacy)]],
    certificate: [[SYNTHETIC_FILES.certificate, jsonBytes(synthesisCertificate(series, input.correction))]],
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
