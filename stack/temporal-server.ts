import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { OpalineError } from '../contracts/errors.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/names.ts';
import { type ChildProcess, startProcess } from './child-process.ts';

const READY_SECONDS = 60;

/** The Temporal command, the SQLite file of its state, its log, and whether it serves its own pages. */
export type ServerSetup = { cli: string; database: string; logFile: string; ui: boolean };

export type TemporalServer = { address: string; process: ChildProcess };

/** Another process may take the port that was free a moment ago. */
const ATTEMPTS = 3;

/** Partitions spread a task queue over servers; a single server only hands tasks to and fro (docs/adr/0004). */
const onePartition = ['matching.numTaskqueueReadPartitions=1', 'matching.numTaskqueueWritePartitions=1'];

/**
 * No host may use Temporal's HTTP API, which cannot be switched off: it takes simple POSTs, such as any web page can send
 * from the browser of somebody who works on this computer, and starts and ends workflows.
 */
const noHttpHosts = 'frontend.httpAllowedHosts=[]';

/** Go collects garbage when the heap has grown by so much, in percent; its default is 100 (docs/adr/0004). */
const GARBAGE_PERCENT = '400';

/**
 * Starts the Temporal development server on loopback, with its state in an SQLite file, and waits until it answers.
 * The first start chooses a port of its own, so that several stacks of one machine do not meet; a server that died is
 * started again at its `address`, which workers and clients know.
 */
export async function startTemporalServer(setup: ServerSetup, address = ''): Promise<TemporalServer> {
  if (address !== '') return tryTemporalServer(setup, portOf(address));
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryTemporalServer(setup, await freePort());
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

const portOf = (address: string): number => Number(address.split(':')[1]);

/** Where Temporal's own pages of a server are, when it was started with them. */
export const pagesOf = (address: string): string => `http://127.0.0.1:${portOf(address) + UI_PORTS_ON}`;

/** How many ports after that of the server Temporal puts its pages. */
const UI_PORTS_ON = 1000;

async function tryTemporalServer({ cli, database, logFile, ui }: ServerSetup, port: number): Promise<TemporalServer> {
  const options = {
    ip: ['127.0.0.1'],
    port: [String(port)],
    'ui-port': ui ? [String(port + UI_PORTS_ON)] : [],
    'db-filename': [database],
    // Without it every transaction rewrites a journal file: less than half as fast, and no safer (docs/adr/0004).
    'sqlite-pragma': ['journal_mode=wal'],
    'dynamic-config-value': [...onePartition, noHttpHosts],
    'log-level': ['error'],
    'search-attribute': Object.values(SEARCH_ATTRIBUTES).map((name) => `${name}=Keyword`),
  };
  const words = Object.entries(options).flatMap(([name, values]) => values.flatMap((value) => [`--${name}`, value]));
  if (!ui) words.push('--headless');
  const process = await startProcess(cli, ['server', 'start-dev', ...words], logFile, { GOGC: GARBAGE_PERCENT });
  const address = `127.0.0.1:${port}`;
  try {
    for (let tries = 0; !(await answers(address)); tries++) {
      if (process.ended || tries === READY_SECONDS * 10)
        throw new OpalineError('SETUP_FAILED', `The Temporal server did not start; its log is ${logFile}.`);
      await delay(100);
    }
    // Only now: the server makes no tables in a file that it did not make. Files that come later get the same rights.
    for (const file of ['', '-wal', '-shm'].map((ending) => `${database}${ending}`))
      await chmod(file, 0o600).catch(() => undefined);
  } catch (error) {
    await process.stop();
    throw error;
  }
  return { address, process };
}

/** Does a Temporal server serve releases there? */
export async function answers(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 1000 });
    await connection.workflowService.describeNamespace({ namespace: 'default' });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

/** A port that is free now; the server that is started next takes it. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}
