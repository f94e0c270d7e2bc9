import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Backfill } from '../contracts/backfill.ts';
import { backfillWorkflowId } from '../contracts/backfill.ts';
import type { DecisionKind } from '../contracts/decision.ts';
import type { ErrorCode } from '../contracts/errors.ts';
import { type Partition, QUEUES, TASK_QUEUES } from '../contracts/names.ts';
import type { ReleaseState } from '../contracts/release-state.ts';
import type {
  DecideRequest,
  PrivateActivities,
  PublicActivities,
  ReleasePlan,
  ReleaseStatus,
  Run,
} from '../contracts/stages.ts';
import { provideTool } from '../infra/provision/tools.mjs';
import { rawKeyOf } from '../services/signing/credential.ts';
import { generateSigningKey } from '../services/signing/keys.ts';
import { startTemporalServer } from '../stack/temporal-server.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { signDecision } from '../test/support/sign-decision.ts';
import { ANY_BASIS } from '../test/support/trust-files.ts';
import { workflowBundle } from '../worker/workflow-bundle.ts';
import { fromBase64 } from './gate-screen.ts';

type Activities = PrivateActivities & PublicActivities;
/** What the activities of one release answer, where it differs from a release without an incident. */
export type Script = { [Name in keyof Activities]?: (...input: Parameters<Activities[Name]>) => unknown };

export const DIGEST = 'ab'.repeat(32);
export const WINDOW = '2026-03-02';
export const DAYS: Partition[] = ['2026-03-02', '2026-03-03'].map((day) => ({ part: 'bus', day }));
const person = (subject: string) => ({ subject, ...generateSigningKey() });
export const [ada, ben, eve] = [person('ada'), person('ben'), person('eve')];

/** An activity fails for good with a code of the table. */
export const fails = (code: ErrorCode) => (): never => {
  throw ApplicationFailure.nonRetryable('It is so in the script.', code);
};

export const PLAN: ReleasePlan = {
  partitions: DAYS,
  required: 1,
  elsewhere: 0,
  coolingHours: 0,
  expiresAfterDays: 1,
  publishNotBefore: null,
  completeness: null,
  charge: null,
};

/** What the private worker remembers of a decision. */
export const decisionOf = (subject: string, decision = 'approve', reason = 'audit-passed') => ({
  subject,
  relyingParty: null,
  decision,
  reason,
  digest: DIGEST,
});

export const SMOOTH: Script = {
  plan: () => PLAN,
  missingObjects: () => ({ names: [], total: 0 }),
  changedObjects: () => ({ changed: [], total: 0 }),
  ingest: () => ({ faults: [] }),
  reingest: () => ({ faults: [] }),
  reserve: () => ({ charge: 'charge' }),
  bin: () => ({ faults: [] }),
  privatize: ({ partitions }) => partitions.map((partition) => ({ partition, digest: DIGEST })),
  abandon: ({ partitions }) => partitions.map((one) => ({ ...one, code: 'OBJECT_MISSING' })),
  shadow: () => ({}),
  audit: () => ({ manifestDigest: DIGEST, verdict: 'pass', attention: [] }),
  approvers: () => ({
    digest: DIGEST,
    approvers: [ada, ben].map(({ subject, publicKey }) => ({
      subject,
      ...rawKeyOf({ key: publicKey })!,
      passkey: null,
    })),
  }),
  decide: ({ action, envelope }) => {
    const { predicate } = JSON.parse(new TextDecoder().decode(fromBase64(envelope.payload)!));
    const { subject, reason } = predicate;
    const arrivedAt = new Date().toISOString();
    return { accepted: true, ...decisionOf(subject, action, reason), arrivedAt, coolingHours: 0 };
  },
  openGate: () => ({ openedAt: new Date().toISOString(), decisions: [], isWithdrawn: false }),
  publish: () => ({ location: 'here', attestation: DIGEST, statement: {} }),
  noticeChannels: () => [],
};

/**
 * The workflows of production on a Temporal server, with one worker whose activities answer as the script of their series
 * says. Nothing is stored: what a workflow asks for, in which order, is what a test looks at. `hosts`: those that take
 * heavy work of the private side.
 */
