import type { ErrorCode } from '../contracts/errors.ts';
import type { Numbered } from '../contracts/formats/common.ts';
import type { SeriesKind } from '../contracts/kind.ts';
import type { Partition, ReleaseReference } from '../contracts/names.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import type { Series } from '../contracts/series.ts';
import type { BinInput, DrawInput, ObjectFault, Run, Shadow } from '../contracts/stages.ts';
import type { RandomSource } from '../core/random/random-source.ts';
import type { LedgerKeys } from '../services/ledger/ledger.ts';
import type { HighWater } from './custody/high-water.ts';
import type { ReadPolicy } from './policy/policy-file.ts';
import type { MeasuredRows } from './risk/measured-rows.ts';

/** What the activities of the private worker need from outside. Built by worker/, or by a test. */
export type PrivateContext = {
  /** A source store by the name that the series gives it; throws CONFIGURATION_INVALID when it is not configured. */
  sourceStore(name: string): ObjectStore;
  privateStore: ObjectStore;
  releaseStore: ObjectStore;
  /** Folder for scratch files; a cache that may vanish at any time between activities. */
  scratch: string;
  /** Limit of DuckDB's memory, in MiB. */
  memoryMiB: number;
  random: RandomSource;
  /** The kinds of series that this worker can draw, by name. */
  kinds: Readonly<Record<string, PrivateKind>>;
  /** What may be drawn at all (C11a). */
  policy: ReadPolicy;
  /** The version of the trust file that the policy's side believes. */
  trust: Numbered;
  /**
   * Asks whether policy and trust file are the newest that any private worker goes by, and says so to the others. Throws
   * TRUST_BEHIND.
   */
  requireNewest(): Promise<void>;
  /** Keys of the trust file that may have signed an entry of a ledger. */
  ledgerKeys: LedgerKeys;
  /** Keys of the trust file that may sign what is public. */
  publisherKeys: LedgerKeys;
  /** Private key (PKCS#8 PEM) that signs entries and draws. */
  ledgerKey: string;
  highWater: HighWater;
  /** Digest of the sources of this worker: its draws and its shadow runs name it (C15). */
  build: string;
  /** Makes the shadow run of this build for a charged release, unless it is there: no build draws before it. */
  ensureShadow(run: Run): Promise<unknown>;
  /** The clock: a window has to be over. */
  now(): Date;
  /** Random identifiers (diagnostics, charges); injected so that tests repeat. */
  newId(): string;
};

/** The exact counts of one partition, on their way into the draw. */
export type Counts = {
  /** What the draw record holds a digest of: equal input gives an equal value, whatever order it was stored in (C11). */
  input: unknown;
  /** The public parameters of the draw: what its record ties it to. */
  parameters: unknown;
  /** Draws the privatized table; each call draws again. The bytes hold nothing that is not released. */
  draw(): Promise<Buffer>;
};

/** What is made of the rows of one object: what is rejected, by reason. `fault`: why it cannot be read, or null. */
export type ObjectShown = { object: string; rows: number; rejected: Record<string, number>; fault: string | null };

/**
 * What is exactly counted of a partition, what is beyond the bound of a card too, and how much of it is at places of no
 * list.
 */
export type PartitionTotal = Partition & { counted: number; unknown: number };

/** What is made of the rows of a window: exact numbers, for custodians alone. */
export type RowsShown = {
  objects: ObjectShown[];
  /** Objects that the window expects and that are not there, or under a wrong name. */
  faults: { object: string; code: ErrorCode }[];
  /** What was read, with the SHA-256 of the stored bytes: what a clearance names. */
  deliveries: { object: string; size: number; sha256: string }[];
  /** What hints at a mistake in the deliveries. */
  warnings: string[];
  /** Of each partition of the window. */
  totals: PartitionTotal[];
  /** Names of places that the list of a part does not know, the most frequent first. */
  unmatched: { part: string; name: string; counted: number }[];
  /** How many such names there are in all. */
  unmatchedNames: number;
  /** Partitions in which nothing would be counted. */
  empty: Partition[];
};

/** A column of the source with some of the values that it holds. */
export type SampleColumn = { column: string; values: string[] };

/**
 * What a custodian sees of a window: beside what is recorded of the look, values for their terminal alone, and parts of a
 * series file that would read them better.
 */
export type RowsSeen = { shown: RowsShown; sample: SampleColumn[]; hints: object[] };

/** How custodians look at the rows of a series: exact, and kept on the custodian side. */
export type KindLooks = {
  /**
   * Counts what the rows of a window would be read as, before anything is charged. Throws WINDOW_INVALID,
   * CONFIGURATION_INVALID.
   */
  preview(context: PrivateContext, series: Series, window: string): Promise<RowsSeen>;
  /**
   * What is left of one partition after the bound of its units: the sum of its cells. Throws OBJECT_MISSING when it was
   * not binned in that round.
   */
  kept(context: PrivateContext, release: ReleaseReference, round: number, partition: Partition): Promise<number>;
  /** The rows of a window for a risk report. */
  measured(context: PrivateContext, series: Series, window: string): MeasuredRows;
};

/** What the private worker asks of a kind. Each function reads the series as its own kind of series. */
export type PrivateKind = SeriesKind & {
  /** Counts the named partitions into cells in the private store; see the activity `bin` for what it has to keep. */
  bin(context: PrivateContext, input: BinInput, series: Series): Promise<{ faults: ObjectFault[] }>;
  /** The cells of one partition. Throws OBJECT_MISSING when it was not binned in that round. */
  counts(context: PrivateContext, input: DrawInput, series: Series): Promise<Counts>;
  /** Looks at raw rows; absent: series of the kind cannot be looked at so. */
  looks?: KindLooks;
  /**
   * KL divergence in bits between exact counts (`input` of `counts`) and what was drawn of them: for custodians alone.
   * Absent: what the kind draws is no such table.
   */
  divergence?(series: Series, partition: Partition, input: unknown, drawn: Buffer): number;
  /** Runs the mechanism on made-up counts, for the audit (C15). */
  shadow(world: ShadowWorld, series: Series): Promise<Shadow>;
};

/**
 * A private deployment in the memory of this process, for draws of made-up counts: stores, policy, ledger and keys of its
 * own, and the kinds and the randomness of the worker. The activities find nothing in it that distinguishes it from a
 * real one, so a shadow run goes through all of `privatize` (C15). It has no source and none of the worker's stores or
 * keys: whatever is charged or drawn in it is of no real row, and no real ledger knows it.
 */
export type ShadowWorld = {
  context: PrivateContext;
  /** Stores a made-up series file, signed; gives its SHA-256. */
  sign(series: Series): Promise<string>;
  /** Reserves the charge of a whole release of it. */
  charge(run: Run, series: Series): Promise<void>;
  /** Draws a partition of a charged release from made-up counts, as bin stores them; gives the privatized table. */
  draw(run: Run, partition: Partition, counts: Buffer): Promise<Buffer>;
};
