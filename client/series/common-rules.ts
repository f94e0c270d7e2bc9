import { z } from 'zod';
import { isRecord } from '../../contracts/is-record.ts';
import { dayOfFile, seriesFields } from '../../contracts/series.ts';
import type { FieldPath, ReportIssue } from '../../contracts/series-issue.ts';
import { DAY_MINUTES, dayEnds } from '../../core/calendar/day-ends.ts';
import { clockMinutes } from '../../core/calendar/time-bins.ts';
import { isTimeZone } from '../../services/calendar/time-zone.ts';
import { isSameSubject, isSubject, subjectKey } from '../../services/signing/subjects.ts';
import { nearNames } from './near-names.ts';

const commonFields = z.object({ ...seriesFields, day: dayOfFile });

/** The fields of every kind that a file has and that are well-formed. */
export type CommonParts = Partial<z.output<typeof commonFields>>;

/**
 * Rules of every series file that look at more than one field. Each runs on the parts of the file that are
 * well-formed, so that one mistake does not hide the others.
 */
type Rule = (file: CommonParts, report: ReportIssue) => void;

const dayRules: Rule = ({ day, timeZone }, report) => {
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    report(['timeZone'], 'No such time zone is known; name a region, such as Australia/Sydney.');
  }
  if (!day) return;
  const ends = dayEnds(day);
  if (clockMinutes(day.starts) >= DAY_MINUTES) return report(['day', 'starts'], 'A day starts before 24:00.');
  if (ends === null) return report(['day', 'starts'], 'A day that starts at 12:00 or later needs day.ends; add it.');
  if (clockMinutes(ends) <= clockMinutes(day.starts)) {
    report(['day', 'ends'], 'The day ends before it starts; count on past midnight, 04:00 to 28:00.');
  }
};

const clockRules: Rule = ({ window, schedule, publication }, report) => {
  const onClock = (path: FieldPath, time: string | undefined): void => {
    if (time !== undefined && clockMinutes(time) >= DAY_MINUTES)
      report(path, 'Write a time of the clock, 00:00 to 23:59.');
  };
  onClock(['schedule', 'time'], schedule?.time);
  onClock(['publication', 'at', 'time'], publication?.at?.time);
  if (schedule && window?.days !== undefined && window.days > 7) {
    report(
      ['window', 'days'],
      'A schedule starts a release every week; longer windows would overlap. Take at most 7 days.',
    );
  }
};

const windowRules: Rule = ({ window }, report) => {
  if (!window) return;
  const { days, firstWeekday, months } = window;
  if (months !== undefined) {
    for (const field of ['days', 'firstWeekday'] as const)
      if (window[field] !== undefined)
        report(['window', field], 'A window is of months, or of days from a weekday on; take one of the two out.');
  } else {
    if (days === undefined) report(['window', 'days'], 'The field is missing; give days with firstWeekday, or months.');
    if (firstWeekday === undefined) report(['window', 'firstWeekday'], 'The field is missing; add it.');
  }
};

const gateRules: Rule = ({ gate, custodians }, report) => {
  if (!gate?.approvers) return;
  const subjects = new Set(gate.approvers.map(({ subject }) => subjectKey(subject)));
  if (gate.required > subjects.size) {
    report(
      ['gate', 'required'],
      'More approvals are required than there are approvers; lower it, or name more people.',
    );
  }
  for (const [index, { subject }] of gate.approvers.entries()) {
    const path = ['gate', 'approvers', index, 'subject'];
    if (!isSubject(subject)) report(path, 'A name holds no characters that are not shown, and no space at its ends.');
    if (custodians?.some((custodian) => isSameSubject(custodian, subject)))
      report(path, 'A custodian of the raw data cannot approve (C16); name someone else.');
  }
};

export const COMMON_RULES: readonly Rule[] = [dayRules, clockRules, windowRules, gateRules];

/** A file names a source store by a name of the private deployment; those there are: `sources`. */
export function sourceRule(file: unknown, sources: readonly string[], report: ReportIssue): void {
  const store = isRecord(file) && isRecord(file.source) ? file.source.store : undefined;
  if (typeof store !== 'string' || sources.includes(store)) return;
  const hint = sources.length === 0 ? 'names no source at all' : `has ${nearNames(store, sources).join(', ')}`;
  report(['source', 'store'], `There is no source store ${store}; the private deployment ${hint}.`);
}
