import { z } from 'zod';

/**
 * Entries of the ledger (C12), in two generations. What is written is the second, a draft until publications are frozen;
 * the first is read for ever, and its blocks are given as those of the second: the part of a block is what it calls its
 * mode. A chain may begin in the first generation and go on in the second.
 */

/** Exact non-negative rational as text. */
const amount = z.string().regex(/^\d+(\/[1-9]\d*)?$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const amounts = { epsilon: amount, delta: amount };

/** The charge of one block (population, part, day). */
const blockCharge = z.strictObject({ part: z.string(), day: z.iso.date(), ...amounts });
const blockChargeOfFirst = z
  .strictObject({ mode: z.string(), day: z.iso.date(), ...amounts })
  .transform(({ mode, ...block }) => ({ part: mode, ...block }));

/**
 * The kinds of entries never change their meaning; unknown kinds are refused.
 * reserve: the charge of every block of a release, before any draw. commit: the release ended with its draws stored.
 * withhold: the release ended without publication; reserved budget stays spent. refuse: an attempt was refused by policy.
 */
function entries<Format extends string, Block extends z.ZodType>(format: Format, block: Block) {
  const head = {
    format: z.literal(format),
    population: z.string(),
    /** Place in the chain, from 1; part of the key. */
    sequence: z.number().int().positive(),
    /** SHA-256 of the bytes of the entry before; null for the first. */
    previous: digest.nullable(),
  };
  const ended = { ...head, charge: z.uuid(), release: z.string() };
  return z.discriminatedUnion('kind', [
    z.strictObject({
      ...head,
      kind: z.literal('reserve'),
      charge: z.uuid(),
      release: z.string(),
      unit: z.string(),
      blocks: z.array(block).min(1),
      caps: z.strictObject({ block: z.strictObject(amounts), year: z.strictObject(amounts) }),
    }),
    z.strictObject({ ...ended, kind: z.literal('commit') }),
    z.strictObject({ ...ended, kind: z.literal('withhold'), reason: z.string() }),
    z.strictObject({
      ...head,
      kind: z.literal('refuse'),
      release: z.string(),
      code: z.string(),
      subject: z.string(),
      reason: z.string(),
    }),
  ]);
}

/** The format of entries that are written now. */
export const LEDGER_FORMAT = 'opaline-ledger/2-draft';

export const ledgerEntrySchema = z.discriminatedUnion('format', [
  entries('opaline-ledger/1', blockChargeOfFirst),
  entries(LEDGER_FORMAT, blockCharge),
]);

export type BlockCharge = z.output<typeof blockCharge>;
export type LedgerEntry = z.output<typeof ledgerEntrySchema>;
