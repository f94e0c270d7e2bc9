import { z } from 'zod';
import { chosenOn, NEIGHBOURS } from '../../contracts/certificate.ts';

/** What one source row stands for. */
export const SYNTHETIC_UNITS = ['tap', 'trip'] as const;
export type SyntheticUnit = (typeof SYNTHETIC_UNITS)[number];

const amount = z
  .string()
  .max(400)
  .regex(/^(0|[1-9]\d*)(\/[1-9]\d*)?$/);

/** What is certified of a release of synthetic data, for one source row (C1): nothing missing, nothing unknown. */
export const certificateSchema = z.strictObject({
  format: z.literal('opaline-synthetic-certificate/1'),
  mechanism: z.literal('mwem'),
  unit: z.enum(SYNTHETIC_UNITS),
  neighbours: z.enum(NEIGHBOURS),
  epsilon: amount,
  delta: z.literal('0'),
  /** Confidential data that parameters were chosen on, without a charge (C17). */
  chosenOn: chosenOn.optional(),
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
