import type { Client } from '@temporalio/client';
import {
  parseReleaseWorkflowId,
  type ReleaseReference,
  releaseWorkflowId,
  SEARCH_ATTRIBUTES,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { RELEASE_STATE_TABLE, RELEASE_STATES } from '../../contracts/release-state.ts';
import { PARTITION_STATES, type ReleaseStatus } from '../../contracts/stages.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import type { Sample } from './metrics.ts';

const DAY_MS = 86_400_000;

/** Releases that ended are shown for this number of days, so that a failed one is seen and does not alarm for ever. */
const ENDED_DAYS = 7;

/** A release that waits for people does not change: it is asked again when its state does, or after this time. */
const ASKED_AGAIN_MS = 600_000;

/** Milliseconds that a release gets to answer. */
const ANSWER_MS = 10_000;

/** States in which a release may wait for weeks without a change. */
const QUIET: readonly string[] = ['waiting', 'approved-waiting', 'expired'];

type Found = ReleaseReference & { state: string; open: boolean };
type Answered = { state: string; at: number; status: ReleaseStatus; days: number };

/**
 * Releases and partitions, from Temporal's list of releases and their own public status; each window counts once, with
 * its newest version, and a stalled one always. States and partitions are public (C20), and nothing here is counted in
 * data.
 */
export function lookAtReleases(client: Client, releaseStore: ObjectStore): (now: Date) => Promise<Sample[]> {
  let answers = new Map<string, Answered>();

  async function ask(release: Found, now: Date): Promise<Answered> {
    const id = releaseWorkflowId(release);
    const before = answers.get(id);
    const isFresh = before?.state === release.state && now.getTime() - before.at < ASKED_AGAIN_MS;
    if (before && isFresh && QUIET.includes(release.state)) return before;
    const status = await client.withDeadline(Date.now() + ANSWER_MS, () =>
      client.workflow.getHandle(id).query<ReleaseStatus>('status'),
    );
    const { gate } = await readSeries(releaseStore, status);
    return { state: release.state, at: now.getTime(), status, days: gate.expiresAfterDays };
  }

  return async (now) => {
    const releases = newestVersions(await releasesOf(client, now));
    const next = new Map<string, Answered>();
    for (const release of releases.filter(({ open }) => open)) {
      const answer = await ask(release, now).catch(() => null); // unanswered: its state alone is shown
      if (answer) next.set(releaseWorkflowId(release), answer);
    }
    answers = next;
    const all = [...answers.values()];
    return [...Map.groupBy(releases, ({ series }) => series)].flatMap(([series, own]) => {
      const states = own.map(({ state }) => state);
      const replies = all.filter(({ status }) => status.series === series);
      return samplesOf(series, states, replies, now);
    });
  };
}

async function releasesOf(client: Client, now: Date): Promise<Found[]> {
  const since = new Date(now.getTime() - ENDED_DAYS * DAY_MS).toISOString();
  const query = `WorkflowType = 'releaseWorkflow' AND (ExecutionStatus = 'Running' OR CloseTime > '${since}')`;
  const releases: Found[] = [];
  for await (const { workflowId, status, searchAttributes } of client.workflow.list({ query })) {
    const release = parseReleaseWorkflowId(workflowId);
    if (!release) continue;
    const open = status.name === 'RUNNING';
    const state = String(searchAttributes[SEARCH_ATTRIBUTES.state]?.[0] ?? 'running');
    releases.push({ ...release, state: open || isFinal(state) ? state : 'failed', open });
  }
  return releases;
}

/** A release that was ended in Temporal, and not by Opaline, kept the state that it had: it counts as failed. */
const isFinal = (state: string): boolean =>
  RELEASE_STATES.some((one) => one === state && RELEASE_STATE_TABLE[one].final);

function samplesOf(series: string, states: readonly string[], answers: readonly Answered[], now: Date): Sample[] {
  const partitions = answers.flatMap(({ status }) => status.partitions.map(({ state }) => state as string));
  const count = (list: readonly string[], state: string): number => list.filter((one) => one === state).length;
  const waits = answers.filter(({ status }) => status.state === 'waiting').map((one) => waitOf(one, now));
  return [
    ...RELEASE_STATES.map((state): Sample => ['opaline_releases', count(states, state), { series, state }]),
    ...PARTITION_STATES.map((state): Sample => ['opaline_partitions', count(partitions, state), { series, state }]),
    ['opaline_waiting_approvals', count(states, 'waiting'), { series }],
    ['opaline_waiting_oldest_seconds', Math.max(0, ...waits.map(({ seconds }) => seconds)), { series }],
    ['opaline_waiting_expiry_ratio', Math.max(0, ...waits.map(({ ratio }) => ratio)), { series }],
  ];
}

/** How long a release has waited at the gate, and which part of the time until it expires that is. */
function waitOf({ status, days }: Answered, now: Date): { seconds: number; ratio: number } {
  if (!status.expiresAt) return { seconds: 0, ratio: 0 };
  const limit = days * DAY_MS;
  const wait = Math.max(0, now.getTime() - (Date.parse(status.expiresAt) - limit));
  return { seconds: wait / 1000, ratio: wait / limit };
}

function newestVersions(releases: readonly Found[]): Found[] {
  const windows = Map.groupBy(releases, ({ series, window }) => `${series}/${window}`);
  return [...windows.values()].flatMap((versions) => {
    const newest = versions.reduce((a, b) => (isNewer(b, a) ? b : a));
    // What was half done under an older version is not lost sight of.
    return versions.filter((one) => one === newest || one.state === 'stalled' || one.state === 'ending-stalled');
  });
}

/** Of one version that was reset in Temporal, the run that is open counts. */
const isNewer = (one: Found, other: Found): boolean =>
  one.version > other.version || (one.version === other.version && one.open && !other.open);
