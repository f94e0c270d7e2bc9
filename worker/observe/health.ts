import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { NativeConnection, Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { hasPassed } from '../../services/stores/canary.ts';
import { grpcCode, NOT_FOUND } from '../../services/temporal/connection.ts';
import { type DeployedSide, deploymentVersions } from '../../services/temporal/current-version.ts';
import { every } from './repeat.ts';

/** Milliseconds between two looks. They are made in the background, so that a probe has its answer at once. */
const LOOK_MS = 5_000;

/** Milliseconds that Temporal, a store or the files of trust get to answer. */
const ANSWER_MS = 3_000;

/** The task goes to another host, or comes back when there may be room. */
const NO_ROOM = ['Scratch had no room for an activity of the last minutes: make some.'];

/** Stores by name. The canary leaves objects, so that it is kept out of a store that the world reads. */
export type WorkerStores = Record<string, { store: ObjectStore; canary: boolean }>;

/**
 * Why a worker cannot work now, in short public sentences; none: it is ready. `stores` says which of them answer,
 * `isCurrent` whether new work comes to its build: absent while Temporal does not say.
 */
type Readiness = { causes: string[]; stores: Record<string, boolean>; isCurrent?: boolean };

/** What a worker is looked at for, beside itself. */
export type ReadinessSubject = DeployedSide & {
  stores: WorkerStores;
  /** Whether trust file, policy and ledgers let it go on. Throws with the code and sentence of the cause. */
  requireSettled(): Promise<void>;
  /** Whether its scratch has had room for what was done lately. */
  hasRoom(): boolean;
  /** Its build, as the server knows it. */
  buildId: string;
};

export type ReadinessCheck = ReturnType<typeof readinessCheck>;

/**
 * Knows whether a worker can work: it runs; Temporal has its namespace, and a build of its side to send tasks to; its
 * stores answer and, where tested, are those; and it is not behind in what it believes.
 */
export function readinessCheck(subject: ReadinessSubject) {
  let target: Worker | null = null;
  let last: Readiness = { causes: ['The worker is starting.'], stores: {} };
  return {
    /** From here on it is looked at, again and again; before, the process is starting. */
    watch: (worker: Worker, connection: NativeConnection, log: Logger): void => {
      target = worker;
      every(LOOK_MS, log, 'the look whether the worker is ready', async () => {
        last = await readinessOf(subject, connection);
      });
    },
    /** As it was at the last look. A worker that has begun to stop is not ready from then on. */
    now: (): Readiness => {
      const state = target?.getState() ?? 'RUNNING';
      if (state === 'RUNNING') return last;
      return { ...last, causes: [`The worker is ${state.toLowerCase()}.`, ...last.causes] };
    },
  };
}

async function readinessOf(subject: ReadinessSubject, connection: NativeConnection): Promise<Readiness> {
  const entries = Object.entries(subject.stores);
  const [{ causes: ofTemporal, isCurrent }, ofBelief, ...ofStores] = await Promise.all([
    temporalReadiness(subject, connection),
    beliefCauses(subject),
    ...entries.map(([name, { store, canary }]) => storeCauses(name, store, canary)),
  ]);
  return {
    ...(isCurrent !== undefined && { isCurrent }),
    causes: [ofTemporal, ofBelief, subject.hasRoom() ? [] : NO_ROOM, ...ofStores].flat(),
    stores: Object.fromEntries(entries.map(([name], place) => [name, ofStores[place]!.length === 0])),
  };
}

async function temporalReadiness(
  { namespace, side, buildId }: ReadinessSubject,
  connection: NativeConnection,
): Promise<Pick<Readiness, 'causes' | 'isCurrent'>> {
  const request = connection.withDeadline(Date.now() + ANSWER_MS, async () => {
    await connection.workflowService.describeNamespace({ namespace });
    return deploymentVersions(connection.workflowService, { namespace, side });
  });
  const answer = request.then(
    ({ current }) => ({
      isCurrent: current === buildId,
      causes: current === null ? [`No build is current on the ${side} side: \`opaline doctor\` says more.`] : [],
    }),
    (error: unknown) => {
      if (grpcCode(error) === NOT_FOUND)
        return { causes: [`Temporal has no namespace ${namespace}: \`opaline temporal setup\` makes it.`] };
      throw error;
    },
  );
  return (await answerOf(answer)) ?? { causes: ['Temporal does not answer.'] };
}

/** A store that does not answer is named as such, and not here. */
async function beliefCauses(subject: ReadinessSubject): Promise<string[]> {
  const answer = subject.requireSettled().then(
    () => null,
    (error: unknown) => (error instanceof OpalineError && error.code !== 'STORE_UNAVAILABLE' ? error : null),
  );
  const cause = await answerOf(answer);
  return cause ? [`${cause.code}: ${cause.message}`] : [];
}

async function storeCauses(name: string, store: ObjectStore, canary: boolean): Promise<string[]> {
  const isSame = await answerOf(hasPassed(store));
  if (isSame === undefined) return [`The ${name} store does not answer.`];
  if (isSame || !canary) return [];
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
  const server = createServer((request, response) => {
    const [status, body] = answerTo(request.url ?? '', readiness);
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(`${JSON.stringify(body)}\n`);
  });
  const { hostname, port } = new URL(`http://${address}`);
  const failure = new OpalineError(
    'CONFIGURATION_INVALID',
    `The worker cannot listen on ${address} (observe.health); another process may have the port: take another.`,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(failure));
    server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''), resolve);
  });
  server.unref(); // it must not keep alive a worker that has stopped
}

function answerTo(path: string, readiness: ReadinessCheck): [status: number, body: object] {
  if (path === '/healthz') return [200, { status: 'live' }];
  if (path !== '/readyz') return [404, { status: 'unknown path' }];
  const { causes } = readiness.now();
  return causes.length === 0 ? [200, { status: 'ready' }] : [503, { status: 'not ready', causes }];
}
