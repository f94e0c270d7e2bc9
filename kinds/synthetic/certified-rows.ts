import { z } from 'zod';
import { chosenOn, NEIGHBOURS } from '../../contracts/certificate.ts';

/** What one source row stands for. */
export const SYNTHETIC_UNITS = ['tap', 'trip'] as const;
export type SyntheticUnit = (typeof SYNTHETIC_UNITS)[number];

const amount = z
  .string()
  .max(400)
  .regex(/^(0|[1-9]\d*)(\/[1-9]\d*)?$/);

/** The public parameters that series file, certificate and privacy.json have. */
export const rowParameters = {
  unit: z.enum(SYNTHETIC_UNITS),
  neighbours: z.enum(NEIGHBOURS),
  /** Confidential data that parameters were chosen on, without a charge (C17). */
  chosenOn: chosenOn.optional(),
};

/** What is certified of a release of synthetic data, for one source row (C1): nothing missing, nothing unknown. */
export const certificateSchema = z.strictObject({
  format: z.literal('opaline-synthetic-certificate/1'),
  mechanism: z.literal('mwem'),
  ...rowParameters,
  epsilon: amount,
  delta: z.literal('0'),
  partitions: z.int(),
  /** What one partition loses at most with a row more or less. */
  partition: z.strictObject({ epsilon: amount }),
  /** The noisy number of rows of a partition; null where that number is public. */
  rows: z.strictObject({ epsilon: amount, scale: amount }).nullable(),
  rounds: z.int(),
  /** Of one round. */
  selection: z.strictObject({ epsilon: amount }),
  measurement: z.strictObject({ epsilon: amount, scale: amount }),
  rechecked: z.array(z.string()),
  assumptions: z.array(z.string()),
});

export type SyntheticCertificate = z.output<typeof certificateSchema>;
