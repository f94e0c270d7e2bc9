import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import type {
  clientDeploymentSchema,
  privateDeploymentSchema,
  publicDeploymentSchema,
} from '../../contracts/deployment.ts';

/** Where the embedded stack keeps what, below one folder. */
export function embeddedFiles(root: string) {
  const at = (...parts: string[]) => join(root, ...parts);
  return {
    root,
    database: at('temporal.db'),
    logs: at('logs'),
    log: (name: string) => at('logs', `${name}.log`),
    keys: at('keys'),
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

/** What the three kinds of process are told, but for the address of Temporal, which is known when it has started. */
export type Deployments = {
  private: Omit<z.input<typeof privateDeploymentSchema>, 'temporal'>;
  public: Omit<z.input<typeof publicDeploymentSchema>, 'temporal'>;
  client: Omit<z.input<typeof clientDeploymentSchema>, 'temporal'>;
};

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
    const text = JSON.stringify({ temporal: { address }, ...deployment }, null, 2);
    await writeFile(files.deployment(side), `${text}\n`, { mode: 0o600 });
  }
}
