import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type {
  clientDeploymentSchema,
  privateDeploymentSchema,
  publicDeploymentSchema,
} from '../contracts/deployment.ts';
import { type StoreConfiguration, storeConfigurationSchema } from '../contracts/store-configuration.ts';
import { jsonOrNull } from '../services/stores/json-objects.ts';

/** For whom the embedded stack makes a key; `demo` is the approver of its examples. */
export const DEMO_ROLES = ['root', 'ledger', 'publisher', 'policy', 'demo'] as const;
export type DemoRole = (typeof DEMO_ROLES)[number];

/** Where the embedded stack keeps what, below one folder. */
export function locateFiles(root: string) {
  const at = (...parts: string[]) => join(root, ...parts);
  return {
    root,
    database: at('temporal.db'),
    logs: at('logs'),
    log: (name: string) => at('logs', `${name}.log`),
    keys: at('keys'),
    key: (role: DemoRole) => at('keys', `${role}.pem`),
    trust: at('trust.json'),
    policy: at('policy.yaml'),
    state: at('state.json'),
    examples: at('examples'),
    sources: at('stores', 'sources'),
    publication: at('stores', 'publication'),
    scratch: (side: 'private' | 'public') => at('scratch', side),
    deployment: (side: 'private' | 'public' | 'client') => at('deployment', `${side}.json`),
    lock: at('stack.json'),
    store: (name: 'private' | 'release') => at('stores', name),
  };
}

export type EmbeddedFiles = ReturnType<typeof locateFiles>;

type Side = 'private' | 'public' | 'client';

/** What the deployment files of the three kinds of process say, except for where Temporal is. */
export type Deployments = {
  private: Omit<z.input<typeof privateDeploymentSchema>, 'temporal'>;
  public: Omit<z.input<typeof publicDeploymentSchema>, 'temporal'>;
  client: Omit<z.input<typeof clientDeploymentSchema>, 'temporal'>;
};

/** The text of a file, or null where it cannot be read. */
export const textOrNull = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

const folder = (path: string) => ({ kind: 'folder' as const, path });

/**
 * Stores and scratch in folders below the root, and nothing of whom the processes believe. `sources`: name of a source
 * store → where it is; a text is a folder.
 */
export function folderStores(files: EmbeddedFiles, sources: Readonly<Record<string, string | StoreConfiguration>>) {
  const releaseStore = folder(files.store('release'));
  // The lock of the folder lets one worker of each side run.
  const becomeCurrent = 'always' as const;
  return {
    private: {
      sources: Object.fromEntries(
        Object.entries(sources).map(([name, where]) => [name, typeof where === 'string' ? folder(where) : where]),
      ),
      privateStore: folder(files.store('private')),
      releaseStore,
      scratch: files.scratch('private'),
      becomeCurrent,
    },
    public: {
      releaseStore,
      publicationStore: folder(files.publication),
      scratch: files.scratch('public'),
      becomeCurrent,
    },
    client: { releaseStore, publications: files.publication },
  };
}

/** The same for processes that believe what provideDemoTrust has made. */
export function folderDeployments(files: EmbeddedFiles, sources: Parameters<typeof folderStores>[1]): Deployments {
  const stores = folderStores(files, sources);
  const [trust, allowDemoKeys] = [{ file: files.trust }, true];
  const custody = { policyFile: files.policy, keyFile: files.key('ledger'), stateFile: files.state };
  return {
    private: { ...stores.private, trust, ...custody, allowDemoKeys },
    public: { ...stores.public, trust, keyFile: files.key('publisher'), allowDemoKeys },
    client: { ...stores.client, trust, signingKeyFile: files.key('policy') },
  };
}

/**
 * Writes one deployment file for each process, readable by the owner alone. The two workers are apart here as in
 * production: the public one's file names no source and no private store.
 */
export async function writeDeployments(files: EmbeddedFiles, deployments: Deployments, address: string): Promise<void> {
  await mkdir(dirname(files.deployment('client')), { recursive: true, mode: 0o700 });
  for (const [side, deployment] of Object.entries(deployments) as [Side, Deployments[Side]][]) {
    if ('scratch' in deployment) await mkdir(deployment.scratch, { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ temporal: { address }, ...deployment }, null, 2);
    await writeFile(files.deployment(side), `${text}\n`, { mode: 0o600 });
  }
}

const keptSchema = z.looseObject({ sources: z.record(z.string(), storeConfigurationSchema).optional() });

/**
 * What people wrote into the deployment files of an earlier start still holds, except for where Temporal is: the
 * sources that they named are beside those given here. A file that cannot be read is written again.
 */
export async function withKept(files: EmbeddedFiles, deployments: Deployments): Promise<Deployments> {
  const fieldsOf = async (side: Side): Promise<z.output<typeof keptSchema>> => {
    const { temporal: _, ...fields } =
      keptSchema.safeParse(jsonOrNull((await textOrNull(files.deployment(side))) ?? '')).data ?? {};
    return fields;
  };
  const { sources, ...own } = await fieldsOf('private');
  return {
    private: { ...deployments.private, ...own, sources: { ...sources, ...deployments.private.sources } },
    public: { ...deployments.public, ...(await fieldsOf('public')) },
    client: { ...deployments.client, ...(await fieldsOf('client')) },
  };
}
