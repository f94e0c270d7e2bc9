import type { AuditCheck } from '../contracts/audit.ts';
import { report } from '../core/verdict/check.ts';
import type { ForeignSubject } from './subject.ts';
import type { ForeignTable } from './table.ts';

/**
 * What the files hold besides rows: a line that is no row may tell of the system that wrote it, and a file without
 * counts was not attacked. Statistic: such lines and files.
 */
export function checkFiles({ tables, leftOut }: ForeignSubject): AuditCheck {
  const strays = tables.reduce((sum, table) => sum + table.strays.length, 0);
  const lines = tables.filter((table) => table.strays.length > 0).map(strayLines);
  const findings = [
    ...(lines.length > 0 ? [`Not every line is a row: ${lines.join('; ')}.`] : []),
    ...(leftOut.length > 0 ? [`Left out, for it holds no counts: ${leftOut.join(', ')}.`] : []),
  ];
  return report('files', 'Read the files for what they say besides their rows.', {
    verdict: findings.length === 0 ? 'pass' : 'attention',
    statistic: strays + leftOut.length,
    bound: 0,
    sentence: findings.length === 0 ? 'The files hold rows of counts and nothing else.' : findings.join(' '),
  });
}

const lineCount = (count: number): string => (count === 1 ? '1 line' : `${count} lines`);

function strayLines({ name, strays, lines }: ForeignTable): string {
  const trailing = strays.filter((line, index) => line === lines - (strays.length - 1 - index)).length;
  const inside = strays.length - trailing;
  const parts = [
    ...(trailing > 0 ? [`${name} ends with ${lineCount(trailing)} that ${trailing === 1 ? 'is' : 'are'} no CSV`] : []),
    ...(inside > 0
      ? [`${name} has ${lineCount(inside)} in between that cannot be read, the first is line ${strays[0]}`]
      : []),
  ];
  return parts.join(' and ');
}
