import type { Neighbours } from '../../contracts/certificate.ts';
import type { Guarantee } from '../accounting/basic-composition.ts';
import { formatRational, multiply, rational } from '../rational/rational.ts';
import { runGuarantee } from './ride-mechanism.ts';

/**
 * Exact ε and δ that a ledger charges for statuses when its population counts by this neighbour relation: what a run may
 * lose with a ride more or less, and twice that when a ride is replaced, whatever relation they were drawn for (C12).
 * Proof: ride-mechanism.proof.md.
 *
 * @contract C12
 */
export function rideCost(
  drawn: Guarantee & { readonly neighbours: Neighbours },
  relation: Neighbours,
): { epsilon: string; delta: string } {
  const run = runGuarantee(drawn);
  const times = rational(relation === 'replace-one' ? 2n : 1n);
  return { epsilon: formatRational(multiply(run.epsilon, times)), delta: formatRational(multiply(run.delta, times)) };
}
