import type { Manifest } from '../../contracts/formats/manifest.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';

/** What the activities of the public worker need from outside. It has no way to the source or the private store. */
export type PublicContext = {
  releaseStore: ObjectStore;
  publicationStore: ObjectStore;
  /** Folder for temporary files of released data. */
  scratch: string;
  /** What ran, named in the manifest (C15). */
  build: Manifest['build'];
  /** Random identifiers (charge ids); injected so that tests repeat. */
  newId(): string;
};
