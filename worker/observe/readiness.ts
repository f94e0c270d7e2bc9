import { setTimeout as delay } from 'node:timers/promises';
import type { NativeConnection, Worker } from '@temporalio/worker';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { hasPassed } from '../../services/stores/canary.ts';

/** Milliseconds that an answer is used again: probes cost Temporal and the stores next to nothing. */
const KEPT_MS = 5_000;

/** Milliseconds that Temporal or a store gets to answer. */
const ANSWER_MS = 3_000;

/** Stores by name. The canary leaves objects, so that it is kept out of a store that the world reads. */
export type WorkerStores = Record<string, { store: ObjectStore; canary: boolean }>;

/** Why a worker cannot work now, in short public sentences; none: it is ready. `stores` says which of them answer. */
export type Readiness = { causes: string[]; stores: Record<string, boolean> };

/** Knows whether a worker can work: it runs, Temporal answers, and its stores answer and, where tested, are those. */
export class ReadinessCheck {
  private readonly stores: WorkerStores;
  private worker: Worker | null = null;
  private connection: NativeConnection | null = null;
  private kept: { until: number; answer: Promise<Readiness> } | null = null;

  constructor(stores: WorkerStores) {
    this.stores = stores;
  }

  /** From here on the worker itself is asked too; before, the process is starting. */
  watch(worker: Worker, connection: NativeConnection): void {
    this.worker = worker;
    this.connection = connection;
    this.kept = null;
  }

  now(): Promise<Readiness> {
    if (!this.kept || this.kept.until < performance.now())
      this.kept = { until: performance.now() + KEPT_MS, answer: this.check() };
    return this.kept.answer;
  }

  private async check(): Promise<Readiness> {
    const names = Object.keys(this.stores);
    const [temporal, ...stores] = await Promise.all([
      this.temporalCause(),
      ...names.map((name) => storeCause(name, this.stores[name]!)),
    ]);
    const causes = [this.workerCause(), temporal, ...stores].filter((cause) => cause !== null);
    return { causes, stores: Object.fromEntries(names.map((name, place) => [name, stores[place] === null])) };
  }

  private workerCause(): string | null {
    if (!this.worker) return 'The worker is starting.';
    const state = this.worker.getState();
    return state === 'RUNNING' ? null : `The worker is ${state.toLowerCase()}.`;
  }

  private async temporalCause(): Promise<string | null> {
    const { connection } = this;
    if (!connection) return null; // the worker is starting, and says so
    const answers = await within(
      connection.withDeadline(Date.now() + ANSWER_MS, () => connection.workflowService.getSystemInfo({})),
    );
    return answers === undefined ? 'Temporal does not answer.' : null;
  }
}

async function storeCause(name: string, { store, canary }: WorkerStores[string]): Promise<string | null> {
  const passed = await within(hasPassed(store));
  if (passed === undefined) return `The ${name} store does not answer.`;
  return passed || !canary
    ? null
    : `The ${name} store is not the one that was tested at the start; start the worker again.`;
}

/** The answer, or undefined when there is none in time. Texts of other people's errors are left behind. */
const within = <T>(answer: Promise<T>): Promise<T | undefined> =>
  Promise.race([answer.catch(() => undefined), delay(ANSWER_MS, undefined, { ref: false })]);
