import { fileOf, type ReleaseFiles } from '../../services/publication/staged-files.ts';
import { SYNTHETIC_FILES } from './files.ts';
import type { SyntheticCertificate } from './mechanism/certified-rows.ts';
import { certificateSchema } from './mechanism/certified-rows.ts';
import { type SyntheticPrivacyFile, syntheticPrivacySchema } from './privacy-file.ts';
import { type DrawnPartition, parseMeasurements } from './table-csv.ts';

/** The files of a release of synthetic data, read; the tables as they are. */
export type PublishedSynthesis = {
  table: Buffer;
  parquet: Buffer;
  measurements: Buffer;
  measurementsParquet: Buffer;
  drawn: DrawnPartition[];
  privacy: SyntheticPrivacyFile;
  certificate: SyntheticCertificate;
};

/** Reads the files of a release. Throws when one is missing or not of its form. */
export function readPublishedSynthesis(files: ReleaseFiles): PublishedSynthesis {
  const json = (name: string): unknown => JSON.parse(fileOf(files, name).toString('utf8'));
  const measurements = fileOf(files, SYNTHETIC_FILES.measurements);
  return {
    table: fileOf(files, SYNTHETIC_FILES.table),
    parquet: fileOf(files, SYNTHETIC_FILES.parquet),
    measurements,
    measurementsParquet: fileOf(files, SYNTHETIC_FILES.measurementsParquet),
    drawn: parseMeasurements(measurements.toString('utf8')),
    privacy: syntheticPrivacySchema.parse(json(SYNTHETIC_FILES.privacy)),
    certificate: certificateSchema.parse(json(SYNTHETIC_FILES.certificate)),
  };
}
