import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { reportNone } from '../../../core/verdict/finding.ts';
import { byPartition, NO_ROWS, totalOf } from '../../derive/count-table.ts';
import type { AuditSubject } from '../subject.ts';

/**
 * More was rejected of a mode on a day than the series allows (C5), by the noisy numbers that are published; a number
 * that is not there is too much. Statistic: partitions over their limit. Cost: O(partitions).
 *
 * @contract C5
 */
export function checkRejects({ tables, domains, certificate }: AuditSubject): AuditCheck {
  const limits = new Map(Object.entries(certificate.rejects ?? {}));
  const noisy = new Map([...byPartition(tables.leftOut ?? NO_ROWS)].map(([name, rows]) => [name, totalOf(rows)]));
  const partitions = [...domains.keys()].flatMap((name) => {
    const limit = limits.get(name.slice(0, name.indexOf('/')));
    return limit === undefined ? [] : [{ name, limit, rejects: noisy.get(name) ?? null }];
  });
  const over = partitions.filter(({ rejects, limit }) => rejects === null || rejects > limit);
  return reportNone('rejects', 'Find a delivery of which too much could not be read.', over.length, {
    right: 'By their noisy numbers no mode has more rejected taps on a day than the series allows.',
    wrong: `More taps were rejected than the series allows: ${over.map(inWords).join(', ')}. Nobody can approve the release; have the delivery mended, reject the release, and take the next version.`,
  });
}

const inWords = ({ name, limit, rejects }: { name: string; limit: number; rejects: number | null }): string =>
  rejects === null ? `${name} (no number)` : `${name} (about ${rejects} of at most ${limit})`;
