import type { Neighbours } from '../../../contracts/certificate.ts';

/** What one source row stands for. */
export const SYNTHETIC_UNITS = ['tap', 'trip'] as const;
export type SyntheticUnit = (typeof SYNTHETIC_UNITS)[number];

/** What is certified of a release of synthetic data, for one source row (C1). Amounts are exact; δ is 0. */
export type SyntheticCertificate = {
  format: 'opaline-synthetic-certificate/1';
  mechanism: 'mwem';
  unit: SyntheticUnit;
  neighbours: Neighbours;
  epsilon: string;
  delta: '0';
  /** Confidential data that parameters were chosen on, without a charge (C17). */
  chosenOn?: string;
  partitions: number;
  /** What one partition loses at most with a row more or less. */
  partition: { epsilon: string };
  /** The noisy number of rows of a partition; null where that number is public. */
  rows: { epsilon: string; scale: string } | null;
  rounds: number;
  /** Of one round. */
  selection: { epsilon: string };
  measurement: { epsilon: string; scale: string };
  rechecked: string[];
  assumptions: string[];
};
