import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { AuditSubject } from '../subject.ts';
import { checkYear } from './accumulation.ts';
import { checkCarriedOver } from './carried-over.ts';
import { checkCertified } from './certificate-check.ts';
import { checkViews } from './dependence.ts';
import { checkTotals } from './differencing.ts';
import { checkDomain } from './domain.ts';
import { checkHoles } from './holes.ts';
import { checkHourRows } from './hour-rows.ts';
import { checkLineBounds } from './linear-bounds.ts';
import { checkMarginNoise } from './margin-noise.ts';
import { checkMetadata } from './metadata.ts';
import { checkPresence } from './presence.ts';
import { checkThreshold } from './published-threshold.ts';
import { checkPrintedStatistics } from './removed-rows.ts';
import { checkKnownReuse } from './reuse.ts';
import { checkRounding } from './rounding.ts';
import { checkOrder } from './row-order.ts';
import { checkKnownScale } from './scale.ts';
import { checkSums } from './sums.ts';
import { checkTimetable } from './timetable-extremes.ts';

/** One check: a pure function of the subject. One with a p-value fails when it is at most `level`. */
export type Check = (subject: AuditSubject, level: number) => AuditCheck;

/** Every check of what is released, in the order of the report. To add one, write its file and name it here. */
export const CHECKS: readonly Check[] = [
  checkCertified,
  checkPresence,
  checkYear,
  checkThreshold,
  checkHourRows,
  checkSums,
  checkTotals,
  checkLineBounds,
  checkMarginNoise,
  checkKnownScale,
  checkKnownReuse,
  checkCarriedOver,
  checkRounding,
  checkViews,
  checkTimetable,
  checkPrintedStatistics,
  checkOrder,
  checkDomain,
  checkMetadata,
  checkHoles,
];
