import { z } from 'zod';
import { storeConfigurationSchema } from './store-configuration.ts';

/**
 * Deployment configuration: one file for each process, because each side has its own stores and credentials. The
 * public worker's file cannot name a source, and so the process has no way to one.
 */
const temporal = z.strictObject({ address: z.string().min(1), namespace: z.string().min(1).default('default') });

export const privateDeploymentSchema = z.strictObject({
  temporal,
  sources: z.record(z.string(), storeConfigurationSchema),
  privateStore: storeConfigurationSchema,
  releaseStore: storeConfigurationSchema,
  scratch: z.string().min(1),
  /** Limit of DuckDB's memory, in MiB. */
  memoryMiB: z.number().int().positive().default(1024),
  /** Activities that run at once. */
  concurrency: z.number().int().positive().default(2),
});

export const publicDeploymentSchema = z.strictObject({
  temporal,
  releaseStore: storeConfigurationSchema,
  publicationStore: storeConfigurationSchema,
  scratch: z.string().min(1),
  concurrency: z.number().int().positive().default(4),
});

/** What the command line and the console need. */
export const clientDeploymentSchema = z.strictObject({
  temporal,
  releaseStore: storeConfigurationSchema,
});

export type PrivateDeployment = z.output<typeof privateDeploymentSchema>;
export type PublicDeployment = z.output<typeof publicDeploymentSchema>;
export type ClientDeployment = z.output<typeof clientDeploymentSchema>;
