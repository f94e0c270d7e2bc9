import type { AuditCheck } from '../../contracts/audit.ts';
import { report } from './check.ts';
import type { AuditSubject } from './subject.ts';

/** Partitions without data are a point that approvers have to acknowledge by name (C16). Statistic: their number. */
export function checkHoles({ holes }: AuditSubject): AuditCheck {
  return report('holes', 'Find days of a mode that the release leaves out.', {
    verdict: holes.length === 0 ? 'pass' : 'attention',
    statistic: holes.length,
    bound: 0,
    sentence:
      holes.length === 0
        ? 'The release covers every mode on every day of its window.'
        : `The release has no data for ${holes.join(', ')}, because a source object could not be used.`,
  });
}
