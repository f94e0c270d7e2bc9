import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { NativeConnection, Worker } from '@temporalio/worker';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { hasPassed } from '../../services/stores/canary.ts';

/** Milliseconds that an answer is used again: probes cost Temporal and the stores next to nothing. */
const KEPT_MS = 5_000;

/** Milliseconds that Temporal or a store gets to answer. */
const ANSWER_MS = 3_000;

/** Stores by name. The canary leaves objects, so that it is kept out of a store that the world reads. */
export type WorkerStores = Record<string, { store: ObjectStore; canary: boolean }>;

/** Why a worker cannot work now, in short public sentences; none: it is ready. `stores` says which of them answer. */
type Readiness = { causes: string[]; stores: Record<string, boolean> };

/** Knows whether a worker can work: it runs, Temporal answers, and its stores answer and, where tested, are those. */
export class ReadinessCheck {
  readonly #stores: WorkerStores;
  #watched: { worker: Worker; connection: NativeConnection } | null = null;
  #kept: { until: number; answer: Promise<Readiness> } | null = null;

  constructor(stores: WorkerStores) {
    this.#stores = stores;
  }

  /** From here on the worker itself is asked too; before, the process is starting. */
  watch(worker: Worker, connection: NativeConnection): void {
    this.#watched = { worker, connection };
    this.#kept = null;
  }

  now(): Promise<Readiness> {
    if (!this.#kept || this.#kept.until < performance.now())
      this.#kept = { until: performance.now() + KEPT_MS, answer: this.#check() };
    return this.#kept.answer;
  }

  async #check(): Promise<Readiness> {
    const entries = Object.entries(this.#stores);
    const [ofWorker, ...ofStores] = await Promise.all([
      this.#workerCauses(),
      ...entries.map(([name, { store, canary }]) => storeCauses(name, store, canary)),
    ]);
    return {
      causes: [ofWorker, ...ofStores].flat(),
      stores: Object.fromEntries(entries.map(([name], place) => [name, ofStores[place]!.length === 0])),
    };
  }

  async #workerCauses(): Promise<string[]> {
    if (!this.#watched) return ['The worker is starting.'];
    const { worker, connection } = this.#watched;
    const state = worker.getState();
    const deadline = Date.now() + ANSWER_MS;
    const asked = connection.withDeadline(deadline, () => connection.workflowService.getSystemInfo({}));
    return [
      ...(state === 'RUNNING' ? [] : [`The worker is ${state.toLowerCase()}.`]),
      ...((await answerOf(asked)) === undefined ? ['Temporal does not answer.'] : []),
    ];
  }
}

async function storeCauses(name: string, store: ObjectStore, canary: boolean): Promise<string[]> {
  const passed = await answerOf(hasPassed(store));
  if (passed === undefined) return [`The ${name} store does not answer.`];
  if (passed || !canary) return [];
  return [`The ${name} store is not the one that was tested at the start; start the worker again.`];
}

/** The answer, or undefined when there is none in time. Texts of other people's errors are left behind. */
const answerOf = <T>(answer: Promise<T>): Promise<T | undefined> =>
  Promise.race([answer.catch(() => undefined), delay(ANSWER_MS, undefined, { ref: false })]);

/**
 * Serves `/healthz` (the process lives and its event loop turns, or there would be no answer) and `/readyz` (200 when
 * the worker can work, 503 with the causes when not). Throws CONFIGURATION_INVALID when it cannot listen there.
 */
export async function startHealthServer(address: string, readiness: ReadinessCheck): Promise<void> {
  const server = createServer(async (request, response) => {
    const [status, body] = await answerTo(request.url ?? '', readiness);
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(`${JSON.stringify(body)}\n`);
  });
  const { hostname, port } = new URL(`http://${address}`);
  const taken = new OpalineError(
    'CONFIGURATION_INVALID',
    `The worker cannot listen on ${address} (observe.health); another process may have the port: take another.`,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(taken));
    server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''), resolve);
  });
  server.unref(); // it must not keep alive a worker that has stopped
}

async function answerTo(path: string, readiness: ReadinessCheck): Promise<[status: number, body: object]> {
  if (path === '/healthz') return [200, { status: 'live' }];
  if (path !== '/readyz') return [404, { status: 'unknown path' }];
  const { causes } = await readiness.now();
  return causes.length === 0 ? [200, { status: 'ready' }] : [503, { status: 'not ready', causes }];
}
