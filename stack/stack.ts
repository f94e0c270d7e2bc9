import { chmod, mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setUpTemporal } from '../client/set-up-temporal.ts';
import { OpalineError } from '../contracts/errors.ts';
import { unreadPopulation, unreadSentence } from '../services/ledger/ledger.ts';
import { ownModule } from '../services/own-module.ts';
import { FolderStore } from '../services/stores/folder-store.ts';
import { jsonOrNull } from '../services/stores/json-objects.ts';
import { type ChildProcess, keepProcess, startProcess } from './child-process.ts';
import { type DemoTrust, provideDemoTrust } from './demo-trust.ts';
import { type Deployments, type EmbeddedFiles, locateFiles, textOrNull, writeDeployments } from './embedded-files.ts';
import { recordServer, takeLock } from './stack-lock.ts';
import { startTemporalServer } from './temporal-server.ts';

type Side = 'private' | 'public';

const WORKERS: Record<Side, URL> = {
  private: ownModule('../worker/private', import.meta.url),
  public: ownModule('../worker/public', import.meta.url),
};

/** A running embedded stack: Temporal, the private worker and the public worker. */
export type Stack = Awaited<ReturnType<typeof startStack>>;

/**
 * Starts the embedded stack below a folder. Throws SETUP_FAILED when one is running there, or when the folder is of an
 * older build. Workers and the Temporal server that die are started again, as an orchestrator would, the server at its
 * old address and on its old database; the state is in the folder, so the next start goes on where this one was.
 */
export async function startStack(options: {
  root: string;
  temporalCli: string;
  /** Whether the server shows its own pages too; it does not unless asked. */
  ui?: boolean;
  deployments: Deployments;
  /** Whom the trust file and the policy name that it makes; absent: a project says whom its processes believe. */
  trust?: DemoTrust;
  /** The programs of the workers; those of this folder when they are left out. */
  workers?: Record<Side, URL>;
}) {
  const files = locateFiles(options.root);
  for (const folder of [files.root, files.logs, files.store('private'), files.store('release')])
    await ownFolder(folder);
  const population = await unreadPopulation(new FolderStore(files.store('release')));
  if (population !== null) throw new OpalineError('SETUP_FAILED', unreadSentence(population, files.root));
  await takeLock(files.lock);
  const { temporalCli: cli, ui = false, workers: programs = WORKERS, trust, deployments } = options;
  const setup = { cli, ui, database: files.database, logFile: files.log('temporal') };
  let address = '';
  const server = keepProcess(async () => {
    const temporal = await startTemporalServer(setup, address);
    address = temporal.address;
    await recordServer(files.lock, temporal);
    return temporal.process;
  });
  const workers = {
    private: keepProcess(() => startWorker('private', programs.private, files)),
    public: keepProcess(() => startWorker('public', programs.public, files)),
  };
  const stop = async () => {
    await Promise.all([workers.private.stop(), workers.public.stop()]);
    await server.stop();
    await rm(files.lock, { force: true });
  };
  try {
    if (trust) await provideDemoTrust(files, trust);
    await server.start();
    await setUpTemporal({ address, namespace: 'default' }, { checkOnly: false });
    await writeDeployments(files, deployments, address);
    await Promise.all([workers.private.start(), workers.public.start()]);
    // Process ids now, for those who test what the death of one does.
    const pids = () => ({ private: workers.private.pid(), public: workers.public.pid() });
    return { files, address, workers: pids, server: server.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes a folder the owner's alone, also one that is there already: nobody else reaches what is below it. */
export async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}

/** The code and the sentence of the newest line of a log that gives a cause; empty where none does. */
async function lastWords(logFile: string): Promise<string> {
  const text = (await textOrNull(logFile)) ?? '';
  // What is no JSON says nothing.
  const lines = text.split('\n').map((line) => (jsonOrNull(line) ?? {}) as { code?: unknown; msg?: unknown });
  // The worker reports SETUP_FAILED for a process of its own, which has given the cause.
  const cause = lines.findLast(({ code }) => typeof code === 'string' && code !== 'SETUP_FAILED');
  return cause ? `It ended with ${cause.code}: ${cause.msg}` : '';
}

async function startWorker(side: Side, program: URL, files: EmbeddedFiles): Promise<ChildProcess> {
  const logFile = files.log(side);
  const child = await startProcess(process.execPath, [fileURLToPath(program), files.deployment(side)], logFile);
  if (await child.ready()) return child;
  throw new OpalineError(
    'SETUP_FAILED',
    `The ${side} worker did not start; its log is ${logFile}. ${await lastWords(logFile)}`.trim(),
  );
}
