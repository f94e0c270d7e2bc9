import type { Run, Shadow } from '../../contracts/stages.ts';
import type { PrivateContext } from './context.ts';
import { charged } from './custody/standing.ts';

/**
 * Runs what draws every release of this kind, with the same source of randomness and the certificate of the series, on
 * counts that are made up, and tells what it did. It reads no counts and writes nothing.
 *
 * Safe to run twice: nothing is stored and nobody's data is touched; the audit that judges the answer is put if absent.
 *
 * @contract C15
 * @contract safe-to-retry
 */
export async function shadow(context: PrivateContext, run: Run): Promise<Shadow> {
  const { kind, series } = await charged(context, run);
  return kind.shadow(context, run, series);
}
