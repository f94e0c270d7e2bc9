import type { AuditCheck, AuditReport } from '../contracts/audit-report.ts';
import { TEST_LEVEL } from '../core/statistics/holm.ts';
import { gather } from '../core/text/paragraphs.ts';
import { countOf, short } from '../core/text/wording.ts';
import { notTried, report } from '../core/verdict/finding.ts';
import { foldVerdicts, type LevelledCheck, runChecks } from '../core/verdict/verdict.ts';
import { checkReuse } from '../counts/audit/checks/reuse.ts';
import { checkScale } from '../counts/audit/checks/scale.ts';
import { checkTimetable } from '../counts/audit/checks/timetable-extremes.ts';
import { tableOf } from '../counts/derive/count-table.ts';
import { checkForeignDependence } from './foreign-dependence.ts';
import { checkForeignDifferencing } from './foreign-differencing.ts';
import { checkForeignLinearBounds } from './foreign-linear-bounds.ts';
import { checkForeignOrder } from './foreign-order.ts';
import { checkForeignAccumulation, checkForeignPresence } from './foreign-presence.ts';
import type { ForeignSubject } from './foreign-subject.ts';
import { type ForeignTable, tapRows } from './foreign-table.ts';
import { checkNotLearnt } from './not-learnt.ts';
import { checkParameters } from './parameters.ts';
import { checkThresholdRecovery } from './threshold-recovery.ts';

/** One check of a foreign publication; null where it has nothing to look at. */
export type ForeignCheck = (subject: ForeignSubject, level: number) => AuditCheck | null;

const checkForeignTimetable: ForeignCheck = ({ tables, timetable }) =>
  timetable.length === 0
    ? null
    : checkTimetable({
        cells: tableOf(tables.filter(({ kind }) => kind === 'time-location').flatMap(({ rows }) => tapRows(rows))),
        knowledge: { timetable },
      });

/**
 * Scale recovery from pairs of equal truth. With a declared scale the two are compared; without one, what comes out is
 * the point for attention: the publisher has kept nothing back but from honest readers. Statistic: the scale; interval:
 * about 99.9 %.
 */
const checkForeignScale: ForeignCheck = ({ declared, recovered }, level) => {
  if (declared) return checkScale(declared.noise, declared.pairs, level);
  const attack = 'Recover the noise from pairs of counts that must be equal.';
  if (!recovered) return notTried('scale', attack, 'No pairs of counts that must be equal are known.');
  const { scale, error, pairs } = recovered;
  const interval: [number, number] = [Math.max(0, scale - error), scale + error];
  return report('scale', attack, {
    verdict: 'attention',
    statistic: scale,
    interval,
    sentence: `Nobody declares the scale of the noise, but ${pairs} pairs of counts give it away: ${short(scale)}, between ${short(interval[0])} and ${short(interval[1])}.`,
  });
};

/** Reuse of noise in pairs of equal truth, where the noise is declared. */
const checkForeignReuse: ForeignCheck = ({ declared }, level) =>
  declared && checkReuse(declared.noise, declared.pairs, level);

/** Every attack on any publication, in the order of the report. To add one, write its file and name it here. */
export const FOREIGN_CHECKS: readonly ForeignCheck[] = [
  checkParameters,
  checkThresholdRecovery,
  checkForeignPresence,
  checkForeignAccumulation,
  checkForeignScale,
  checkForeignReuse,
  checkForeignDifferencing,
  checkForeignLinearBounds,
  checkForeignDependence,
  checkForeignTimetable,
  checkForeignOrder,
  checkFiles,
  checkNotLearnt,
];

/**
 * Attacks a publication of any origin: its rows, what is declared of it, and public knowledge, and nothing else.
 *
 * @contract C15
 */
export function auditForeign(subject: ForeignSubject, checks = FOREIGN_CHECKS): AuditReport {
  const attacks = checks.flatMap((check): LevelledCheck[] => {
    const first = check(subject, TEST_LEVEL);
    return first === null ? [] : [(level) => (level === TEST_LEVEL ? first : (check(subject, level) ?? first))];
  });
  const outcomes = runChecks(attacks);
  return { format: 'opaline-audit/2', release: subject.name, verdict: foldVerdicts(outcomes), checks: outcomes };
}

/**
 * What the files hold besides rows: a line that is no row may reveal the system that wrote it, and a file without
 * counts was not attacked. Statistic: such lines and files.
 */
function checkFiles({ tables, leftOut }: ForeignSubject): AuditCheck {
  const strays = tables.reduce((sum, table) => sum + table.strays.length, 0);
  const lines = tables.filter((table) => table.strays.length > 0).map(strayLines);
  const findings = gather(
    lines.length > 0 && `Not every line is a row: ${lines.join('; ')}.`,
    leftOut.length > 0 && `Left out, for it holds no counts: ${leftOut.join(', ')}.`,
  );
  return report('files', 'Read the files for what they say besides their rows.', {
    verdict: findings.length === 0 ? 'pass' : 'attention',
    statistic: strays + leftOut.length,
    bound: 0,
    sentence: findings.length === 0 ? 'The files hold rows of counts and nothing else.' : findings.join(' '),
  });
}

function strayLines({ name, strays, lines }: ForeignTable): string {
  const atEnd = strays.filter((line, index) => line === lines - (strays.length - 1 - index)).length;
  const inside = strays.length - atEnd;
  return gather(
    atEnd > 0 && `${name} ends with ${countOf(atEnd, 'line')} that ${atEnd === 1 ? 'is' : 'are'} no CSV`,
    inside > 0 &&
      `${name} has ${countOf(inside, 'line')} in between that cannot be read, the first is line ${strays[0]}`,
  ).join(' and ');
}
