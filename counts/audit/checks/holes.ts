import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { report } from '../../../core/verdict/finding.ts';
import { byPartition } from '../../derive/count-table.ts';
import type { AuditSubject } from '../subject.ts';

/**
 * Partitions without data are a point that approvers have to acknowledge by name (C16). One that the release does not
 * name fails, where noisy totals show it: they list every partition that was drawn. One that was drawn and has no
 * published row is named and is no hole. Statistic: partitions without data.
 */
export function checkHoles(subject: AuditSubject): AuditCheck {
  const { holes } = subject;
  const gaps = findGaps(subject);
  const rows = rowsSentence(withoutRows(subject));
  return report('holes', 'Find days of a mode that the release leaves out.', {
    verdict: gaps.length > 0 ? 'fail' : holes.length > 0 ? 'attention' : 'pass',
    statistic: holes.length + gaps.length,
    bound: 0,
    sentence:
      gaps.length > 0
        ? `The release has no data for ${gaps.join(', ')}, and does not say so.`
        : holes.length > 0
          ? `The release has no data for ${holes.join(', ')}, because a source object could not be used. ${rows}`
          : `No source object is missing. ${rows}`,
  });
}

/** `mode/day` of the partitions that were drawn and of which no cell is published, in the order of the window. */
function withoutRows({ domains, cells }: Pick<AuditSubject, 'domains' | 'cells'>): string[] {
  const paths = new Set(byPartition(cells).keys());
  return [...domains.keys()].filter((partition) => !paths.has(partition));
}

/** Which of the partitions that were drawn have no published cell, as a sentence. */
const rowsSentence = (partitions: readonly string[]): string =>
  partitions.length === 0
    ? 'Every partition that was drawn has published cells.'
    : `No cell is published for ${partitions.join(', ')}: too few taps, or none at all.`;

function findGaps({ domains, tables, certificate }: AuditSubject): string[] {
  const { time, location } = certificate.marginScales;
  if (!tables.margins || (time === undefined && location === undefined)) return [];
  const paths = new Set(byPartition(tables.margins).keys());
  return [...domains.keys()].filter((partition) => !paths.has(partition));
}
