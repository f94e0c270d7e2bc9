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

/** A check of what is verified: it gives the sentence of what is right, and throws what is wrong. */
export type ReaderCheck<Subject> = { id: string; check: (subject: Subject) => string | Promise<string> };

/**
 * Runs checks in their order, and the last one only when all others hold: numbers that do not hold are not put into
 * words, which could take for ever. Names in the sentences are escaped: a terminal obeys none of them.
 */
export async function reportOf<Subject>(
  trust: TrustChain | null,
  list: readonly ReaderCheck<Subject>[],
  subject: Subject,
  last?: ReaderCheck<Subject>,
): Promise<VerificationReport> {
  const checks: VerificationReport['checks'] = [];
  const isVerified = () => checks.every(({ ok }) => ok);
  for (const { id, check } of last ? [...list, last] : list)
    try {
      if (id === last?.id && !isVerified()) continue;
      checks.push({ id, ok: true, sentence: plainLine(await check(subject)) });
    } catch (error) {
      const isSaid = error instanceof Mismatch || error instanceof OpalineError;
      const sentence = isSaid ? error.message : 'A file that this needs is missing or not of its form.';
      checks.push({ id, ok: false, sentence: plainLine(sentence) });
    }
  const tiedTo = trust === null ? 'nobody' : newestVersion(trust).demo ? 'demo keys' : 'organisation';
  return { verified: isVerified(), tiedTo, checks };
}
