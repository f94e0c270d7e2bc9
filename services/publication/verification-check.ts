import { partitionPath, releasePath } from '../../contracts/names.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import type { ExactFinding } from '../../core/verdict/exact-finding.ts';
import type { Publication } from './publication.ts';

/** One check of a publication. It throws Mismatch when something is wrong, and gives the sentence of what is right. */
export type VerificationCheck = { id: string; check: (publication: Publication) => string | Promise<string> };

/** Where the publications of a series are, under the keys that publishers write; and did a person name it? */
export type HistoryPlace = { store: ObjectReader; isNamed: boolean };

/** What a check found wrong, for people. */
export class Mismatch extends Error {}

/** Throws Mismatch with the sentence unless the condition holds. */
export function ensure(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Mismatch(sentence);
}

/** A check of a kind that finds without chance what is right or wrong. */
export const exactCheck = (
  id: string,
  check: (publication: Publication) => ExactFinding | Promise<ExactFinding>,
): VerificationCheck => ({
  id,
  check: async (publication) => {
    const { ok, sentence } = await check(publication);
    ensure(ok, sentence);
    return sentence;
  },
});

/** What privacy.json says of its release. */
type PrivacyFile = { release: string; holes: readonly string[]; domain: { days: readonly string[] } };

/**
 * Throws Mismatch unless manifest, audit and privacy.json are of one release, and its partitions are `parts` times the
 * days, with the same holes. Gives the release.
 */
export function ensureOneRelease(
  { manifest, audit }: Pick<Publication, 'manifest' | 'audit'>,
  { release, holes, domain }: PrivacyFile,
  parts: readonly string[],
  noun: 'parts' | 'modes' = 'parts',
): string {
  const own = releasePath(manifest);
  ensure(release === own && audit.release === own, 'The files belong to different releases.');
  const gaps = manifest.partitions.filter(({ hole }) => hole !== null).map(partitionPath);
  ensure(sameNames(gaps, holes), 'Manifest and privacy.json name different holes.');
  const partitions = parts.flatMap((part) => domain.days.map((day) => `${part}/${day}`));
  ensure(sameNames(manifest.partitions.map(partitionPath), partitions), `The partitions are not ${noun} times days.`);
  return own;
}

/** Are these the same names, whatever their order? A name that is there twice counts twice. */
const sameNames = (a: Iterable<string>, b: Iterable<string>): boolean =>
  canonicalJson([...a].sort()) === canonicalJson([...b].sort());
