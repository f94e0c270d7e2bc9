import { readBytes } from '../../activities/stores/json-objects.ts';
import { FILES, RELEASE_KEYS, type ReleaseReference, SHOWN_HEADING } from '../../contracts/names.ts';
import type { OpalineClient } from '../opaline-client.ts';

/**
 * What the statement of a release says of how much it shows, as Markdown; null when there is no statement yet, or it has
 * no such section, as those of other kinds.
 */
export async function shownSection(
  { releaseStore }: Pick<OpalineClient, 'releaseStore'>,
  release: ReleaseReference,
): Promise<string | null> {
  const key = RELEASE_KEYS.staged(release, FILES.statement);
  if (!(await releaseStore.head(key))) return null;
  return sectionOf((await readBytes(releaseStore, key)).toString('utf8'));
}

/** The text under the heading, up to the next one. */
function sectionOf(statement: string): string | null {
  const [, after] = statement.split(`\n## ${SHOWN_HEADING}\n`);
  return after === undefined ? null : after.split('\n## ')[0]!.trim();
}
