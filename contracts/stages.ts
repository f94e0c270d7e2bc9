import type { Verdict } from './audit-report.ts';
import type { DecisionKind, Envelope } from './decision.ts';
import type { ErrorCode } from './errors.ts';
import type { Partition, ReleaseReference, Stage } from './names.ts';
import type { ChangedObject, Notice } from './notices.ts';
import type { CountedDecision, PasskeyAlgorithm } from './passkey.ts';
import type { GateKind, ReleaseState } from './release-state.ts';

/**
 * What workflows and activities say to each other, and what people can ask of a release. All of it ends up in Temporal
 * histories: keys, charge ids, digests of released files, public parameters and states; never counts, rows, digests of
 * raw data, or texts of other people's errors.
 */

/** Why something was not done: a code of the table, with a public sentence. */
export type Failure = { code: ErrorCode; message: string };

/** Of a signature, or a signed statement, that does not count. */
export const badSignature = (message: string): Failure => ({ code: 'SIGNATURE_INVALID', message });

/** A release with the digest of the series file it runs under. */
export type Run = ReleaseReference & { seriesDigest: string };

/** Why people correct a release: a closed list, public (C16). */
export const CORRECTION_REASONS = ['object-late', 'object-corrected', 'object-withdrawn', 'input-in-doubt'] as const;

/**
 * A new version that redraws and charges the partitions which people name, and carries the others over from an earlier
 * version, byte for byte (C13).
 */
export type Correction = {
  /** The version that is corrected. */
  of: number;
  partitions: Partition[];
  reason: (typeof CORRECTION_REASONS)[number];
};

/** Argument of releaseWorkflow. */
export type ReleaseInput = Run & { correction: Correction | null };

/** Codes of object-level facts (C6): a closed list, and the only codes that a hole may have (C16). */
export const OBJECT_CODES = [
  'OBJECT_MISSING',
  'OBJECT_UNREADABLE',
  'OBJECT_CHANGED',
  'OBJECT_SCHEMA',
  'OBJECT_TOO_LARGE',
  'OBJECT_UNEXPECTED',
  'OBJECT_TWICE',
] as const satisfies readonly ErrorCode[];
export type ObjectCode = (typeof OBJECT_CODES)[number];

/** An object-level fault (C6) and the partitions whose rows the object may hold. */
export type ObjectFault = {
  object: string;
  code: ErrorCode;
  partitions: Partition[];
  /** Of OBJECT_SCHEMA: which columns that the series names are missing; names of the series file alone. */
  message?: string;
};

/**
 * `execution`: the workflow execution that asks. `open`: the one that Temporal has open under the id of the release, as
 * the process that serves Temporal asks it, whatever was sent.
 */
export type PlanInput = ReleaseInput & { execution: string; open?: string | null };

/** What the workflow needs to know of the series. */
export type ReleasePlan = {
  partitions: Partition[];
  required: number;
  /** How many of these no single host of pages may have had in hand. */
  elsewhere: number;
  /** How long it waits after the last approval. */
  coolingHours: number;
  expiresAfterDays: number;
  /** Moment of publication, ISO 8601 with Z, or null. */
  publishNotBefore: string | null;
  /** How long the release waits for late objects, and what then; null: not at all. */
  completeness: { waitHours: number; otherwise: 'fail' | 'holes' } | null;
  /** The charge that its ledger has already, as the release goes on from the stores; null: none. */
  charge: string | null;
};

/** Objects (or the supplier's markers) that a window still lacks: the first names, and how many there are in all. */
export type MissingObjects = { names: string[]; total: number };

/** What has changed in the source since ingest: the first objects by name, and how many there are in all. */
export type SourceChanges = { changed: ChangedObject[]; total: number };

export type IngestInput = Run & { round: number };

