import { defineQuery, log, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { ErrorCode } from '../contracts/errors.ts';
import { type Partition, partitionPath, releasePath, SEARCH_ATTRIBUTES, type Stage } from '../contracts/names.ts';
import type { ReleaseState } from '../contracts/release-state.ts';
import type {
  Answer,
  AuditResult,
  Correction,
  Failure,
  Hole,
  KeptDecision,
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

/** A partition as the release knows it, and the round whose cells it is drawn from. */
type PartitionRow = { status: PartitionStatus; round?: number };

/** What a release knows of itself; the Query `status` answers with it. Everything in it is public (C20). */
export class ReleaseProgress {
  readonly run: Run;
  readonly correction: Correction | null;
  state: ReleaseState = 'running';
  /** When it entered its state; undefined before the first change. */
  since: string | undefined;
  stage: Stage = 'ingest';
  plan: ReleasePlan = {
    partitions: [],
    required: 1,
    elsewhere: 0,
    coolingHours: 0,
    expiresAfterDays: 1,
    publishNotBefore: null,
    completeness: null,
    charge: null,
  };
  charge: string | null = null;
  audit: AuditResult | null = null;
  /** Verdict of the first audit, when there was a second one. */
  firstVerdict: ReleaseStatus['firstVerdict'];
  expiresAt: string | null = null;
  coolingUntil: string | null = null;
  location: string | null = null;
  waitingFor: ReleaseStatus['waitingFor'] = null;
  sourceChanges: ReleaseStatus['sourceChanges'] = null;
  stall: Stall | null = null;
  ending: Failure | null = null;
  /** Called with each state that the release enters. */
  onEnter: (state: ReleaseState) => void = () => {};
  /** Called with each decision that was taken, by the digest of its envelope. */
  onDecision: (digest: string) => void = () => {};
  /** Signed decisions of approvers that were refused. */
  refusals = 0;
  /** Withdrawals that are being judged: nothing is published meanwhile. */
  withdrawing = 0;
  /** Times that the source was ingested; names the inventory and the cells on the custodian side. */
  round = 0;
  readonly decisions: KeptDecision[] = [];
  private readonly table = new Map<string, PartitionRow>();

  constructor({ correction, ...run }: ReleaseInput) {
    this.run = run;
    this.correction = correction;
  }

  /** Offers the Query `status`. */
  offerStatus(): void {
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
    this.charge = plan.charge;
    for (const partition of this.plan.partitions) this.mark(partition, 'pending');
  }

  mark(
    { part, day }: Partition,
    state: PartitionState,
    cause?: Pick<PartitionStatus, 'code' | 'object' | 'message'>,
    more?: Partial<PartitionRow>,
  ): void {
    const path = partitionPath({ part, day });
    this.table.set(path, { ...this.table.get(path), ...more, status: { part, day, state, ...cause } });
  }

  /** Its cells are there, of the round that is at work now, or of an earlier one to which its draw is tied. */
  markBinned(partition: Partition, round = this.round): void {
    this.mark(partition, 'binned', {}, { round });
  }

  /** The round whose cells a partition is drawn from; null when it was not counted. A draw is of one round (C11). */
  binnedRound(partition: Partition): number | null {
    return this.table.get(partitionPath(partition))?.round ?? null;
  }

  /** Names of objects that fit no pattern, and so hold back nothing. */
  private readonly unread: string[] = [];

  /** An object at fault holds back exactly the partitions that it may feed (C6), unless they are drawn already. */
  markFaults(faults: ObjectFault[]): void {
    for (const { object, code, partitions, message } of faults) {
      if (partitions.length === 0 && !this.unread.includes(object)) this.unread.push(object);
      for (const partition of partitions) {
        const state = this.table.get(partitionPath(partition))?.status.state;
        if (state && state !== 'drawn' && state !== 'abandoned')
          this.mark(partition, 'failed', { code, object, ...(message !== undefined && { message }) });
      }
    }
  }

  /** A hole that the private worker has made, for ever. */
  markHole({ part, day, code }: Hole): void {
    const { object } = this.table.get(partitionPath({ part, day }))?.status ?? {};
    this.mark({ part, day }, 'abandoned', { code, object });
  }

  /** The partitions in a state; of the failed ones, those with this code. */
  inState(state: PartitionState, code?: ErrorCode): Partition[] {
    return [...this.table.values()]
      .filter(({ status }) => status.state === state && (code === undefined || status.code === code))
      .map(({ status: { part, day } }) => ({ part, day }));
  }

  /** The answer to a request that was served. */
  accepted(): Answer {
    return { accepted: true, state: this.state };
  }

  status(): ReleaseStatus {
    return {
      ...this.run,
      correction: this.correction,
      state: this.state,
      ...(this.since !== undefined && { since: this.since }),
      stage: this.stage,
      partitions: [...this.table.values()].map(({ status }) => status),
      charge: this.charge,
      manifestDigest: this.audit?.manifestDigest ?? null,
      verdict: this.audit?.verdict ?? null,
      ...(this.firstVerdict && { firstVerdict: this.firstVerdict }),
      attention: this.audit?.attention ?? [],
      required: this.plan.required,
      elsewhere: this.plan.elsewhere,
      coolingHours: this.plan.coolingHours,
      decisions: this.decisions.map(({ digest, arrivedAt, coolingHours, ...decision }) => decision),
      refusals: this.refusals,
      expiresAt: this.expiresAt,
      publishNotBefore: this.plan.publishNotBefore,
      coolingUntil: this.coolingUntil,
      location: this.location,
      waitingFor: this.waitingFor,
      sourceChanges: this.sourceChanges,
      stall: this.stall,
      ...(this.unread.length > 0 && { unread: this.unread }),
      ending: this.ending,
    };
  }
}
