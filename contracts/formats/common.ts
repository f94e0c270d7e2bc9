import { z } from 'zod';

/** Pieces that several formats share. */

/** What the names of drafts end in. Nothing is written so any more. */
export const DRAFT_ENDING = '-draft';

/**
 * The name of a stored format. The last drafts of generation 2 have its form, and this name with an ending; they are
 * signed, so they stay as they are, are read for ever, and are given under the name.
 */
export const formatName = <Name extends string>(name: Name) => namedOrDraft(name).transform((): Name => name);

/** The same where the name is part of a digest and stays. */
export const namedOrDraft = <Name extends string>(name: Name) => z.enum([name, `${name}${DRAFT_ENDING}`]);

/** SHA-256 in lower-case hex. */
export const digestText = z.string().regex(/^[0-9a-f]{64}$/);

/** Exact non-negative rational as text: `8`, `1/2`. */
export const exactAmount = z.string().regex(/^\d+(\/[1-9]\d*)?$/);

/** An exact ε and δ. */
export const exactAmounts = { epsilon: exactAmount, delta: exactAmount };

/** An Ed25519 public key, SPKI PEM. A PEM text of one is 113 characters long. */
export const publicKeyText = z.string().max(400).includes('BEGIN PUBLIC KEY');

/** A number of a file that grows with each version of it, with the digest of that version. */
export const numbered = z.strictObject({ number: z.number().int().positive(), digest: digestText });

/** A place in the ledger of a population: how many entries there are, and the digest of the last. */
export const ledgerTip = z.strictObject({ sequence: z.number().int().positive(), digest: digestText });

export type Numbered = z.infer<typeof numbered>;
export type LedgerTip = z.infer<typeof ledgerTip>;
