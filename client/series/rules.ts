import { isTimeZone } from '../../activities/calendar/zone.ts';
import { readPublicKey } from '../../activities/signing/keys.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { SeriesFile } from '../../contracts/series.ts';
import { clockLabel, clockMinutes } from '../../core/calendar/time-bins.ts';
import { certify, readDelta, readEpsilon } from '../../core/certificate/certificate.ts';
import { l1Change } from '../../core/certificate/l1-change.ts';
import { readSplit } from '../../core/certificate/split.ts';
import { compare, parseRational } from '../../core/rational/rational.ts';
import { auditRules } from './audit-rules.ts';
import type { FieldPath, ReportIssue } from './issue.ts';

/**
 * Rules of a series file that look at more than one field. Each runs on the parts of the file that are well-formed, so
 * that one mistake does not hide the others.
 */
export type Rule = (file: Partial<SeriesFile>, report: ReportIssue) => void;

const DAY = 24 * 60;
/** The last minute that `clockTime` of the schema can write, and with it the longest traffic day. */
const LAST_MINUTE = 36 * 60 - 1;

/** Runs a check of core/ that throws, and reports its sentence at the field. */
function reporting(report: ReportIssue, path: FieldPath, check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (!(error instanceof OpalineError) && !(error instanceof RangeError)) throw error;
    report(path, /\.$/.test(error.message) ? error.message : `${error.message}.`);
    return false;
  }
}

function repeated(values: readonly string[]): number[] {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));
}

/** `day.ends` as written, or 24 hours after `day.starts`; null when that is later than a traffic day can last. */
export function dayEnds({ starts, ends }: SeriesFile['day']): string | null {
  if (ends !== undefined) return ends;
  const minutes = clockMinutes(starts) + DAY;
  return minutes > LAST_MINUTE ? null : clockLabel(minutes);
}

const dayRules: Rule = ({ day, bins, timeZone }, report) => {
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    report(['timeZone'], 'No such time zone is known; name a region, such as Australia/Sydney.');
  }
  if (!day) return;
  const ends = dayEnds(day);
  if (clockMinutes(day.starts) >= DAY) return report(['day', 'starts'], 'A day starts before 24:00.');
  if (ends === null) return report(['day', 'starts'], 'A day that starts at 12:00 or later needs day.ends; add it.');
  if (clockMinutes(ends) <= clockMinutes(day.starts)) {
    report(['day', 'ends'], 'The day ends before it starts; count on past midnight, 04:00 to 28:00.');
  }
  if (!bins) return;
  for (const [field, time] of [
    ['starts', day.starts],
    ['ends', ends],
  ] as const) {
    if (clockMinutes(time) % bins.minutes !== 0) {
      report(['day', field], `The time must be a multiple of the time bin, ${bins.minutes} minutes.`);
    }
  }
};

const clockRules: Rule = ({ window, schedule, publication }, report) => {
  const onClock = (path: FieldPath, time: string | undefined): void => {
    if (time !== undefined && clockMinutes(time) >= DAY) report(path, 'Write a time of the clock, 00:00 to 23:59.');
  };
  onClock(['schedule', 'time'], schedule?.time);
  onClock(['publication', 'at', 'time'], publication?.at?.time);
  if (schedule && window && window.days > 7) {
    report(
      ['window', 'days'],
      'A schedule starts a release every week; longer windows would overlap. Take at most 7 days.',
    );
  }
};

const modeRules: Rule = ({ modes, bins, tables }, report) => {
  for (const index of repeated(tables ?? [])) report(['tables', index], 'The table is named twice; take one out.');
  if (!modes) return;
  for (const index of repeated(modes)) report(['modes', index], 'The mode is named twice; take one out.');
  if (!bins) return;
  for (const [index, mode] of modes.entries()) {
    if (!Object.hasOwn(bins.locations, mode)) {
      report(['modes', index], `The mode has no location dictionary; add bins.locations.${mode}.`);
    }
  }
  for (const mode of Object.keys(bins.locations)) {
    if (!modes.includes(mode)) report(['bins', 'locations', mode], 'The series has no such mode; add it to modes.');
  }
};

