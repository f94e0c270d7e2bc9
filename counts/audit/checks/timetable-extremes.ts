import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { warning } from '../../../core/verdict/finding.ts';
import type { CountRow } from '../../derive/count-row.ts';
import { type CountTable, rowsOf } from '../../derive/count-table.ts';
import type { TimetableCell } from '../subject.ts';
import { nameOf } from './sibling-totals.ts';

type TimetableSubject = { cells: CountTable; knowledge: { timetable: readonly TimetableCell[] } };

/** Cells named in the sentence; the rest is counted. */
const NAMED = 5;

/**
 * Timetable extremes: a published cell that only one service or one stop can feed names the vehicle or the stop, which
 * the bins were to hide (Culnane, Rubinstein, Teague 2017, section 4.2: a night bus). Statistic: such cells among the
 * published ones, by a timetable that holds on every day. The remedy is a public rule that makes those bins coarser.
 * Cost: O(rows + timetable).
 */
export function checkTimetable({ cells, knowledge: { timetable } }: TimetableSubject): AuditCheck {
  const lone = new Set(timetable.filter(({ services, stops }) => services === 1 || stops === 1).map(keyOf));
  const alone: CountRow[] = [];
  if (lone.size > 0) for (const cell of rowsOf(cells)) if (lone.has(keyOf(cell))) alone.push(cell);
  const names = alone.slice(0, NAMED).map(nameOf);
  const more = alone.length > NAMED ? ` and ${alone.length - NAMED} more` : '';
  const sentence =
    alone.length > 0
      ? `One service or one stop alone can feed: ${names.join('; ')}${more}. A coarser public bin there would hide it.`
      : timetable.length === 0
        ? 'No timetable is declared, so that nobody looked for cells of a single vehicle.'
        : 'By the timetable every published cell is fed by several services and several stops.';
  const attack = 'Find cells that a single vehicle or a single stop can feed.';
  const check = warning('timetable-extremes', attack, alone.length, sentence);
  return timetable.length === 0 ? { ...check, verdict: 'not-tried' } : check;
}

const keyOf = ({ mode, tap, time, location }: TimetableCell | CountRow): string =>
  JSON.stringify([mode, tap, time, location]);
