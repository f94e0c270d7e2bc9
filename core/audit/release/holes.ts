import type { AuditCheck } from '../../../contracts/audit.ts';
import { byPartition } from '../../derive/groups.ts';
import { report } from '../check.ts';
import type { AuditSubject } from '../subject.ts';

/**
 * Partitions without data are a point that approvers have to acknowledge by name (C16). One that the release does not
 * name fails, where noisy totals show it: they list every partition that was drawn. Statistic: partitions without data.
 */
export function checkHoles(subject: AuditSubject): AuditCheck {
  const attack = 'Find days of a mode that the release leaves out.';
  const { holes } = subject;
  const unnamed = unnamedHoles(subject);
  const statistic = holes.length + unnamed.length;
  if (unnamed.length > 0)
    return report('holes', attack, {
      verdict: 'fail',
      statistic,
      bound: 0,
      sentence: `The release has no data for ${unnamed.join(', ')}, and does not say so.`,
    });
  return report('holes', attack, {
    verdict: holes.length === 0 ? 'pass' : 'attention',
    statistic,
    bound: 0,
    sentence:
      holes.length === 0
        ? 'The release covers every mode on every day of its window.'
        : `The release has no data for ${holes.join(', ')}, because a source object could not be used.`,
  });
}

function unnamedHoles({ domains, tables, certificate }: AuditSubject): string[] {
  const { time, location } = certificate.marginScales;
  if (!tables.margins || (time === undefined && location === undefined)) return [];
  const shown = new Set(byPartition(tables.margins).keys());
  return [...domains.keys()].filter((partition) => !shown.has(partition));
}
