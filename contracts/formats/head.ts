import { z } from 'zod';
import { envelopeSchema } from '../decision.ts';
import { digestText, fileVersion, publicKeyText } from './common.ts';

export const HEAD_FORMAT = 'opaline-head/1';

/**
 * What the publisher's key signs of a whole series: every publication with the digest of its manifest, and of its
 * tombstone if it has one. The generation is the number of these digests, so that it only grows: who has seen a newer
 * head knows that an older one is shown again.
 */
export const headStatementSchema = z.strictObject({
  format: z.literal(HEAD_FORMAT),
  series: z.string().max(100),
  generation: z.int().nonnegative(),
  /** In the order of window and version. */
  releases: z
    .array(z.strictObject({ release: z.string().max(200), manifest: digestText, tombstone: digestText.nullable() }))
    .max(100_000),
  /** Day by which the next window should be public; null: nobody says. */
  nextExpected: z.iso.date().nullable(),
  /** The version of the trust file under which it was signed. */
  trust: fileVersion,
});

export const HEAD_FILE_FORMAT = 'opaline-head-file/1';

/** head.json of a series. */
export const headFileSchema = z.strictObject({
  format: z.literal(HEAD_FILE_FORMAT),
  /** As in the statement, for whoever compares two heads. */
  generation: z.int().nonnegative(),
  /** Public key of the publisher, SPKI PEM: whose it is, the trust file says. */
  publisherKey: publicKeyText,
  statement: envelopeSchema,
});

export type HeadStatement = z.output<typeof headStatementSchema>;
export type HeadFile = z.output<typeof headFileSchema>;
