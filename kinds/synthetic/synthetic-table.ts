import { z } from 'zod';
import { formatRational } from '../../core/rational/rational.ts';
import type { RoundAmounts } from './mechanism/synthetic-privacy.ts';

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

/** What a partition is drawn with, as it is stored beside its draw. */
export const amountTexts = ({ selection, measurementScale, rowsScale }: RoundAmounts): SyntheticTable['amounts'] => ({
  selection: formatRational(selection),
  measurementScale: formatRational(measurementScale),
  rowsScale: rowsScale && formatRational(rowsScale),
});
