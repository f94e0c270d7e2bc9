import type { AuditCheck } from '../contracts/audit.ts';
import { checkThresholdRecovery } from '../counts/audit/attacks/threshold-recovery.ts';
import type { ForeignSubject } from './subject.ts';
import { drawnRows } from './table.ts';

/** Threshold recovery in each table that was drawn; see attacks/threshold-recovery.ts. */
export function checkForeignThreshold({ tables, noises }: ForeignSubject): AuditCheck {
  const declared = new Map<string, number>();
  for (const { name, declared: said } of tables) {
    const threshold = said.certificate?.threshold ?? said.threshold;
    if (threshold !== null) declared.set(name, threshold);
  }
  const drawn = tables
    .map((table) => ({ name: table.name, counts: drawnRows(table).map(({ count }) => count) }))
    // Nothing is suppressed in a complete domain, and its smallest count is noise.
    .filter(({ name }) => noises.get(name)?.threshold !== null);
  return checkThresholdRecovery(drawn, declared, null);
}
