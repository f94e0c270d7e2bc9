import { z } from 'zod';
import { envelopeSchema } from '../decision.ts';
import { PASSKEY_ALGORITHMS } from '../passkey.ts';
import { seriesName } from '../series.ts';
import { digestText, publicKeyText } from './common.ts';

/**
 * The trust file: whom the public side and readers believe (C16). It holds every version that there was, the oldest
 * first. A version is signed by enough root keys of the version before; the first one by enough of its own. Workers pin
 * number and digest of a version, and whoever has a version walks on from it. Bounds keep a file of strangers small.
 */

/** For a key that was never limited. */
export const EVERYWHERE = 'everywhere' as const;

/**
 * Where a key holds: everywhere, or for the populations named and no other, between entries of their ledgers, both ends
 * included. So a key that is retired at entry 40 holds for nothing after it, and in no population that begins later.
 */
const validity = z.union([
  z.literal(EVERYWHERE),
  z.record(
    seriesName,
    z.strictObject({ from: z.number().int().positive().optional(), until: z.number().int().nonnegative().optional() }),
  ),
]);

const trustedKey = z.strictObject({ key: publicKeyText, valid: validity });

/** Name of a person; how names are compared, and which are refused, says services/signing/subjects.ts. */
export const subjectText = z.string().min(1).max(200);

const person = { subject: subjectText, series: z.array(seriesName).max(1000).optional() };

export const TRUST_FORMAT = 'opaline-trust/3';

/** A domain in lower case; `localhost` counts in the file of a trial alone. */
const domain = z
  .string()
  .max(253)
  .regex(
    /^(?:localhost|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?)$/,
    'write a domain in lower case',
  );

/** A passkey of a person: with what, for which relying party, and on which pages it signs (WebAuthn). */
export const passkeySchema = z.strictObject({
  /** By which a browser finds it; base64url. */
  credentialId: z.base64url().min(1).max(1364),
  publicKey: publicKeyText,
  algorithm: z.enum(PASSKEY_ALGORITHMS),
  relyingParty: domain,
  /** Scheme, host and port of the pages, such as `https://console.example.org`. */
  origins: z.array(z.string().max(300)).min(1).max(5),
});
export type Passkey = z.output<typeof passkeySchema>;

/** What root keys sign: one version of who is believed. */
export const trustVersionSchema = z.strictObject({
  format: z.literal(TRUST_FORMAT),
  /** Who publishes, in words for people. */
  organisation: z.string().min(1).max(200),
  number: z.number().int().positive(),
  /** Digest of the payload of the version before; null for the first. */
  previous: digestText.nullable(),
  /**
   * The newest entry of each ledger when the version was written. The version binds what was charged after it; in a
   * population that is not named, everything.
   */
  tips: z.record(seriesName, z.number().int().nonnegative()),
  /** Keys that a program made for a trial: anybody on that computer has them. */
  demo: z.boolean().default(false),
  roots: z.strictObject({
    keys: z.array(publicKeyText).min(1).max(20),
    threshold: z.number().int().positive(),
  }),
  /** Keys of the private worker: they sign entries of the ledger and draws. */
  ledgers: z.array(trustedKey).min(1).max(100),
  /** Keys of the public worker: they sign attestations. */
  publishers: z.array(trustedKey).min(1).max(100),
  /** Who may decide at a gate. `series` names those of which they may; absent: of all. */
  approvers: z
    .array(z.union([trustedKey.extend(person), z.strictObject({ passkey: passkeySchema, valid: validity, ...person })]))
    .min(1)
    .max(1000),
  /** Approvals that every release needs at least; a series file may ask for more. */
  required: z.number().int().positive().max(100),
  /**
   * Of these, how many no single host of a page for signing may have had in hand: made by key file, or by a passkey of
   * another relying party. Absent: 1 where two are required, else 0.
   */
  elsewhere: z.number().int().nonnegative().max(100).optional(),
  /**
   * Hours that a release waits after the last approval that it needs, in which any approver can withdraw; parts of an
   * hour are allowed. Absent: none.
   */
  coolingHours: z.number().nonnegative().max(336).optional(),
  /** `refused`: who is recorded as having started a release cannot approve it. Absent: may. */
  ownReleases: z.literal('refused').optional(),
});

export const TRUST_FILE_FORMAT = 'opaline-trust-file/1';

export const trustFileSchema = z.strictObject({
  format: z.literal(TRUST_FILE_FORMAT),
  versions: z.array(envelopeSchema).min(1).max(1000),
});

export type TrustVersion = z.output<typeof trustVersionSchema>;
