import type { AuditCheck } from '../../../contracts/audit.ts';
import { report } from '../check.ts';
import type { ForeignSubject } from './subject.ts';
import type { ForeignTable } from './table.ts';

/** What the files hold besides rows: a line that is no row may tell of the system that wrote it. Statistic: such lines. */
export function checkFiles({ tables }: ForeignSubject): AuditCheck {
  const strays = tables.reduce((sum, table) => sum + table.strays.length, 0);
  const found = tables.filter((table) => table.strays.length > 0).map(strayLines);
  return report('files', 'Read the files for what they say besides their rows.', {
    verdict: strays === 0 ? 'pass' : 'attention',
    statistic: strays,
    bound: 0,
    sentence:
      strays === 0
        ? 'The files hold rows of counts and nothing else.'
        : `Not every line is a row: ${found.join('; ')}.`,
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
