import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import type {
  clientDeploymentSchema,
  privateDeploymentSchema,
  publicDeploymentSchema,
} from '../../contracts/deployment.ts';

/** For whom the embedded stack makes a key; `demo` is the approver of its examples. */
export type DemoRole = 'root' | 'ledger' | 'publisher' | 'policy' | 'demo';

/** Where the embedded stack keeps what, below one folder. */
export function embeddedFiles(root: string) {
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

export type EmbeddedFiles = ReturnType<typeof embeddedFiles>;

type Side = 'private' | 'public' | 'client';

/** Fields of deployment files that the embedded stack fills in: where Temporal is, and whom to believe. */
type Provided = 'temporal' | 'trust' | 'policyFile' | 'keyFile' | 'stateFile' | 'allowDemoKeys' | 'signingKeyFile';

/** What the three kinds of process are told of stores and limits. */
export type Deployments = {
  private: Omit<z.input<typeof privateDeploymentSchema>, Provided>;
  public: Omit<z.input<typeof publicDeploymentSchema>, Provided>;
  client: Omit<z.input<typeof clientDeploymentSchema>, Provided>;
};

/** Whom the processes of the embedded stack believe: what provideDemoTrust has made. */
function beliefs(files: EmbeddedFiles) {
  const trust = { file: files.trust };
  return {
    private: {
      trust,
      policyFile: files.policy,
      keyFile: files.key('ledger'),
      stateFile: files.state,
      allowDemoKeys: true,
    },
    public: { trust, keyFile: files.key('publisher'), allowDemoKeys: true },
    client: { trust, signingKeyFile: files.key('policy') },
  } satisfies Record<Side, object>;
}

/** Everything in folders below the root. `sources`: name of a source store → folder. */
export function folderDeployments(files: EmbeddedFiles, sources: Record<string, string>): Deployments {
  const folder = (path: string) => ({ kind: 'folder' as const, path });
  const releaseStore = folder(files.store('release'));
  return {
    private: {
      sources: Object.fromEntries(Object.entries(sources).map(([name, path]) => [name, folder(path)])),
      privateStore: folder(files.store('private')),
      releaseStore,
      scratch: files.scratch('private'),
    },
    public: {
      releaseStore,
      publicationStore: folder(files.publication),
      scratch: files.scratch('public'),
      becomeCurrent: 'always', // the lock of the folder lets one public worker run
    },
    client: { releaseStore },
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
    const text = JSON.stringify({ temporal: { address }, ...beliefs(files)[side], ...deployment }, null, 2);
    await writeFile(files.deployment(side), `${text}\n`, { mode: 0o600 });
  }
}
