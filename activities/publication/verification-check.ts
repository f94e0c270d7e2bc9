import { canonicalJson } from '../../core/json/canonical.ts';
import type { Publication } from './publication.ts';

/**
 * One check of a publication. It throws Mismatch when something is wrong, and gives the sentence that says what is right.
 */
export type VerificationCheck = { id: string; check: (publication: Publication) => string | Promise<string> };

/** What a check found wrong, for people. */
export class Mismatch extends Error {}

/** Throws Mismatch with the sentence unless the condition holds. */
export function ensure(condition: boolean, sentence: string): void {
  if (!condition) throw new Mismatch(sentence);
}

/** Are these the same names, whatever their order? A name that is there twice counts twice. */
export const sameNames = (a: Iterable<string>, b: Iterable<string>): boolean =>
  canonicalJson([...a].sort()) === canonicalJson([...b].sort());