export async function startScriptedWorker(hosts: readonly Partial<WorkerOptions>[] = [{}]) {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'ERROR' } } });
  const folder = newFolder();
  const { address, process: server } = await startTemporalServer({
    cli: await provideTool('temporal-cli'),
    database: join(folder, 'temporal.db'),
    logFile: join(folder, 'log'),
    ui: false,
  });
  const connection = await NativeConnection.connect({ address });
  const ofHosts = await Promise.all(hosts.map(() => NativeConnection.connect({ address })));
  const client = new Client({ connection: await Connection.connect({ address }) });
  const scripts = new Map<string, Script>();
  const calls = new Map<string, [name: string, input: Record<string, unknown>][]>();
  const answer = (name: string) => async (input: Run) => {
    // Notices go beside everything else.
    if (name !== 'noticeChannels') calls.get(input.series)?.push([name, input as never]);
    const script: Script = { ...SMOOTH, ...scripts.get(input.series) };
    return (script[name as keyof Script] as ((input: unknown) => unknown) | undefined)?.(input);
  };
  const names = [
    'planRetraction',
    'retract',
    'commit',
    'withhold',
    'derive',
    'reaudit',
    'updatePages',
    'notify',
    'carry',
    ...Object.keys(SMOOTH),
  ];
  const activities = Object.fromEntries(names.map((name) => [name, answer(name)]));
  const options = { connection, shutdownGraceTime: 0, shutdownForceTime: '1 second' } as const;
  const codePath = await workflowBundle();
  const { heavy } = QUEUES.usual;
  const workers = [
    ...(await Promise.all(
      [
        ...[TASK_QUEUES.private, heavy.public, ...Object.values(QUEUES.patient).flatMap(Object.values)].map(
          (taskQueue: string) => ({ taskQueue }),
        ),
        ...hosts.map((host, place) => ({ ...host, connection: ofHosts[place]!, taskQueue: heavy.private })),
      ].map((one) => Worker.create({ ...options, ...one, activities })),
    )),
    await Worker.create({ ...options, taskQueue: TASK_QUEUES.public, activities, workflowBundle: { codePath } }),
  ];
  const runs = workers.map((worker) => worker.run().catch(() => undefined));

  const start = async (workflow: string, series: string, script: Script, argument: object): Promise<Started> => {
    scripts.set(series, script);
    calls.set(series, []);
    const workflowId = workflow === 'backfillWorkflow' ? backfillWorkflowId(series) : `${workflow}/${series}`;

    const execution = { taskQueue: TASK_QUEUES.public, workflowId, args: [argument] };
    return new Started(await client.workflow.start(workflow, execution), calls.get(series)!, {
      series,
      window: WINDOW,
      version: 1,
      seriesDigest: DIGEST,
    });
  };
  return {
    client,
    start,
    /** Starts a release of a series of its own. */
    release: (series: string, script: Script = {}): Promise<Started> =>
      start('releaseWorkflow', series, script, {
        series,
        window: WINDOW,
        version: 1,
        seriesDigest: DIGEST,
        correction: null,
      }),
    end: async (): Promise<void> => {
      for (const worker of workers) worker.shutdown();
      await Promise.all(runs);
      await client.connection.close();
      await Promise.all([connection, ...ofHosts].map((one) => one.close().catch(() => undefined)));
      await server.stop();
    },
  };
}

/** A release at work. */
export class Started {
  readonly handle: WorkflowHandle;
  readonly run: Run;
  /** The activities that it has asked for, with their input, in order. */
  readonly asked: readonly [name: string, input: Record<string, unknown>][];

  constructor(handle: WorkflowHandle, calls: Started['asked'], run: Run) {
    this.handle = handle;
    this.asked = calls;
    this.run = run;
  }

  names(): string[] {
    return this.asked.map(([name]) => name);
  }

  async at(state: ReleaseState): Promise<ReleaseStatus> {
    for (let tries = 0; tries < 600; tries += 1) {
      const status = (await this.handle.query('status')) as ReleaseStatus;
      if (status.state === state) return status;
      await delay(25);
    }
    throw new Error(`${this.run.series} does not come to ${state}`);
  }

  readonly ask = (action: string, request?: unknown): Promise<unknown> =>
    this.handle.executeUpdate(action, { args: (request === undefined ? [] : [request]) as [] });

  /** A decision as people send it. */
  decision(by: typeof ada, decision: DecisionKind, manifestDigest = DIGEST): DecideRequest {
    const reason = decision === 'approve' ? ('audit-passed' as const) : ('other' as const);
    const terms = { subject: by.subject, decision, reason, acknowledged: [], ...ANY_BASIS };
    return { envelope: signDecision({ release: this.run, manifestDigest, ...terms }, by.privateKey), note: '' };
  }
}

/** A back-fill of three weeks that has not begun. */
export const backfill = (series: string): Backfill => ({
  id: `${series}/a..b`,
  series,
  seriesDigest: DIGEST,
  atOnce: 1,
  state: 'running',
  windows: ['2026-03-02', '2026-03-09', '2026-03-16'].map((window) => ({ window, state: 'to-do' })),
});