/** What the stores hold of a charged release, so that it goes on from there and not from what a workflow remembers. */
export type Ingested = {
  faults: ObjectFault[];
  /** The newest round, when it is not the one that was asked for. */
  round?: number;
  /** Partitions whose draws are tied to an earlier round. */
  earlier?: { partition: Partition; round: number }[];
  /** Partitions without a draw, for ever. */
  holes?: Hole[];
};
/** `correction`: of which version, and why; absent or null: all of the window is drawn. */
export type ReserveInput = Run & { partitions: Partition[]; correction?: Omit<Correction, 'partitions'> | null };
export type BinInput = Run & { round: number; partitions: Partition[] };
export type PrivatizeInput = Run & { round: number; partitions: Partition[]; charge: string };
/** One of them. */
export type DrawInput = Run & { round: number; partition: Partition; charge: string };
/** SHA-256 of the stored privatized table. */
export type Draw = { partition: Partition; digest: string };

/**
 * What the mechanism of a series did to made-up counts (C15): the kind of the series writes it and reads it again, and
 * nothing in it depends on data.
 */
export type Shadow = object;

/** Activities of the private worker, which asks its policy and its ledger before each. All are safe to run twice. */
export type PrivateActivities = {
  /** Which expected objects, or markers of the supplier, are not there yet; names only (C6). */
  missingObjects(input: Run): Promise<MissingObjects>;
  /** Which objects are not those that the newest inventory of the release pins; names only (C6). */
  changedObjects(input: Run): Promise<SourceChanges>;
  /**
   * Pins the source objects of the window. Faults name objects and the partitions that they may feed. Of a release that
   * ran before it answers from the stores.
   */
  ingest(input: IngestInput): Promise<Ingested>;
  /** Pins again what was at fault; refuses with NEEDS_CORRECTION what may feed a drawn partition. */
  reingest(input: IngestInput & { partitions: Partition[] }): Promise<{ faults: ObjectFault[] }>;
  /**
   * One reserve for all blocks of the release, before any row is looked at; gives the charge id of an earlier run of
   * itself. `partitions`: those that are to be drawn.
   */
  reserve(input: ReserveInput): Promise<{ charge: string }>;
  /** Counts the rows of the named partitions into cells, kept on the custodian side. */
  bin(input: BinInput): Promise<{ faults: ObjectFault[] }>;
  /** Draws the privatized tables of partitions, each once (C11), one after the other. */
  privatize(input: PrivatizeInput): Promise<Draw[]>;
  /** Makes holes of partitions that an object-level fault holds back, for ever, and of all that are drawn with them. */
  abandon(input: Run & { partitions: Partition[] }): Promise<Hole[]>;
  /** Runs the mechanism of the series on synthetic counts, for the audit; a receipt has what it did. */
  shadow(input: Run): Promise<void>;
  /** Ends the charge of a release that was published, as this statement of a publisher says. */
  commit(input: Run & { charge: string; statement: Envelope }): Promise<void>;
  /** Ends the charge of a release that was not: `reason` is the state that it ended in. */
  withhold(input: Run & { charge: string; reason: string }): Promise<void>;
};

/** A partition without a draw, and why. */
export type Hole = Partition & { code: ObjectCode };
/** What the public side is asked with, after the draws: what became of each partition its receipt says. */
export type StagedInput = ReleaseInput & { charge: string };
export type DeriveInput = StagedInput & { draws: Draw[]; holes: Hole[] };
/** What the files of a release say of it. */
export type DerivedRun = Pick<DeriveInput, 'series' | 'window' | 'version' | 'holes'>;
/** What a kind attacks a release with: what a build that drew of it did to made-up counts. */
export type AuditInput = DeriveInput & { shadow: Shadow };
/** `declaration`: digest of a series file in which nothing but what the audit goes by is corrected (C15). */
export type ReauditInput = StagedInput & { declaration: string };
/** `firstVerdict`: there are two audits, and this is the second one. */
export type AuditResult = { manifestDigest: string; verdict: Verdict; attention: string[]; firstVerdict?: Verdict };
/**
 * A decision that was accepted; `digest` is that of its envelope, by which it is kept. `arrivedAt`: when it was accepted
 * first (ISO 8601 with Z). `coolingHours`: how long a publication waits when it is the last that was needed.
 */
