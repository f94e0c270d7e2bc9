import type { AuditCheck, AuditReport } from '../contracts/audit.ts';
import { TEST_LEVEL } from '../core/statistics/holm.ts';
import { foldVerdicts, type LevelledCheck, runChecks } from '../core/verdict/verdict.ts';
import { checkTimetable } from '../counts/audit/attacks/timetable-extremes.ts';
import { tableOf } from '../counts/derive/count-table.ts';
import { checkForeignDependence } from './dependence.ts';
import { checkForeignDifferencing } from './differencing.ts';
import { checkFiles } from './files.ts';
import { checkForeignLinearBounds } from './linear-bounds.ts';
import { checkNotLearnt } from './not-learnt.ts';
import { checkForeignOrder } from './order.ts';
import { checkParameters } from './parameters.ts';
import { checkForeignAccumulation, checkForeignPresence } from './presence.ts';
import { checkForeignReuse, checkForeignScale } from './scale.ts';
import type { ForeignSubject } from './subject.ts';
import { tapRows } from './table.ts';
import { checkForeignThreshold } from './threshold.ts';

/** One check of a foreign publication; null where it has nothing to look at. */
export type ForeignCheck = (subject: ForeignSubject, level: number) => AuditCheck | null;

const checkForeignTimetable: ForeignCheck = ({ tables, timetable }) =>
  timetable.length === 0
    ? null
    : checkTimetable(
        timetable,
        tableOf(tables.filter(({ kind }) => kind === 'time-location').flatMap(({ rows }) => tapRows(rows))),
      );

/** Every attack on any publication, in the order of the report. To add one, write its file and name it here. */
export const FOREIGN_CHECKS: readonly ForeignCheck[] = [
  checkParameters,
  checkForeignThreshold,
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
  const tried = checks.flatMap((check): LevelledCheck[] => {
    const first = check(subject, TEST_LEVEL);
    return first === null ? [] : [(level) => (level === TEST_LEVEL ? first : (check(subject, level) ?? first))];
  });
  const found = runChecks(tried);
  return { format: 'opaline-audit/1', release: subject.name, verdict: foldVerdicts(found), checks: found };
}
