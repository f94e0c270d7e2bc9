import type { ObjectStore } from '../../contracts/object-store.ts';
import type { RandomSource } from '../../core/random/random-source.ts';

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
  /** Random identifiers (diagnostics); injected so that tests repeat. */
  newId(): string;
};
