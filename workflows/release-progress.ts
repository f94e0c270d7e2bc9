import { defineQuery, log, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { ErrorCode } from '../contracts/errors.ts';
import { type Partition, partitionPath, releasePath, SEARCH_ATTRIBUTES, type Stage } from '../contracts/names.ts';
import type { ReleaseState } from '../contracts/release-state.ts';
import type {
  AuditResult,
  Correction,
  Draw,
  Hole,
  ObjectCode,
  ObjectFault,
  PartitionState,
  PartitionStatus,
  ReleaseInput,
  ReleasePlan,
  ReleaseStatus,
  Run,
  Stall,
} from '../contracts/stages.ts';

export const statusQuery = defineQuery<ReleaseStatus>('status');

/** What a release knows of itself; the Query `status` answers with it. Everything in it is public (C20). */
export class ReleaseProgress {
  readonly run: Run;
  readonly correction: Correction | null;
  state: ReleaseState = 'running';
  /** When it entered its state; undefined before the first change. */
  since: string | undefined;
  stage: Stage = 'ingest';
  plan: ReleasePlan = { partitions: [], required: 1, expiresAfterDays: 1, publishNotBefore: null, completeness: null };
  charge: string | null = null;
  audit: AuditResult | null = null;
  /** Verdict of the first audit, when there was a second one. */
  firstVerdict: ReleaseStatus['firstVerdict'];
  expiresAt: string | null = null;
  location: string | null = null;
  waitingFor: ReleaseStatus['waitingFor'] = null;
  sourceChanges: ReleaseStatus['sourceChanges'] = null;
  stall: Stall | null = null;
  ending: { code: ErrorCode; message: string } | null = null;
  /** Told of each state that the release enters. */
  onEnter: (state: ReleaseState) => void = () => {};
  /** Signed decisions of approvers that were refused. */
  refusals = 0;
  /** Times that the source was ingested; names the inventory and the cells on the custodian side. */
  round = 0;
  readonly decisions: (ReleaseStatus['decisions'][number] & { digest: string })[] = [];
  private readonly statuses = new Map<string, PartitionStatus>();
  private readonly digests = new Map<string, string>();
  private readonly codes = new Map<string, ObjectCode>();
  private readonly binnedRounds = new Map<string, number>();

  constructor({ correction, ...run }: ReleaseInput) {
    this.run = run;
    this.correction = correction;
    setHandler(statusQuery, () => this.status());
  }

  enter(state: ReleaseState, stage: Stage): void {
    this.stage = stage;
    if (this.state === state) return;
    this.state = state;
    this.since = new Date().toISOString(); // the workflow's own clock
    upsertSearchAttributes({ [SEARCH_ATTRIBUTES.state]: [state] });
    log.info('release changed its state', { release: releasePath(this.run), state, stage });
    this.onEnter(state);
  }

  setPlan(plan: ReleasePlan): void {
    this.plan = plan;
    for (const partition of this.plan.partitions) this.mark(partition, 'pending');
  }

  mark(
    partition: Partition,
    state: PartitionState,
    cause?: { code: ErrorCode; object?: string; message?: string },
  ): void {
    this.statuses.set(partitionPath(partition), { part: partition.part, day: partition.day, state, ...cause });
  }

  /** Its cells are there, of the round that is at work now. */
  markBinned(partition: Partition): void {
    this.binnedRounds.set(partitionPath(partition), this.round);
    this.mark(partition, 'binned');
  }

  /** The round whose cells a partition is drawn from; null when it was not counted. A draw is of one round (C11). */
  binnedRound(partition: Partition): number | null {
    return this.binnedRounds.get(partitionPath(partition)) ?? null;
  }

  /** Names of objects that fit no pattern, and so hold back nothing. */
  private readonly unread: string[] = [];

  /** An object at fault holds back exactly the partitions that it may feed (C6), unless they are drawn already. */
  markFaults(faults: ObjectFault[]): void {
    for (const { object, code, partitions, message } of faults) {
      if (partitions.length === 0 && !this.unread.includes(object)) this.unread.push(object);
      for (const partition of partitions) {
        const status = this.statuses.get(partitionPath(partition));
        if (status && status.state !== 'drawn' && status.state !== 'abandoned')
          this.mark(partition, 'failed', { code, object, ...(message !== undefined && { message }) });
      }
    }
  }

  markDrawn({ partition, digest }: Draw): void {
    this.digests.set(partitionPath(partition), digest);
    this.mark(partition, 'drawn');
  }

  of(partition: Partition): PartitionStatus {
    return this.statuses.get(partitionPath(partition)) ?? { ...partition, state: 'pending' };
  }

  inState(state: PartitionState): Partition[] {
    return [...this.statuses.values()]
      .filter((status) => status.state === state)
      .map(({ part, day }) => ({ part, day }));
  }

  draws(): Draw[] {
    return this.inState('drawn').map((partition) => ({
      partition,
      digest: this.digests.get(partitionPath(partition))!,
    }));
  }

  /** A hole that the private worker has made, for ever. */
  markHole({ part, day, code }: Hole): void {
    const { object } = this.of({ part, day });
    this.codes.set(partitionPath({ part, day }), code);
    this.mark({ part, day }, 'abandoned', { code, object });
  }

  holes(): Hole[] {
    return this.inState('abandoned').map((hole) => ({ ...hole, code: this.codes.get(partitionPath(hole))! }));
  }

  status(): ReleaseStatus {
    return {
      ...this.run,
      correction: this.correction,
      state: this.state,
      ...(this.since !== undefined && { since: this.since }),
      stage: this.stage,
      partitions: [...this.statuses.values()],
      charge: this.charge,
      manifestDigest: this.audit?.manifestDigest ?? null,
      verdict: this.audit?.verdict ?? null,
      ...(this.firstVerdict && { firstVerdict: this.firstVerdict }),
      attention: this.audit?.attention ?? [],
      required: this.plan.required,
      decisions: this.decisions.map(({ subject, decision, reason }) => ({ subject, decision, reason })),
      refusals: this.refusals,
      expiresAt: this.expiresAt,
      publishNotBefore: this.plan.publishNotBefore,
      location: this.location,
      waitingFor: this.waitingFor,
      sourceChanges: this.sourceChanges,
      stall: this.stall,
      ...(this.unread.length > 0 && { unread: this.unread }),
      ending: this.ending,
    };
  }
}
