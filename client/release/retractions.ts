import { OpalineError } from '../../contracts/errors.ts';
import { type ReleaseReference, releaseWorkflowId, retractWorkflowId, type Stage } from '../../contracts/names.ts';
import { RELEASE_STATE_TABLE, type ReleaseState } from '../../contracts/release-state.ts';
import type { ReleaseStatus, Stall } from '../../contracts/stages.ts';
import type { OpalineClient, ReleaseSummary } from '../opaline-client.ts';
import { retractionStatus } from './retract-release.ts';

/**
 * A retraction that is done, or on its way. `reasons`: the public reasons of those who signed it so far; when it is
 * done, those that its tombstone gives.
 */
export type RetractionProgress = {
  state: ReleaseState;
  reasons: string[];
  signed: number;
  required: number;
  /** What holds it up after it was signed; null: nothing. */
  stall: Stall | null;
};

/** Milliseconds that a stalled release gets to say what holds it up. */
const ANSWER_MS = 3_000;

/** A status or a line of the list, with what became of the publication; the state is `retracted` when it was. */
export type Retractable<T> = T & { retraction: RetractionProgress | null };

/** The retraction of a release; null when there is none, or when it was refused or given up: the publication stands. */
export async function retractionOf(
  client: OpalineClient,
  release: ReleaseReference,
): Promise<RetractionProgress | null> {
  try {
    const { state, decisions, required, stall } = await retractionStatus(client, release);
    if (state !== 'retracted' && RELEASE_STATE_TABLE[state].final) return null;
    const reasons = [...new Set(decisions.map(({ reason }) => reason))].sort();
    return { state, reasons, signed: decisions.length, required, stall: stall ?? null };
  } catch (error) {
    const isNone = error instanceof OpalineError && error.code === 'RELEASE_UNKNOWN';
    if (isNone) return null;
    throw error;
  }
}

/** Where a release stands, its retraction included. Throws RELEASE_UNKNOWN and RELEASE_ENDED_OUTSIDE. */
export async function statusWithRetraction(
  client: OpalineClient,
  release: ReleaseReference,
): Promise<Retractable<ReleaseStatus>> {
  const status = await client.status(release);
  return retractable(status, status.state === 'published' ? await retractionOf(client, release) : null);
}

/** A line of the list: what became of the publication, and what a release that is stalled is held up by. */
export type ReleaseLine = Retractable<ReleaseSummary> & { stall: (Stall & { stage: Stage }) | null };

/** All releases that the server remembers, newest window first, with their retractions and stalls. */
export async function listWithRetractions(client: OpalineClient): Promise<ReleaseLine[]> {
  const retracted = new Set<string>();
  for await (const { workflowId } of client.temporal.workflow.list({ query: "WorkflowType = 'retractWorkflow'" }))
    retracted.add(workflowId);
  const lines: ReleaseLine[] = [];
  for (const line of await client.list()) {
    const isAsked = line.state === 'published' && retracted.has(retractWorkflowId(line));
    const stall = line.state === 'stalled' || line.state === 'ending-stalled' ? await stallOf(client, line) : null;
    lines.push({ ...retractable(line, isAsked ? await retractionOf(client, line) : null), stall });
  }
  return lines;
}

/** What a release is held up by; null when it does not say so at once: the list needs no public worker. */
async function stallOf({ temporal }: OpalineClient, release: ReleaseReference): Promise<ReleaseLine['stall']> {
  const handle = temporal.workflow.getHandle(releaseWorkflowId(release));
  const status = await temporal
    .withDeadline(Date.now() + ANSWER_MS, () => handle.query<ReleaseStatus>('status'))
    .catch(() => null);
  return status?.stall ? { ...status.stall, stage: status.stage } : null;
}

const retractable = <T extends { state: ReleaseSummary['state'] }>(
  one: T,
  retraction: RetractionProgress | null,
): Retractable<T> => ({ ...one, ...(retraction?.state === 'retracted' && { state: 'retracted' }), retraction });