/** Does a note to the readers name the matter? */
const explains = ({ publication }: Partial<SeriesFile>, matter: string): boolean =>
  publication?.notes.some((note) => note.includes(matter)) ?? false;

const privacyRules: Rule = (file, report) => {
  const { privacy } = file;
  if (!privacy) return;
  const { unit } = privacy;
  const sound = [
    reporting(report, ['privacy', 'epsilon'], () => readEpsilon(privacy.epsilon)),
    reporting(report, ['privacy', 'delta'], () => readDelta(privacy.delta)),
    reporting(report, ['privacy', privacy.maxTaps === undefined ? 'unit' : 'maxTaps'], () => l1Change(privacy)),
  ].every(Boolean);
  if (sound) privacyNumbers(privacy, report);
  const oneEndOnly = unit === 'tap' && file.source?.rows === 'trips' && privacy.publish === 'on+off';
  if (oneEndOnly && !explains(file, 'unit tap')) {
    report(
      ['privacy', 'unit'],
      'Unit tap protects one end of a trip and not the trip; take unit trip, or add a note on unit tap to publication.notes.',
    );
  }
};

function privacyNumbers(privacy: SeriesFile['privacy'], report: ReportIssue): void {
  const { mechanism, caps } = privacy;
  const epsilon = readEpsilon(privacy.epsilon);
  const delta = readDelta(privacy.delta);
  const pure = mechanism === 'complete-domain';
  if (pure && delta.numerator !== 0n) report(['privacy', 'delta'], 'complete-domain has δ = 0; write delta: 0.');
  if (!pure && delta.numerator === 0n) {
    report(['privacy', 'delta'], `${mechanism} needs a δ above 0, such as 1e-6; only complete-domain has δ = 0.`);
  }
  for (const name of ['block', 'year'] as const) {
    reporting(report, ['privacy', 'caps', name], () => {
      const [capEpsilon, capDelta] = [parseRational(caps[name].epsilon), parseRational(caps[name].delta)];
      if (compare(capEpsilon, epsilon) < 0) {
        report(
          ['privacy', 'caps', name, 'epsilon'],
          'The cap is below the ε of one release, which could never run; raise it.',
        );
      }
      if (compare(capDelta, delta) < 0) {
        report(
          ['privacy', 'caps', name, 'delta'],
          'The cap is below the δ of one release, which could never run; raise it.',
        );
      }
    });
  }
  const splits = reporting(report, ['privacy', 'split'], () => readSplit(epsilon, privacy.split));
  if (splits && pure === (delta.numerator === 0n)) reporting(report, ['privacy'], () => certify(privacy));
}

const gateRules: Rule = ({ gate, custodians }, report) => {
  if (!gate) return;
  const subjects = new Set(gate.approvers.map(({ subject }) => subject));
  if (gate.required > subjects.size) {
    report(
      ['gate', 'required'],
      'More approvals are required than there are approvers; lower it, or name more people.',
    );
  }
  const owners = new Map<string, string>();
  for (const [index, approver] of gate.approvers.entries()) {
    const { subject } = approver;
    if (custodians?.includes(subject)) {
      report(
        ['gate', 'approvers', index, 'subject'],
        'A custodian of the raw data cannot approve (C16); name someone else.',
      );
    }
    const path = ['gate', 'approvers', index, 'key'];
    reporting(report, path, () => {
      const key = normalKey(approver.key);
      if ((owners.get(key) ?? subject) !== subject) {
        report(
          path,
          'Another approver has the same key, and one person would count as two; each needs a key of their own.',
        );
      }
      owners.set(key, subject);
    });
  }
};

/** A public key in the one way in which it is stored. Throws KEY_INVALID. */
export const normalKey = (pem: string): string => readPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString();

export const SERIES_RULES: readonly Rule[] = [dayRules, clockRules, modeRules, privacyRules, gateRules, auditRules];
