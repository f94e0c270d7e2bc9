import { z } from 'zod';

const amount = z.string().regex(/^\d+(\/[1-9]\d*)?$/);

/**
 * The draw of one partition, as it is stored write-once (C11): what was measured, and with which amounts. The weights
 * follow from it. It holds nothing that is not released.
 */
export const syntheticTableSchema = z.strictObject({
  format: z.literal('opaline-synthetic-table/1'),
  part: z.string(),
  day: z.iso.date(),
  amounts: z.strictObject({ selection: amount, measurementScale: amount, rowsScale: amount.nullable() }),
  rows: z.int().min(1),
  measurements: z.array(z.strictObject({ query: z.int().min(0), value: z.int() })),
});

export type SyntheticTable = z.output<typeof syntheticTableSchema>;
