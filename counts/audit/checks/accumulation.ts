import type { AuditCheck } from '../../../contracts/audit.ts';
import { report } from '../../../core/verdict/check.ts';
import { checkAccumulation } from '../attacks/accumulation.ts';
import { appearanceRule } from '../attacks/declared-noise.ts';
import { checkFloorAccumulation } from '../attacks/floor.ts';
import type { AuditSubject } from '../subject.ts';

/** Accumulation over the days that the ledger charges to the series; see ledger-facts.ts. */
export function checkYear({ certificate, knowledge }: AuditSubject): AuditCheck {
  if (!knowledge.ledger)
    return report('accumulation', 'Wait until a person who is alone in a cell every day shows once.', {
      verdict: 'not-tried',
      sentence: 'The ledger is not at hand, so that nothing is said of the year.',
    });
  const { chances, deltaCap } = knowledge.ledger;
  if (certificate.floor !== undefined) return checkFloorAccumulation(certificate, certificate.floor, chances);
  return checkAccumulation(appearanceRule(certificate), { days: chances, deltaCap });
}
