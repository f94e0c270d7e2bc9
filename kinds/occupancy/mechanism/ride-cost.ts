import type { Neighbours } from '../../../contracts/certificate.ts';
import { type AmountText, formatAmount } from '../../../core/accounting/basic-composition.ts';
import { composeSteps, type RideGuarantee, runGuarantee } from './ride-mechanism.ts';

/**
 * Exact ε and δ that a ledger charges for statuses when its population counts by this neighbour relation: what they were
 * drawn for, or else what a run may lose with a ride more or less, and what follows from it when a ride is replaced
 * (C12). Proof: ride-mechanism.proof.md.
 *
 * @contract C12
 */
export function rideCost(guarantee: RideGuarantee, relation: Neighbours): AmountText {
  const run = runGuarantee(guarantee);
  if (relation === guarantee.neighbours) return formatAmount(guarantee);
  return formatAmount(relation === 'replace-one' ? composeSteps(run, guarantee.counts) : run);
}
