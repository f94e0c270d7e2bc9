import type { Neighbours } from '../../../contracts/certificate.ts';
import type { RideCounts, RideMechanismName, RunMechanism } from './ride-mechanism.ts';
import type { VehicleModel } from './vehicle-model.ts';

/** Runs of one shape, with what was drawn from, and for a tree D1 of a ride more or less. */
export type CertifiedRuns = RunMechanism & { change?: number };

/** What is certified of all statuses of a release, for one ride: one passenger on one run (C1). Amounts are exact. */
export type RideCertificate = {
  format: 'opaline-ride-certificate/2';
  unit: 'ride';
  mechanism: RideMechanismName;
  neighbours: Neighbours;
  /** What the statuses were drawn from. */
  counts: RideCounts;
  epsilon: string;
  delta: string;
  /** What one run loses at most with a ride more or less. */
  run: { epsilon: string; delta: string };
  vehicles: Record<string, VehicleModel>;
  runs: CertifiedRuns[];
  rechecked: string[];
  assumptions: string[];
};
