import { z } from 'zod';
import { OBJECT_CODES } from '../stages.ts';
import { digestText } from './common.ts';
import { correctionFields } from './ledger-entry.ts';

/**
 * What the private worker signs of a partition with its ledger key: that it drew a table (C11), or that there is a hole
 * (C16). Nobody takes a table or a hole without it. It holds nothing of the input.
 */
export const DRAW_RECEIPT_FORMAT = 'opaline-draw-receipt/3';
export const HOLE_RECEIPT_FORMAT = 'opaline-hole-receipt/1';

/** What a hole is stored as in the private store, at the key of the draw that there will never be. */
export const HOLE_FORMAT = 'opaline-hole/1';

const partition = { release: z.string().max(200), part: z.string().max(200), day: z.iso.date() };

export const receiptSchema = z.discriminatedUnion('format', [
  z.strictObject({
    format: z.literal(DRAW_RECEIPT_FORMAT),
    /** `release`: the version that drew it; a correction carries it over with its receipt. */
    ...partition,
    charge: z.uuid(),
    /** Place of that version's reserve in the ledger: what was decided on it was decided later. */
    sequence: z.number().int().positive(),
    /** What that version corrects, and why, as it was ordered (C13). */
    correction: z.strictObject(correctionFields).nullable(),
    seriesDigest: digestText,
    /** Digest of the bytes of the privatized table. */
    table: digestText,
    /** Digest of the sources of the private worker that drew it (C15). */
    build: digestText,
  }),
  z.strictObject({ format: z.literal(HOLE_RECEIPT_FORMAT), ...partition, code: z.enum(OBJECT_CODES) }),
]);

export type Receipt = z.output<typeof receiptSchema>;
