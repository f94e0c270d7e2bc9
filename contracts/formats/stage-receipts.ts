import { z } from 'zod';
import { digestText } from './common.ts';

/**
 * What workers sign of a stage whose answer goes through Temporal and the release store, where others can write: whoever
 * relies on the answer asks for the receipt. Neither holds anything of the input.
 */

/** A value of another format, whose own schema reads it. */
const anyRecord = z.record(z.string(), z.unknown());

export const SHADOW_RECEIPT_FORMAT = 'opaline-shadow-receipt/2';

/** The private worker's word that its build did this to made-up counts (C15), with its ledger key. */
export const shadowReceiptSchema = z.strictObject({
  format: z.literal(SHADOW_RECEIPT_FORMAT),
  /** `series/window/vN` */
  release: z.string().max(200),
  seriesDigest: digestText,
  charge: z.uuid(),
  /** Digest of the sources of the private worker, as its draws name it. */
  build: digestText,
  /** What its mechanism did, as the kind of the series reads it. */
  tallies: anyRecord,
});

export const AUDIT_RECEIPT_FORMAT = 'opaline-audit-receipt/2';

/**
 * The public worker's word that it audited what a manifest names, with its publisher's key: every staged byte against the
 * tables with receipts, under the shadow run with a receipt (C15, C16). It holds both whole, as it is written before
 * they are: the first one that is stored is the verdict.
 */
export const auditReceiptSchema = z.strictObject({
  format: z.literal(AUDIT_RECEIPT_FORMAT),
  /** Digest of what was audited: draws, holes and declaration. */
  inputs: digestText,
  manifest: anyRecord,
  report: anyRecord,
});

export type ShadowReceipt = z.output<typeof shadowReceiptSchema>;
export type AuditReceipt = z.output<typeof auditReceiptSchema>;
