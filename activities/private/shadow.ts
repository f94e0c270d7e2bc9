import type { Run, ShadowCounts } from '../../contracts/stages.ts';
import { countInterference } from '../../core/audit/mechanism/interference.ts';
import { countShadow } from '../../core/audit/mechanism/shadow-counts.ts';
import { privatize, privatizeWith } from '../../core/mechanisms/privatize.ts';
import { certificateOf } from '../series-certificate.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PrivateContext } from './context.ts';
import { askedAnew } from './randomness.ts';

/**
 * Runs the function that draws every release, with the same source of randomness and the certificate of the series, on
 * counts that are made up, and tells what it did; then the same with noise that is handed in. It reads no counts and writes nothing.
 *
 * Safe to run twice: nothing is stored and nobody's data is touched; the audit that judges the answer is put if absent.
 *
 * @contract C15
 * @contract safe-to-retry
 */
export async function shadow(context: PrivateContext, run: Run): Promise<ShadowCounts> {
  const certificate = certificateOf(await readSeries(context.releaseStore, run));
  const random = askedAnew(context.random);
  const tallies = countShadow(certificate, (partition, counts, domain) =>
    privatize(partition, counts, domain, certificate, random),
  );
  const interference = countInterference(certificate, random, (noise, partition, counts, domain) =>
    privatizeWith(noise, partition, counts, domain, certificate),
  );
  return { ...tallies, interference };
}
