import { z } from 'zod';
import { digestText } from './common.ts';

/**
 * The private worker's word that a privatized table is the one that it drew (C11). It signs this with its ledger key;
 * nobody takes a table without it. It holds nothing of the input.
 */
export const DRAW_RECEIPT_FORMAT = 'opaline-draw-receipt/1';

export const drawReceiptSchema = z.strictObject({
  format: z.literal(DRAW_RECEIPT_FORMAT),
  /** `series/window/vN` of the version that drew it; a correction carries it over with its receipt. */
  release: z.string(),
  part: z.string(),
  day: z.iso.date(),
  charge: z.uuid(),
  seriesDigest: digestText,
  /** Digest of the bytes of the privatized table. */
  table: digestText,
});

export type DrawReceipt = z.output<typeof drawReceiptSchema>;
