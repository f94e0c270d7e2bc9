import type { Certificate } from '../../../contracts/certificate.ts';
import { countInterference } from '../../../core/audit/mechanism/interference.ts';
import { countShadow } from '../../../core/audit/mechanism/shadow-counts.ts';
import type { ShadowCounts } from '../../../core/audit/mechanism/tallies.ts';
import { privatize, privatizeWith } from '../../../core/mechanisms/privatize.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';

/**
 * Runs the function that draws every release of taps on counts that are made up, and tells what it did; then the same
 * with noise that is handed in.
 *
 * @contract C15
 */
export function shadowOfTaps(certificate: Certificate, random: RandomSource): ShadowCounts {
  const tallies = countShadow(certificate, (partition, counts, domain) =>
    privatize(partition, counts, domain, certificate, random),
  );
  const interference = countInterference(certificate, random, (noise, partition, counts, domain) =>
    privatizeWith(noise, partition, counts, domain, certificate),
  );
  return { ...tallies, interference };
}
