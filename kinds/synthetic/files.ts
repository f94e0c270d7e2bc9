import { FILES } from '../../contracts/names.ts';

/** Files of a publication of synthetic data, besides those that every one has. */
export const SYNTHETIC_FILES = {
  table: 'synthetic.csv',
  parquet: 'synthetic.parquet',
  /** What was measured with noise: the table follows from it. */
  measurements: 'measurements.csv',
  measurementsParquet: 'measurements.parquet',
  privacy: FILES.privacy,
  certificate: FILES.certificate,
} as const;

/** What a release of synthetic data is made of, each in one file or several: its audit has a comparison for each. */
export type SynthesisTable = 'table' | 'measurements' | 'privacy' | 'certificate';
