import { buildDigest } from '../../worker/source-digest.ts';

/** Digest of the sources that the public worker of a test stack runs: it stages files under it. */
export const STACK_BUILD = buildDigest();
