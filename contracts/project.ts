import { z } from 'zod';
import { seriesName } from './series.ts';
import { storeConfigurationSchema } from './store-configuration.ts';

/** Name of the deployment file of a project folder. */
export const PROJECT_FILE = 'deployment.yaml';

const file = z.string().min(1);

/**
 * The deployment file of a project folder, from which `opaline up` starts the embedded stack: the sources, and whom its
 * processes believe. People write it; no command does so a second time. Paths start at the project folder.
 */
export const projectSchema = z.strictObject({
  /** Source stores, by the names that series files give them. */
  sources: z.record(seriesName, storeConfigurationSchema),
  trust: file,
  /** The policy of the custodian (C11a). */
  policyFile: file,
  /** Private key of the private worker: it signs entries of the ledger and draws. */
  ledgerKeyFile: file,
  /** Private key of the public worker: it signs attestations. */
  publisherKeyFile: file,
  /** Keys that were made for a trial are taken. */
  allowDemoKeys: z.boolean().default(false),
});

export type Project = z.output<typeof projectSchema>;
