import type { Neighbours } from '../../../contracts/certificate.ts';
import { formatRational } from '../../../core/rational/rational.ts';
import { type RideGuarantee, replacedGuarantee, runGuarantee } from './ride-mechanism.ts';

/**
 * Exact ε and δ that a ledger charges for statuses when its population counts by this neighbour relation: what they were
 * drawn for, or else what a run may lose with a ride more or less, and what follows from it when a ride is replaced
 * (C12). Proof: ride-mechanism.proof.md.
 *
 * @contract C12
 */
export function rideCost(drawn: RideGuarantee, relation: Neighbours): { epsilon: string; delta: string } {
  const run = runGuarantee(drawn);
  const { epsilon, delta } =
    relation === drawn.neighbours ? drawn : relation === 'replace-one' ? replacedGuarantee(run, drawn.counts) : run;
  return { epsilon: formatRational(epsilon), delta: formatRational(delta) };
}
