import { z } from 'zod';
import { NEIGHBOURS } from '../../contracts/certificate.ts';
import { RIDE_COUNTS, RIDE_MECHANISM_NAMES } from './mechanism/ride-mechanism.ts';
import { runMechanismSchema } from './occupancy-table.ts';

/** Runs of one shape, with what was drawn from, and for a tree D1 of a ride more or less. */
const certifiedRuns = z.intersection(runMechanismSchema, z.object({ change: z.int().optional() }));
export type CertifiedRuns = z.output<typeof certifiedRuns>;

/** The public parameters of a release, which series file, certificate and privacy.json have. */
export const rideParameters = {
  unit: z.literal('ride'),
  mechanism: z.enum(RIDE_MECHANISM_NAMES),
  neighbours: z.enum(NEIGHBOURS),
  epsilon: z.string(),
  delta: z.string(),
};

/** What is certified of all statuses of a release, for one ride: one passenger on one run (C1). Amounts are exact. */
export const rideCertificateSchema = z.strictObject({
  format: z.literal('opaline-ride-certificate/2'),
  ...rideParameters,
  /** What the statuses were drawn from. */
  counts: z.enum(RIDE_COUNTS),
  /** What one run loses at most with a ride more or less. */
  run: z.strictObject({ epsilon: z.string(), delta: z.string() }),
  vehicles: z.record(
    z.string(),
    z.strictObject({
      categories: z.array(z.string()).readonly(),
      minimumCounts: z.array(z.int()).readonly(),
      maximumCount: z.int(),
    }),
  ),
  runs: z.array(certifiedRuns),
  rechecked: z.array(z.string()),
  assumptions: z.array(z.string()),
});

export type RideCertificate = z.output<typeof rideCertificateSchema>;