export type KeptDecision = CountedDecision & {
  decision: DecisionKind;
  reason: string;
  digest: string;
  arrivedAt: string;
  coolingHours: number;
};
export type OpenGateInput = Run & Omit<AuditResult, 'firstVerdict'> & { openedAt: string };
/** When a gate was opened (ISO 8601 with Z), and what people have decided at it so far; a withdrawal is the end of it. */
export type OpenedGate = { openedAt: string; decisions: KeptDecision[]; isWithdrawn: boolean };
export type DecideInput = Run &
  Omit<AuditResult, 'firstVerdict'> &
  DecideRequest & {
    /** Gate and Update that the statement was brought to: it has to say the same. */
    gate: GateKind;
    action: DecisionKind;
    /** Subjects whose decision on this manifest was accepted before. */
    decided: string[];
    refusals: number;
  };
/** `recorded`: the refusal is of a signed decision of an approver, and counts. */
export type DecideResult = ({ accepted: true } & KeptDecision) | (Failure & { accepted: false; recorded: boolean });
/**
 * A key that may sign at a gate, and whose it is: the id that signatures name it by, and its bytes in base64; of a
 * passkey how it signs.
 */
export type SigningApprover = {
  subject: string;
  keyid: string;
  key: string;
  passkey: { algorithm: PasskeyAlgorithm; relyingParty: string; origins: string[] } | null;
};
/** Who may sign now, and the SHA-256 of the file that says so. All of it is public. */
export type SigningApprovers = { digest: string; approvers: SigningApprover[] };
export type PublishInput = Run & { manifestDigest: string; decisions: string[]; publishedAt: string };
/** Where a publication is; the SHA-256 of its attestation, and the statement in it that the publisher signed. */
export type PublishResult = { location: string; attestation: string; statement: Envelope };
/** What the gate of a retraction is about: a publication, with the verdict that it was published under. */
export type RetractionPlan = { audit: AuditResult; required: number; elsewhere: number; expiresAfterDays: number };
export type RetractInput = Run & { manifestDigest: string; decisions: string[]; retractedAt: string };

/** Activities of the public worker. */
export type PublicActivities = {
  /**
   * The release that a start of a schedule makes: the window of the scheduled time, under the newest applied file.
   * `earlier`: publications of which the source is looked at again.
   */
  scheduledWindow(input: { series: string; scheduledAt: string }): Promise<Run & { earlier: Run[] }>;
  /**
   * Refuses a release that has ended, or that another execution runs, with RELEASE_EXISTS: `execution` names the workflow
   * execution that may run it.
   */
  plan(input: PlanInput): Promise<ReleasePlan>;
  /** Carries the partitions that a correction does not name over from the version that it corrects. */
  carry(input: Run & { correction: Correction; partitions: Partition[] }): Promise<void>;
  /** Stages all data files. */
  derive(input: StagedInput): Promise<void>;
  /** Attacks the release, writes audit and statement, and last the manifest over every staged file. */
  audit(input: StagedInput): Promise<AuditResult>;
  /** Attacks it a second time under a corrected declaration, beside the first audit; draws and charges nothing. */
  reaudit(input: ReauditInput): Promise<AuditResult>;
  /** Who may sign at the gate of the release now, so that the gate turns away what nobody of them has signed. */
  approvers(input: Run): Promise<SigningApprovers>;
  /** Opens the gate of a release over an audited manifest, or finds it open with what people have decided. */
  openGate(input: OpenGateInput): Promise<OpenedGate>;
  decide(input: DecideInput): Promise<DecideResult>;
  publish(input: PublishInput): Promise<PublishResult>;
  /** Names of the channels by which people are notified of a release. */
  noticeChannels(input: Run): Promise<string[]>;
  /** Tells people by one channel that a release needs them. */
  notify(input: Run & { notice: Notice; channel: string }): Promise<void>;
  planRetraction(input: Run): Promise<RetractionPlan>;
  /** Puts the tombstone of a publication, and moves the pointer to the newest one that is not retracted. */
  retract(input: RetractInput): Promise<void>;
  /** Makes the pages of the series of this release from its publications, and signs its head. */
  updatePages(input: Run): Promise<void>;
};

