import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OpalineError } from '../contracts/errors.ts';
import { unreadPopulation, unreadSentence } from '../services/ledger/ledger.ts';
import { ownModule } from '../services/own-module.ts';
import { FolderStore } from '../services/stores/folder-store.ts';
import { jsonOrNull } from '../services/stores/json-objects.ts';
import { ChildProcess } from './child-process.ts';
import { type DemoTrust, provideDemoTrust } from './demo-trust.ts';
import {
  type Beliefs,
  type Deployments,
  type EmbeddedFiles,
  embeddedFiles,
  writeDeployments,
} from './embedded-files.ts';
import { KeptProcess } from './kept-process.ts';
import { ownFolder } from './own-folder.ts';
import { freeLock, recordServer, takeLock } from './stack-lock.ts';
import { restartTemporalServer, type ServerSetup, startTemporalServer } from './temporal-server.ts';

type Side = 'private' | 'public';

const WORKERS: Record<Side, URL> = {
  private: ownModule('../worker/private', import.meta.url),
  public: ownModule('../worker/public', import.meta.url),
};

/** A running embedded stack: Temporal, the private worker and the public worker. */
export type Stack = {
  files: EmbeddedFiles;
  address: string;
  /** Process ids of the workers now, for those who test what their death does. */
  workers(): Record<Side, number | undefined>;
  /** Process id of the Temporal server now. */
  server(): number | undefined;
  stop(): Promise<void>;
};

/**
 * Starts the embedded stack below a folder, or throws when one is running there. Workers and the Temporal server that
 * die are started again, as an orchestrator would, the server at its old address and on its old database; the state
 * lies in the folder, so the next start goes on where this one was.
 */
export async function startStack(options: {
  root: string;
  temporalCli: string;
  /** Whether the server shows its own pages too; it does not unless asked. */
  ui?: boolean;
  deployments: Deployments;
  /** Whom its trust file and its policy name, which it makes; or whom a project says that its processes believe. */
  trust: DemoTrust | Beliefs;
  /** The programs of the workers; those of this folder when they are left out. */
  workers?: Record<Side, URL>;
}): Promise<Stack> {
  const files = embeddedFiles(options.root);
  for (const folder of [files.root, files.logs, files.store('private'), files.store('release')])
    await ownFolder(folder);
  await refuseOlder(files);
  await takeLock(files.lock);
  let server: KeptProcess | null = null;
  const programs = options.workers ?? WORKERS;
  const workers = {
    private: new KeptProcess(() => startWorker('private', programs.private, files)),
    public: new KeptProcess(() => startWorker('public', programs.public, files)),
  };
  const stop = async () => {
    await Promise.all([workers.private.stop(), workers.public.stop()]);
    await server?.stop();
    await freeLock(files.lock);
  };
  try {
    const demo = 'populations' in options.trust ? options.trust : null;
    const beliefs = 'populations' in options.trust ? undefined : options.trust;
    if (demo) await provideDemoTrust(files, demo);
    const kept = await keepServer({ cli: options.temporalCli, ui: options.ui ?? false }, files);
    server = kept.server;
    await writeDeployments(files, options.deployments, kept.address, beliefs);
    await Promise.all([workers.private.start(), workers.public.start()]);
    const pids = () => ({ private: workers.private.pid, public: workers.public.pid });
    return { files, address: kept.address, workers: pids, server: () => kept.server.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Refuses the folder of an older build before anything runs in it. Throws SETUP_FAILED. */
async function refuseOlder(files: EmbeddedFiles): Promise<void> {
  const population = await unreadPopulation(new FolderStore(files.store('release')));
  if (population !== null) throw new OpalineError('SETUP_FAILED', unreadSentence(population, files.root));
}

async function keepServer(
  { cli, ui }: Pick<ServerSetup, 'cli' | 'ui'>,
  files: EmbeddedFiles,
): Promise<{ server: KeptProcess; address: string }> {
  const setup = { cli, ui, database: files.database, logFile: files.log('temporal') };
  let address: string | null = null;
  const server = new KeptProcess(async () => {
    const started = address ? await restartTemporalServer(setup, address) : await startTemporalServer(setup);
    address = started.address;
    await recordServer(files.lock, started);
    return started.process;
  });
  await server.start();
  return { server, address: address! };
}

/** The code and the sentence of the newest line of a log that gives a cause; empty where none does. */
async function lastWords(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).split('\n').map(logged);
  // The worker says SETUP_FAILED of a process of its own, which has said why.
  const cause = lines.findLast(({ code }) => typeof code === 'string' && code !== 'SETUP_FAILED');
  return cause ? `It ended with ${cause.code}: ${cause.msg}` : '';
}

/** A line of a log; what is no JSON says nothing. */
const logged = (line: string): { code?: unknown; msg?: unknown } => ({ ...(jsonOrNull(line) as object | null) });

async function startWorker(side: Side, program: URL, files: EmbeddedFiles): Promise<ChildProcess> {
  const entry = fileURLToPath(program);
  const logFile = files.log(side);
  const child = await ChildProcess.start(process.execPath, [entry, files.deployment(side)], logFile);
  if (await child.ready()) return child;
  throw new OpalineError(
    'SETUP_FAILED',
    `The ${side} worker did not start; its log is ${logFile}. ${await lastWords(logFile)}`.trim(),
  );
}
