import { SHOWN_HEADING } from '../../contracts/names.ts';

/** What a statement says of how much its release shows, as Markdown; null when its kind has no such section. */
export function shownSection(statement: string): string | null {
  const [, after] = statement.split(`\n## ${SHOWN_HEADING}\n`);
  return after === undefined ? null : after.split('\n## ')[0]!.trim();
}
