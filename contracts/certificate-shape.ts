import { z } from 'zod';
import {
  CERTIFICATE_FORMAT,
  MECHANISM_NAMES,
  NEIGHBOURS,
  PUBLISHED_TAPS,
  SOURCE_ROWS,
  UNIT_NAMES,
} from './certificate.ts';

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

const chance = z.strictObject({ lower: bound, upper: bound });
const shownChance = z.strictObject({ lone: chance, empty: chance });

/** Data that parameters were chosen on, in a few words for a sentence: `this week`. */
export const chosenOn = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s.]$/u,
    'is one line of plain text without a full stop',
  );

/** The most rejected taps of a part and day. */
export const rejectLimit = z.number().int().min(0).max(1_000_000_000);

/** The shape of a certificate: nothing missing, nothing unknown. */
export const certificateShape = z.strictObject({
  format: z.literal(CERTIFICATE_FORMAT),
  mechanism: z.enum(MECHANISM_NAMES),
  unit: z.enum(UNIT_NAMES),
  maxTaps: z.number().int().min(1).max(10_000).optional(),
  clamp: z.number().int().min(1).max(10_000).optional(),
  rejects: z.record(z.string().max(200), rejectLimit).optional(),
  neighbours: z.enum(NEIGHBOURS),
  publish: z.enum(PUBLISHED_TAPS),
  rows: z.enum(SOURCE_ROWS).optional(),
  epsilon: amount,
  delta: amount,
  split: z.strictObject({
    cells: amount,
    time: amount.optional(),
    location: amount.optional(),
    bounded: amount.optional(),
    checks: amount.optional(),
  }),
  floor: z.number().int().min(2).optional(),
  hours: z.strictObject({ floor: z.number().int().min(2), bins: z.number().int().min(2).max(12) }).optional(),
  chosenOn: chosenOn.optional(),
  d1: z.number().int().positive(),
  scale: amount,
  marginScales: z.strictObject({ time: amount.optional(), location: amount.optional() }),
  leftOutScale: amount.optional(),
  threshold: z.number().int().positive().nullable(),
  alphaLower: bound,
  alphaUpper: bound,
  deltaUpper: bound,
  deltaLower: bound,
  shown: z.strictObject({ cell: shownChance, hour: shownChance.optional() }).optional(),
  worstPattern: z.array(z.number().int().positive()),
  rechecked: z.array(z.string()),
  assumptions: z.array(z.string()),
});

export type ShapedCertificate = z.infer<typeof certificateShape>;