export const PARTITION_STATES = ['pending', 'binned', 'drawn', 'failed', 'abandoned'] as const;
export type PartitionState = (typeof PARTITION_STATES)[number];
export type PartitionStatus = Partition & {
  state: PartitionState;
  code?: ErrorCode;
  object?: string;
  message?: string;
};

/** What holds up a release that is `stalled` or `ending-stalled`; the stage of its status says where. */
export type Stall = Failure & {
  /** Name of the activity that failed for good. */
  activity: string;
  /** Attempts that were made since it was begun or retried; 1 where a second one would have been of no use. */
  attempts: number;
  /** When the last of them ended; ISO 8601 with Z. */
  since: string;
  /** State that the release was in, and goes back to with a retry. */
  from: ReleaseState;
};

/** Answer of the Query `status`. */
export type ReleaseStatus = ReleaseInput &
  Pick<ReleasePlan, 'charge' | 'required' | 'elsewhere' | 'coolingHours' | 'publishNotBefore'> & {
    state: ReleaseState;
    /** When it entered that state, ISO 8601 with Z; absent before its first change. */
    since?: string;
    stage: Stage;
    partitions: PartitionStatus[];
    manifestDigest: string | null;
    verdict: Verdict | null;
    /** Verdict of the first audit, where another one was made under a corrected declaration (C15); absent: none was. */
    firstVerdict?: Verdict;
    attention: string[];
    decisions: (CountedDecision & { decision: DecisionKind; reason: string })[];
    refusals: number;
    /** ISO 8601 with Z; null before the gate. */
    expiresAt: string | null;
    /** Of an approved release: when its cooling time is over; null: it has none. */
    coolingUntil: string | null;
    /** Where the publication is, when it is public. */
    location: string | null;
    /** What the release waits for, and until when (ISO 8601 with Z); null: nothing. */
    waitingFor: (MissingObjects & { until: string }) | null;
    /** What had changed in the source before the gate; null: it was not, or could not be, compared. */
    sourceChanges: SourceChanges | null;
    /** What holds the release up; null: nothing that a retry of a stage would mend. */
    stall: Stall | null;
    /** Some objects beside those that were read, whose names do not fit the pattern; absent: there are none. */
    unread?: string[];
    /** Why the release ended without publication. */
    ending: Failure | null;
  };

/** Answer of every Update. */
export type Answer = { accepted: true; state: ReleaseState } | (Failure & { accepted: false });

/** What people send to a release. `subject` names who asks, for the record; only decisions are signed. */
export type DecideRequest = {
  envelope: Envelope;
  /** Free text of the person; kept in the release store, never published (C16). */
  note: string;
};
export type PartitionsRequest = { partitions: Partition[]; subject: string };
export type PlainRequest = { subject: string };
/** `declaration`: digest of the stored series file with the corrected declaration. */
export type ReauditRequest = { declaration: string; subject: string };

/** Update that has a gate read its approvers again, after they have changed; it takes no argument. */
export const READ_APPROVERS = 'readApprovers';

/** Argument of each Update, by name. */
export type ReleaseUpdates = {
  approve: DecideRequest;
  reject: DecideRequest;
  /** Runs the audit again, at no cost, under a corrected declaration; only before any approval (C15). */
  reaudit: ReauditRequest;
  withdraw: DecideRequest;
  reopen: DecideRequest;
  retryPartitions: PartitionsRequest;
  abandonPartitions: PartitionsRequest;
  /** Begins again, at no cost, the stage that failed again and again. */
  retryStage: PlainRequest;
  /** Ends the wait for late objects: what is missing then holds back its partitions. */
  proceed: PlainRequest;
  cancel: PlainRequest;
};
