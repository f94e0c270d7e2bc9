import type { ReleaseReference } from '../../contracts/names.ts';

/** Files of a series beside the folders of its windows. */
export const SERIES_FILES = {
  index: 'index.html',
  changes: 'changes.html',
  feed: 'feed.atom',
  releases: 'releases.json',
  catalogue: 'dcat.jsonld',
  /** Digests of all current tables, by their paths in the download of the whole series. */
  tables: 'tables.sha256',
  /** Signed; all others can be made again by anyone. */
  head: 'head.json',
} as const;

/** The page of a release: beside its folder, which holds nothing but what was approved. */
export const pageOfRelease = ({ window, version }: ReleaseReference): string => `${window}-v${version}.html`;

/** The folder of a release, from the pages of its series. */
export const releaseFolder = ({ window, version }: ReleaseReference): string => `${window}/v${version}/`;
