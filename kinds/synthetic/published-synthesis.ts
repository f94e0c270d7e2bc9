import { FILES } from '../../contracts/names.ts';
import { fileOf, formOf, type ReleaseFiles } from '../../services/publication/staged-files.ts';
import { certificateSchema } from './certified-rows.ts';
import { syntheticPrivacySchema } from './privacy-file.ts';
import { MEASUREMENTS, parseMeasurements, weightsTable } from './tables.ts';

/** Reads the files of a release, the tables as they are. Throws when one is missing or not of its form. */
export function readPublishedSynthesis(files: ReleaseFiles) {
  const table = (name: string, form: 'csv' | 'parquet'): Buffer => fileOf(files, FILES.table(name, form));
  const privacy = formOf(files, FILES.privacy, syntheticPrivacySchema);
  const measurements = table(MEASUREMENTS.name, 'csv');
  const weights = weightsTable(privacy.domain).name;
  return {
    table: table(weights, 'csv'),
    parquet: table(weights, 'parquet'),
    measurements,
    measurementsParquet: table(MEASUREMENTS.name, 'parquet'),
    drawn: parseMeasurements(measurements.toString('utf8')),
    privacy,
    certificate: formOf(files, FILES.certificate, certificateSchema),
  };
}

export type PublishedSynthesis = ReturnType<typeof readPublishedSynthesis>;
