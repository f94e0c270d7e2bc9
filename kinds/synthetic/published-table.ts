import { FILES } from '../../contracts/names.ts';
import { fileOf, type ReleaseFiles } from '../../services/publication/staged-files.ts';
import { certificateSchema } from './certified-rows.ts';
import { syntheticPrivacySchema } from './privacy-file.ts';
import { MEASUREMENTS, parseMeasurements, weightsTable } from './tables.ts';

/** Reads the files of a release, the tables as they are. Throws when one is missing or not of its form. */
export function readPublishedSynthesis(files: ReleaseFiles) {
  const json = (name: string): unknown => JSON.parse(fileOf(files, name).toString('utf8'));
  const table = (name: string, form: 'csv' | 'parquet'): Buffer => fileOf(files, FILES.table(name, form));
  const privacy = syntheticPrivacySchema.parse(json(FILES.privacy));
  const measurements = table(MEASUREMENTS.name, 'csv');
  const weights = weightsTable(privacy.domain).name;
  return {
    table: table(weights, 'csv'),
    parquet: table(weights, 'parquet'),
    measurements,
    measurementsParquet: table(MEASUREMENTS.name, 'parquet'),
    drawn: parseMeasurements(measurements.toString('utf8')),
    privacy,
    certificate: certificateSchema.parse(json(FILES.certificate)),
  };
}

export type PublishedSynthesis = ReturnType<typeof readPublishedSynthesis>;
