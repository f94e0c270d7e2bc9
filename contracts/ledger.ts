import { z } from 'zod';

/** Exact non-negative rational as text. */
const amount = z.string().regex(/^\d+(\/[1-9]\d*)?$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const head = {
  format: z.literal('opaline-ledger/1'),
  population: z.string(),
  /** Place in the chain, from 1; part of the key. */
  sequence: z.number().int().positive(),
  /** SHA-256 of the bytes of the entry before; null for the first. */
  previous: digest.nullable(),
};

/** The charge of one block (population, mode, day). */
export const blockChargeSchema = z.strictObject({
  mode: z.string(),
  day: z.iso.date(),
  epsilon: amount,
  delta: amount,
});

/**
 * Entries of the ledger (C12). Kinds never change their meaning; unknown kinds are refused.
 * reserve: the charge of every block of a release, before any draw. commit: the release ended with its draws stored.
 * withhold: the release ended without publication; reserved budget stays spent. refuse: an attempt was refused by policy.
 */
export const ledgerEntrySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...head,
    kind: z.literal('reserve'),
    charge: z.uuid(),
    release: z.string(),
    unit: z.string(),
    blocks: z.array(blockChargeSchema).min(1),
    caps: z.strictObject({
      block: z.strictObject({ epsilon: amount, delta: amount }),
      year: z.strictObject({ epsilon: amount, delta: amount }),
    }),
  }),
  z.strictObject({ ...head, kind: z.literal('commit'), charge: z.uuid(), release: z.string() }),
  z.strictObject({ ...head, kind: z.literal('withhold'), charge: z.uuid(), release: z.string(), reason: z.string() }),
  z.strictObject({
    ...head,
    kind: z.literal('refuse'),
    release: z.string(),
    code: z.string(),
    subject: z.string(),
    reason: z.string(),
  }),
]);

export type BlockCharge = z.infer<typeof blockChargeSchema>;
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;
