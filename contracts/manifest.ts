import { z } from 'zod';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** One staged file. */
export const manifestFileSchema = z.strictObject({ name: z.string(), sha256: digest, bytes: z.number().int() });

/**
 * Digests of all that a release holds. Written last in the audit stage, over every staged file; it holds no clock and
 * no host. Approvals and the attestation are over the SHA-256 of its bytes.
 */
export const manifestSchema = z.strictObject({
  format: z.literal('opaline-manifest/1'),
  series: z.string(),
  window: z.iso.date(),
  version: z.number().int().positive(),
  population: z.string(),
  /** Digest of the parsed series file. */
  seriesDigest: digest,
  /** Public dictionaries and domains (C4), by mode. */
  dictionaries: z.record(z.string(), digest),
  charge: z.uuid(),
  /** Set in a version that corrects another: the partitions drawn anew; the others are carried over (C13). */
  correction: z
    .strictObject({ of: z.number().int().positive(), reason: z.string(), redrawn: z.array(z.string()) })
    .nullable(),
  /** Digest of every privatized table, by `mode/day`; holes are named with their code. */
  partitions: z.array(
    z.strictObject({
      mode: z.string(),
      day: z.iso.date(),
      privatizedTable: digest.nullable(),
      hole: z.string().nullable(),
    }),
  ),
  /** Digest of the build of the private worker. */
  build: z.string(),
  files: z.array(manifestFileSchema),
});

export type Manifest = z.infer<typeof manifestSchema>;
