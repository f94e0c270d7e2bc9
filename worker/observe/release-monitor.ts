import type { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
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

const DAY_MS = 86_400_000;

/** Releases that ended are shown for so many days, so that a failed one is seen and does not alarm for ever. */
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
 * Sets the metrics of releases and partitions from Temporal's list of releases and their own public status; each window
 * counts once, with its newest version, and a stalled one always. States and partitions are public (C20), and nothing
 * here is counted in data.
 */
export class ReleaseMonitor {
  private readonly client: Client;
  private readonly releaseStore: ObjectStore;
  private readonly gauges = releaseGauges();
  /** Series that were seen once: what is no more has to be set to 0, or the last value would stand. */
  private readonly seen = new Set<string>();
  private answers = new Map<string, Answered>();

  constructor(client: Client, releaseStore: ObjectStore) {
    this.client = client;
    this.releaseStore = releaseStore;
  }

  async pass(now: Date = new Date()): Promise<void> {
    const releases = newestVersions(await this.find(now));
    const answers = new Map<string, Answered>();
    for (const release of releases.filter(({ open }) => open)) {
      const answer = await this.ask(release, now).catch(() => null); // unanswered: its state alone is shown
      if (answer) answers.set(releaseWorkflowId(release), answer);
    }
    this.answers = answers;
    for (const { series } of releases) this.seen.add(series);
    for (const series of this.seen) {
      const own = releases.filter((release) => release.series === series);
      this.show(
        series,
        own,
        [...answers.values()].filter(({ status }) => status.series === series),
        now,
      );
    }
  }

  private async find(now: Date): Promise<Found[]> {
    const ended = new Date(now.getTime() - ENDED_DAYS * DAY_MS).toISOString();
    const query = `WorkflowType = 'releaseWorkflow' AND (ExecutionStatus = 'Running' OR CloseTime > '${ended}')`;
    const found: Found[] = [];
    for await (const one of this.client.workflow.list({ query })) {
      const release = parseReleaseWorkflowId(one.workflowId);
      if (!release) continue;
      const open = one.status.name === 'RUNNING';
      const state = String(one.searchAttributes[SEARCH_ATTRIBUTES.state]?.[0] ?? 'running');
      found.push({ ...release, state: open || isFinal(state) ? state : 'failed', open });
    }
    return found;
  }

  private async ask(release: Found, now: Date): Promise<Answered> {
    const id = releaseWorkflowId(release);
    const before = this.answers.get(id);
    const isFresh = before?.state === release.state && now.getTime() - before.at < ASKED_AGAIN_MS;
    if (before && isFresh && QUIET.includes(release.state)) return before;
    const status = await this.client.withDeadline(Date.now() + ANSWER_MS, () =>
      this.client.workflow.getHandle(id).query<ReleaseStatus>('status'),
    );
    const { gate } = await readSeries(this.releaseStore, status);
    return { state: release.state, at: now.getTime(), status, days: gate.expiresAfterDays };
  }

  private show(series: string, releases: Found[], answers: Answered[], now: Date): void {
    for (const state of RELEASE_STATES)
      this.gauges.releases.set(releases.filter((one) => one.state === state).length, { series, state });
    const partitions = answers.flatMap(({ status }) => status.partitions);
    for (const state of PARTITION_STATES)
      this.gauges.partitions.set(partitions.filter((one) => one.state === state).length, { series, state });
    const waits = answers.filter(({ status }) => status.state === 'waiting').map((one) => waitOf(one, now));
    this.gauges.waiting.set(releases.filter(({ state }) => state === 'waiting').length, { series });
    this.gauges.oldest.set(Math.max(0, ...waits.map(({ seconds }) => seconds)), { series });
    this.gauges.spent.set(Math.max(0, ...waits.map(({ ratio }) => ratio)), { series });
  }
}

/** A release that was ended in Temporal, and not by Opaline, kept the state that it had: it counts as failed. */
const isFinal = (state: string): boolean =>
  RELEASE_STATES.some((one) => one === state && RELEASE_STATE_TABLE[one].final);

/** How long a release has waited at the gate, and which part of the time until it expires that is. */
function waitOf({ status, days }: Answered, now: Date): { seconds: number; ratio: number } {
  if (!status.expiresAt) return { seconds: 0, ratio: 0 };
  const allowed = days * DAY_MS;
  const waited = Math.max(0, now.getTime() - (Date.parse(status.expiresAt) - allowed));
  return { seconds: waited / 1000, ratio: waited / allowed };
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

function releaseGauges() {
  const meter = Runtime.instance().metricMeter;
  return {
    releases: meter.createGauge('opaline_releases', 'int', '', 'Releases by state, open or ended in the last 7 days.'),
    partitions: meter.createGauge('opaline_partitions', 'int', '', 'Partitions of open releases by state.'),
    waiting: meter.createGauge('opaline_waiting_approvals', 'int', '', 'Releases that wait at the gate for people.'),
    oldest: meter.createGauge(
      'opaline_waiting_oldest_seconds',
      'float',
      '',
      'Time that the oldest of them has waited.',
    ),
    spent: meter.createGauge(
      'opaline_waiting_expiry_ratio',
      'float',
      '',
      'Largest part of its time until expiry that a release at the gate has waited; 1: it expires.',
    ),
  };
}
