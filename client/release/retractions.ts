import { nullOn } from '../../contracts/errors.ts';
import { type ReleaseReference, releaseWorkflowId, retractWorkflowId, type Stage } from '../../contracts/names.ts';
import { RELEASE_STATE_TABLE } from '../../contracts/release-state.ts';
import type { ReleaseStatus, Stall } from '../../contracts/stages.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import type { OpalineClient, ReleaseSummary } from '../opaline-client.ts';
import { listWorkflowIds } from '../workflow-calls.ts';
import { findPublication, type PublicationSeen } from './publications.ts';
import { retractionStatus } from './retract-release.ts';

export type RetractionProgress = NonNullable<Awaited<ReturnType<typeof retractionOf>>>;

/** Milliseconds that a stalled release gets to say what holds it up. */
const ANSWER_MS = 3_000;

/** A status or a line of the list, with what became of the publication; the state is `retracted` when it was. */
export type Retractable<T> = T & {
  retraction: RetractionProgress | null;
  /** Of a published release what was seen of its publication; null where nobody looked. */
  publication?: PublicationSeen | null;
};

/**
 * The retraction of a release, done or on its way; null when there is none, or when it was refused or given up: the
 * publication stays.
 */
export async function retractionOf(client: OpalineClient, release: ReleaseReference) {
  const status = await retractionStatus(client, release).catch(nullOn('RELEASE_UNKNOWN'));
  if (!status || (status.state !== 'retracted' && RELEASE_STATE_TABLE[status.state].final)) return null;
  const { state, decisions, required, stall } = status;
  return {
    state,
    /** The public reasons of those who signed it so far; when it is done, those that its tombstone gives. */
    reasons: [...new Set(decisions.map(({ reason }) => reason))].sort(),
    /** Who signed it so far. */
    by: decisions.map(({ subject }) => subject),
    signed: decisions.length,
    required,
    /** What holds it up after it was signed; null: nothing. */
    stall: stall ?? null,
  };
}

/** The status of a release, its retraction included. Throws RELEASE_UNKNOWN and RELEASE_ENDED_OUTSIDE. */
export async function statusWithRetraction(
  client: OpalineClient,
  release: ReleaseReference,
): Promise<Retractable<ReleaseStatus>> {
  const status = await client.status(release);
  if (status.state !== 'published') return retractable(status, null);
  const publication = await findAtOnce(client, release);
  return retractable({ ...status, publication }, await retractionOf(client, release));
}

/** A line of the list: what became of the publication, what a release says that goes on, and what holds it up. */
export type ReleaseLine = Retractable<ReleaseSummary> & {
  stall: (Stall & { stage: Stage }) | null;
  /** Null for one that has ended, and for one that does not say so at once: the list needs no public worker. */
  open: ReleaseStatus | null;
};

/** What a release says that goes on, as lists of releases show it. */
export const openFacts = ({ open }: Pick<ReleaseLine, 'open'>) => ({
  failed: open?.partitions.filter(({ state }) => state === 'failed').length ?? 0,
  partitions: open?.partitions.length ?? null,
  verdict: open?.verdict ?? null,
  /** When what it waits for is over: the gate, or the objects of its window. */
  until: open?.waitingFor?.until ?? (open?.state === 'waiting' ? open.expiresAt : null),
});

const AT_ONCE = 16;

export type ReleaseFilter = { series?: string; state?: string };

/** The releases that the server remembers, newest window first, with what those say that go on. */
export async function listWithRetractions(client: OpalineClient, filter: ReleaseFilter = {}): Promise<ReleaseLine[]> {
  const ids = await listWorkflowIds(client.temporal, "WorkflowType = 'retractWorkflow'");
  const summaries = (await client.list()).filter(({ series }) => (filter.series ?? series) === series);
  const lines: ReleaseLine[] = await mapAtOnce(summaries, AT_ONCE, async (line) => {
    const isAsked = line.state === 'published' && ids.has(retractWorkflowId(line));
    const open = isOpen(line) ? await askAtOnce(client, line) : null;
    const stall = open?.stall ? { ...open.stall, stage: open.stage } : null;
    const publication = line.state === 'published' ? await findAtOnce(client, line) : null;
    return { ...retractable({ ...line, publication }, isAsked ? await retractionOf(client, line) : null), stall, open };
  });
  return lines.filter(({ state }) => (filter.state ?? state) === state);
}

/** A place that does not answer hides nothing else of a release. */
const findAtOnce = (client: OpalineClient, release: ReleaseReference): Promise<PublicationSeen | null> =>
  findPublication(client, release).catch(() => null);

const isOpen = ({ state }: ReleaseSummary): boolean => state !== 'ended-outside' && !RELEASE_STATE_TABLE[state].final;

/** What a release says of itself; null when it does not at once. */
const askAtOnce = ({ temporal }: OpalineClient, release: ReleaseReference): Promise<ReleaseStatus | null> =>
  temporal
    .withDeadline(Date.now() + ANSWER_MS, () =>
      temporal.workflow.getHandle(releaseWorkflowId(release)).query<ReleaseStatus>('status'),
    )
    .catch(() => null);

/** Temporal forgets retractions; the tombstone stays. */
const retractable = <T extends { state: ReleaseSummary['state']; publication?: PublicationSeen | null }>(
  one: T,
  retraction: RetractionProgress | null,
): Retractable<T> => {
  const isRetracted = retraction?.state === 'retracted' || one.publication?.isRetracted === true;
  return { ...one, ...(isRetracted && { state: 'retracted' as const }), retraction };
};
