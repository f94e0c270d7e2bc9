import type { AuditCheck } from '../../../contracts/audit.ts';
import { checkTimetable } from '../attacks/timetable-extremes.ts';
import type { AuditSubject } from '../subject.ts';

/** Cells of a lone vehicle or stop, by the timetable that the series declares. */
export const checkDeclaredTimetable = ({ cells, knowledge }: AuditSubject): AuditCheck =>
  checkTimetable(knowledge.timetable, cells);
