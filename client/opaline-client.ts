import {
  Client,
  Connection,
  QueryNotRegisteredError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import type { ClientDeployment, TemporalConfiguration } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import {
  newRelease,
  parseReleaseWorkflowId,
  type ReleaseReference,
  releasePath,
  releaseWorkflowId,
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
} from '../contracts/names.ts';
import { RELEASE_STATE_TABLE, type ReleaseAction, type ReleaseState } from '../contracts/release-state.ts';
import type { Answer, ReleaseInput, ReleaseStatus, ReleaseUpdates } from '../contracts/stages.ts';
import { readBoundedFile } from '../services/files/bounded-file.ts';
import { openStore } from '../services/stores/open-store.ts';
import { connectionOptions } from '../services/temporal/connection.ts';
import { dataConverterOf } from '../services/temporal/payload-codec.ts';
import { trustReader } from '../services/trust/trust-file.ts';
import { readStatus } from './release/read-status.ts';
import { listCharges, readStoredStatus } from './release/stored-status.ts';
import { askOffered, noNamespace, on, statusOf, untilAnswered } from './workflow-calls.ts';

/** One line of the list of releases. `ended-outside`: it has not ended, and its workflow was ended or is lost. */
export type ReleaseSummary = ReleaseReference & {
  state: ReleaseState | 'ended-outside';
  /** ISO 8601 with Z; null when Temporal has forgotten it. */
  startedAt: string | null;
};

export const releaseExists = (release: ReleaseReference): OpalineError =>
  new OpalineError(
    'RELEASE_EXISTS',
    `${releasePath(release)} was started before, and a release runs once; \`opaline show ${releasePath(release)}\` says where it stands. When Temporal has lost it, \`opaline resume ${releasePath(release)}\` goes on with it. A new version (--release-version) is a new charge.`,
  );

/** The key of the policy that a deployment names, or null. Throws KEY_INVALID when it cannot be read. */
export async function readSigningKey({ signingKeyFile }: ClientDeployment): Promise<string | null> {
  if (signingKeyFile === undefined) return null;
  const { bytes } = await readBoundedFile(signingKeyFile, MOST_KEY_BYTES);
  if (bytes) return bytes.toString('utf8');
  throw new OpalineError(
    'KEY_INVALID',
    'The signing key of the client deployment cannot be read; mend signingKeyFile.',
  );
}

const MOST_KEY_BYTES = 10_000;

/**
 * Connects to Temporal. Throws SERVER_UNAVAILABLE when it does not answer, and CONFIGURATION_INVALID for a certificate or
 * key that cannot be read.
 */
async function connect(temporal: TemporalConfiguration): Promise<Connection> {
  const options = await connectionOptions(temporal);
  return Connection.connect({ ...options, connectTimeout: 5_000 }).catch(() => {
    throw new OpalineError(
      'SERVER_UNAVAILABLE',
      `Temporal does not answer at ${temporal.address}; start it (\`opaline up\` for the embedded stack), or mend \`temporal\` in the deployment file, its \`tls\` too: a refused certificate looks the same.`,
    );
  });
}

/** Asks Temporal something in one connection, which is closed after it. Throws what `connect` throws. */
export async function askTemporal<T>(
  temporal: TemporalConfiguration,
  ask: (client: Client, connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(temporal);
  return ask(new Client({ connection, namespace: temporal.namespace }), connection).finally(() => connection.close());
}

/** What people and programs ask of a running Opaline; the command line and the console share it. */
export type OpalineClient = Awaited<ReturnType<typeof openClient>>;

/** Opens one. Throws SERVER_UNAVAILABLE when Temporal does not answer. */
export async function openClient(deployment: ClientDeployment) {
  const signingKey = await readSigningKey(deployment);
  const dataConverter = await dataConverterOf(deployment.temporal);
  const connection = await connect(deployment.temporal);
  const temporal = new Client({ connection, namespace: deployment.temporal.namespace, dataConverter });
  const [releaseStore, trust] = [openStore(deployment.releaseStore), trustReader(deployment.trust, true)];
  const reader = { releaseStore, trust };
  let isClosed = false;
  const handleOf = (release: ReleaseReference) =>
    temporal.workflow.getHandle<(input: ReleaseInput) => Promise<ReleaseStatus>>(releaseWorkflowId(release));

  /**
   * The status of a release; waits for a public worker that is being started again. Of one that has ended, and that
   * Temporal does not have, the stores answer. Throws RELEASE_UNKNOWN, and RELEASE_ENDED_OUTSIDE when it has not ended
   * and its workflow is lost or was ended in Temporal.
   */
  async function status(release: ReleaseReference): Promise<ReleaseStatus> {
    const handle = handleOf(release);
    const query = untilAnswered(
      () => statusOf(handle),
      () => isClosed,
    );
    const reply = query.then(
      // Somebody has started again what has run: that execution says nothing of the release.
      async (answer) =>
        answer.ending?.code === 'RELEASE_EXISTS' ? ((await readStoredStatus(reader, release)) ?? answer) : answer,
      async (error: unknown) => {
        const isGone = error instanceof WorkflowNotFoundError || error instanceof WorkflowFailedError;
        const record = isGone ? await readStoredStatus(reader, release) : null;
        if (record) return record;
        throw error;
      },
    );
    return readStatus(release, await reply.catch(throwNoAnswer(release)));
  }

  return {
    releaseStore,
    /** A key of the policy that signs series files and orders by itself (PKCS#8 PEM); null: people bring signatures. */
    signingKey,
    /** Where publications are read, a folder or an address; null: nowhere. */
    publications: deployment.publications ?? null,
    /** Whom the person believes, as the trust file of the deployment says now. Throws TRUST_INVALID. */
    trust,
    /** For the client modules of schedules and back-fills; everybody else asks by the methods here. */
    temporal,
    status,

    async close(): Promise<void> {
      isClosed = true;
      await connection.close();
    },

    /**
     * Starts a release under its fixed id; `again`: also when it ran before, and has ended. Throws RELEASE_EXISTS when
     * that id has run before, or runs.
     */
    async start(run: ReleaseInput, times: 'once' | 'again' = 'once'): Promise<void> {
      const start = temporal.workflow.start('releaseWorkflow', {
        ...newRelease(run),
        taskQueue: TASK_QUEUES.public,
        args: [run],
        workflowIdReusePolicy: times === 'once' ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
      });
      await start.catch(
        on(WorkflowExecutionAlreadyStartedError, () => {
          throw releaseExists(run);
        }),
      );
    },

    /** All releases that the server remembers or a ledger has charged, newest window first. */
    async list(): Promise<ReleaseSummary[]> {
      const summaries = new Map<string, ReleaseSummary>();
      const open = new Set<string>();
      for await (const one of temporal.workflow.list({ query: "WorkflowType = 'releaseWorkflow'" })) {
        const release = parseReleaseWorkflowId(one.workflowId);
        const state = one.searchAttributes[SEARCH_ATTRIBUTES.state]?.[0];
        if (!release || !state) continue;
        const isCut = one.status.name !== 'RUNNING' && !RELEASE_STATE_TABLE[state as ReleaseState].final;
        const listState = isCut ? 'ended-outside' : (state as ReleaseState);
        // A release that was reset in Temporal has an earlier run in the list too.
        if (summaries.has(one.workflowId) && one.status.name !== 'RUNNING') continue;
        if (one.status.name === 'RUNNING') open.add(one.workflowId);
        summaries.set(one.workflowId, { ...release, state: listState, startedAt: one.startTime.toISOString() });
      }
      // A store or a ledger that cannot be read hides nothing of what Temporal knows.
      for (const { release, ended } of await listCharges(reader).catch(() => [])) {
        const id = releaseWorkflowId(release);
        const summary = summaries.get(id);
        if (open.has(id) || (summary && !UNSURE.includes(summary.state))) continue;
        summaries.set(id, { ...release, state: ended ?? 'ended-outside', startedAt: summary?.startedAt ?? null });
      }
      return [...summaries.values()].sort((a, b) => (releasePath(a) < releasePath(b) ? 1 : -1));
    },

    /** Asks an action of a release. An action that its state does not offer is an answer too: `accepted: false`. */
    async ask<Action extends ReleaseAction>(
      release: ReleaseReference,
      action: Action,
      request: ReleaseUpdates[Action],
    ): Promise<Answer> {
      const { state } = await status(release);
      return askOffered(handleOf(release), state, action, request).catch(throwNoAnswer(release));
    },
  };
}

/** States of closed workflows that may not be those of their releases. */
const UNSURE: readonly ReleaseSummary['state'][] = ['ended-outside', 'failed'];

/** For a `catch`: says of a release that gives no answer why, and throws it. */
const throwNoAnswer =
  (release: ReleaseReference) =>
  (error: unknown): never => {
    const name = releasePath(release);
    if (error instanceof ServiceError)
      throw new OpalineError(
        'SERVER_UNAVAILABLE',
        'The release does not answer: Temporal or the public worker is down, or cannot take it up. `opaline doctor` says which; nothing is lost meanwhile.',
      );
    if (error instanceof NamespaceNotFoundError) throw noNamespace(error);
    if (error instanceof QueryNotRegisteredError)
      throw new OpalineError(
        'SERVER_UNAVAILABLE',
        `The public worker cannot take up ${name}: its code does not fit the history. Nothing is lost; \`opaline doctor\` names the build to go back to.`,
      );
    if (error instanceof WorkflowFailedError)
      throw new OpalineError(
        'RELEASE_ENDED_OUTSIDE',
        `${name} was ended in Temporal before anything was charged; \`opaline explain\` says what comes next.`,
      );
    if (error instanceof WorkflowNotFoundError)
      throw new OpalineError(
        'RELEASE_UNKNOWN',
        `There is no release ${name}; \`opaline status\` lists those there are.`,
      );
    throw error;
  };
