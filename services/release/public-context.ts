import type { AuditReport } from '../../contracts/audit-report.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import type { SeriesKind } from '../../contracts/kind.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Series } from '../../contracts/series.ts';
import type { AuditInput, DeriveInput } from '../../contracts/stages.ts';
import type { Channel } from '../notices/message.ts';
import type { TextsOf } from '../publication/release-texts.ts';
import type { ReleaseFiles } from '../publication/staged-files.ts';
import type { TrustChain } from '../trust/trust-chain.ts';

/** What the activities of the public worker need from outside. It has no way to the source or the private store. */
export type PublicContext = {
  releaseStore: ObjectStore;
  publicationStore: ObjectStore;
  /** Whom this worker believes, as its trust file says now. Throws TRUST_INVALID. */
  trust(): Promise<TrustChain>;
  /** Ed25519 key of the publisher, PKCS#8 PEM; it signs attestations and retractions. */
  publisherKey: string;
  /** Folder for temporary files of released data. */
  scratch: string;
  /** The kinds of series that this worker can publish, by name. */
  kinds: Readonly<Record<string, PublicKind>>;
  /**
   * What ran, named in the manifest (C15). The sources are those of the start; the program that runs cannot change, and
   * its digest is computed when a manifest asks for it.
   */
  build: { sources: string; runtime(): Promise<Manifest['build']['runtime']> };
  /** How people learn of releases, by name. */
  channels: ReadonlyMap<string, Channel>;
  /** The clock: nothing is published before the day that its series names. */
  now(): Date;
};

/** A staged file. */
export type StagedFile = [name: string, bytes: Buffer];

/** What the public worker asks of a kind. Each function reads the series as its own kind of series. */
export type PublicKind = SeriesKind & {
  /**
   * All data files, by what they are: a pure function of the privatized tables and public parameters (C9, C18). A kind
   * closes the list of what there is; its audit has a comparison for each.
   */
  derive(context: PublicContext, input: DeriveInput, series: Series): Promise<Readonly<Record<string, StagedFile[]>>>;
  /** Attacks the data files as they were made again. It sees released rows and public parameters, never counts (C15). */
  audit(context: PublicContext, input: AuditInput, series: Series, data: ReleaseFiles): Promise<AuditReport>;
  /** Everything that describes the release in words. */
  texts: TextsOf;
};
