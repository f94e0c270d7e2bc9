import { z } from 'zod';

/** Pieces that several formats share. */

/** SHA-256 in lower-case hex. */
export const digestText = z.string().regex(/^[0-9a-f]{64}$/);

/** Exact non-negative rational as text: `8`, `1/2`. */
export const exactAmount = z.string().regex(/^\d+(\/[1-9]\d*)?$/);

/** An exact ε and δ. */
export const exactAmounts = { epsilon: exactAmount, delta: exactAmount };

/** An exact ρ. */
export const exactRho = { rho: exactAmount };

/** What is drawn at once. */
export const partitionFields = { part: z.string(), day: z.iso.date() };

/** An Ed25519 public key, SPKI PEM. A PEM text of one is 113 characters long. */
export const publicKeyText = z.string().max(400).includes('BEGIN PUBLIC KEY');

/** A number of a file that grows with each version of it, with the digest of that version. */
export const fileVersion = z.strictObject({ number: z.number().int().positive(), digest: digestText });

/** A place in the ledger of a population: how many entries there are, and the digest of the last. */
export const ledgerTip = z.strictObject({ sequence: z.number().int().positive(), digest: digestText });

export type Numbered = z.infer<typeof fileVersion>;
export type LedgerTip = z.infer<typeof ledgerTip>;
