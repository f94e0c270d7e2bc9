import { z } from 'zod';
import { MECHANISM_NAMES, NEIGHBOURS, PUBLISHED_TAPS, UNIT_NAMES } from './certificate.ts';

/** Exact amounts: `8` or `36/5`. */
const amount = z
  .string()
  .max(2000)
  .regex(/^(0|[1-9]\d*)(\/[1-9]\d*)?$/, 'is not a whole number or a fraction');
/** Bounds: decimals of at most 20 significant digits. */
const bound = z
  .string()
  .max(32)
  .regex(/^\d+(\.\d+)?(e[+-]\d{1,3})?$/, 'is not a decimal number');

/** The shape of a certificate: nothing missing, nothing unknown. */
export const certificateShape = z.strictObject({
  format: z.literal('opaline-certificate/1'),
  mechanism: z.enum(MECHANISM_NAMES),
  unit: z.enum(UNIT_NAMES),
  maxTaps: z.number().int().min(1).max(10_000).optional(),
  neighbours: z.enum(NEIGHBOURS),
  publish: z.enum(PUBLISHED_TAPS),
  epsilon: amount,
  delta: amount,
  split: z.strictObject({
    cells: amount,
    time: amount.optional(),
    location: amount.optional(),
    checks: amount.optional(),
  }),
  d1: z.number().int().positive(),
  scale: amount,
  marginScales: z.strictObject({ time: amount.optional(), location: amount.optional() }),
  threshold: z.number().int().positive().nullable(),
  alphaLower: bound,
  alphaUpper: bound,
  deltaUpper: bound,
  deltaLower: bound,
  worstPattern: z.array(z.number().int().positive()),
  rechecked: z.array(z.string()),
  assumptions: z.array(z.string()),
});

export type ShapedCertificate = z.infer<typeof certificateShape>;
