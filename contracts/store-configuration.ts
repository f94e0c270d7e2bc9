import { z } from 'zod';
import { secret } from './secret.ts';

/** A folder of this machine. Relative paths are relative to the working folder of the process. */
const folderStore = z.strictObject({ kind: z.literal('folder'), path: z.string().min(1) });

/** A part of a key: as it is, for a trial, or where it is. */
const keyPart = z.union([z.string().min(1), secret]);

/**
 * A bucket, or the part of it below a prefix. Without `credentials` the SDK looks in its usual places, under the profile:
 * roles, web identities and instances are there.
 */
const s3Store = z.strictObject({
  kind: z.literal('s3'),
  bucket: z.string().min(1),
  /** Keys are relative to it: `a/b`, with or without a slash at the end. */
  prefix: z.string().optional(),
  /** URL of a server that is not Amazon's. */
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  region: z.string().min(1).optional(),
  /** `endpoint/bucket/key` in place of `bucket.endpoint/key`. */
  forcePathStyle: z.boolean().optional(),
  credentials: z
    .strictObject({ accessKeyId: keyPart, secretAccessKey: keyPart, sessionToken: keyPart.optional() })
    .optional(),
  /** A profile of the AWS configuration of the machine: the store has its own role by it. */
  profile: z.string().min(1).optional(),
  /** Authorities that the server's certificate has to come from, PEM; absent: those that the machine trusts. */
  caFile: z.string().min(1).optional(),
  /** Seconds without a byte, before or within an answer, after which a request counts as lost; 60 when left out. */
  timeoutSeconds: z.number().positive().max(3600).optional(),
});

/** The server alone, for whoever sets up its buckets. */
export const s3ServerSchema = s3Store.omit({ kind: true, bucket: true, prefix: true });

/** Where a store is and how to get in. It may hold credentials: it is never logged and never put in a payload. */
export const storeConfigurationSchema = z.discriminatedUnion('kind', [folderStore, s3Store]);

export type S3Server = z.infer<typeof s3ServerSchema>;
export type S3StoreConfiguration = z.infer<typeof s3Store>;
export type StoreConfiguration = z.infer<typeof storeConfigurationSchema>;
