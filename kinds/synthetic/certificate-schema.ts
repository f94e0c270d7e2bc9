import { z } from 'zod';
import { chosenOn, NEIGHBOURS } from '../../contracts/certificate.ts';
import { SYNTHETIC_UNITS, type SyntheticCertificate } from './mechanism/certified-rows.ts';

const amount = z
  .string()
  .max(400)
  .regex(/^(0|[1-9]\d*)(\/[1-9]\d*)?$/);

/** The shape of a certificate of synthetic data: nothing missing, nothing unknown. */
export const certificateSchema: z.ZodType<SyntheticCertificate> = z.strictObject({
  format: z.literal('opaline-synthetic-certificate/1'),
  mechanism: z.literal('mwem'),
  unit: z.enum(SYNTHETIC_UNITS),
  neighbours: z.enum(NEIGHBOURS),
  epsilon: amount,
  delta: z.literal('0'),
  chosenOn: chosenOn.optional(),
  partitions: z.int(),
  partition: z.strictObject({ epsilon: amount }),
  rows: z.strictObject({ epsilon: amount, scale: amount }).nullable(),
  rounds: z.int(),
  selection: z.strictObject({ epsilon: amount }),
  measurement: z.strictObject({ epsilon: amount, scale: amount }),
  rechecked: z.array(z.string()),
  assumptions: z.array(z.string()),
}) as z.ZodType<SyntheticCertificate>;
