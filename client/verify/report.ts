import { OpalineError } from '../../contracts/errors.ts';
import { plainLine } from '../../core/text/plain-text.ts';
import { Mismatch } from '../../services/publication/verification-check.ts';
import { newestVersion, type TrustChain } from '../../services/trust/trust-chain.ts';

/**
 * Result of `opaline verify`, also as JSON. `verified`: no check failed. `tiedTo`: whom it is tied to, when none failed:
 * an organisation of a trust file, the keys of a trial, or nobody.
 */
export type VerificationReport = {
  verified: boolean;
  tiedTo: 'organisation' | 'demo keys' | 'nobody';
  checks: { id: string; ok: boolean; sentence: string }[];
};

export function tieOf(trust: TrustChain | null): VerificationReport['tiedTo'] {
  if (trust === null) return 'nobody';
  return newestVersion(trust).demo ? 'demo keys' : 'organisation';
}

/** Runs one check. Names in its sentence are escaped: a terminal obeys none of them. */
export async function runCheck(
  id: string,
  check: () => string | Promise<string>,
): Promise<VerificationReport['checks'][number]> {
  try {
    return { id, ok: true, sentence: plainLine(await check()) };
  } catch (error) {
    return failedCheck(id, error);
  }
}

/** A check that threw: what it found wrong, and of another error only that a file is not as it should be. */
export function failedCheck(id: string, error: unknown): VerificationReport['checks'][number] {
  const known = error instanceof Mismatch || error instanceof OpalineError;
  const sentence = known ? error.message : 'A file that this needs is missing or not of its form.';
  return { id, ok: false, sentence: plainLine(sentence) };
}
