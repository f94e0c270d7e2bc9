import { OpalineError } from '../../../contracts/errors.ts';
import { type ReportIssue, runCheck } from '../../../contracts/series-issue.ts';
import type { Amount } from '../../../core/accounting/basic-composition.ts';
import { clockMinutes } from '../../../core/calendar/time-bins.ts';
import { patternNames } from '../../../core/source-pattern/pattern.ts';
import { certify, sharesOf } from '../../../counts/certificate/certify.ts';
import { l1Change } from '../../../counts/certificate/l1-change.ts';
import { ALARMED_WRONGLY, wrongAlarm } from '../../../counts/certificate/reject-limit.ts';
import { ENDS_PUBLISHED, UNITS } from '../../../counts/certificate/units.ts';
import { MECHANISMS } from '../../../counts/mechanisms/mechanisms.ts';
import { readAmounts, requireRoom } from '../../file-rules.ts';
import type { TapsFile } from '../series.ts';
import { binsOfHour, completeParameters } from '../taps-certificate.ts';
import { auditRules } from './audit-rules.ts';

/**
 * Rules of a series file of taps that look at more than one field. Each runs on the parts of the file that are
 * well-formed, so that one mistake does not hide the others.
 */
type Rule = (file: Partial<TapsFile>, report: ReportIssue) => void;

const findRepeats = (values: readonly string[]): number[] =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));

const dayRules: Rule = ({ day, bins }, report) => {
  if (!day || !bins) return;
  for (const field of ['starts', 'ends'] as const) {
    const time = day[field];
    if (time !== undefined && clockMinutes(time) % bins.minutes !== 0)
      report(['day', field], `The time must be a multiple of the time bin, ${bins.minutes} minutes.`);
  }
};

const modeRules: Rule = ({ modes, bins, tables }, report) => {
  for (const index of findRepeats(tables ?? [])) report(['tables', index], 'The table is named twice; take one out.');
  if (!modes) return;
  for (const index of findRepeats(modes)) report(['modes', index], 'The mode is named twice; take one out.');
  if (!bins) return;
  for (const [index, mode] of modes.entries()) {
    if (!Object.hasOwn(bins.locations, mode))
      report(['modes', index], `The mode has no location dictionary; add bins.locations.${mode}.`);
  }
  for (const mode of Object.keys(bins.locations)) {
    if (!modes.includes(mode)) report(['bins', 'locations', mode], 'The series has no such mode; add it to modes.');
  }
};

/** Does a note to the readers name the matter? */
const explains = ({ publication }: Partial<TapsFile>, matter: string): boolean =>
  publication?.notes.some((note) => note.includes(matter)) ?? false;

const privacyRules: Rule = (file, report) => {
  const { privacy } = file;
  if (!privacy) return;
  const { unit, publish } = privacy;
  const { taps } = UNITS[unit];
  // Does a trip show at more of its ends than the unit covers?
  const isOneEndOnly = taps !== 'maxTaps' && taps[publish] < ENDS_PUBLISHED[publish];
  const amounts = readAmounts(privacy, report);
  const unitPath = ['privacy', privacy.maxTaps === undefined ? 'unit' : 'maxTaps'];
  const hasChange = runCheck(report, unitPath, () => l1Change(privacy));
  if (amounts && hasChange) privacyNumbers(privacy, amounts, file.bins?.minutes ?? USUAL_MINUTES, report);
  if (file.source?.rows === 'trips' && isOneEndOnly && !explains(file, `unit ${unit}`))
    report(
      ['privacy', 'unit'],
      `Unit ${unit} protects one end of a trip and not the trip; take unit trip, or add a note on unit ${unit} to publication.notes.`,
    );
};

/** Rows of single taps say nothing of trips: people do, where the unit is more than one tap and no card. */
const tripRules: Rule = (file, report) => {
  const { source, privacy } = file;
  if (!source || !privacy || source.rows !== 'taps') return;
  const { taps } = UNITS[privacy.unit];
  if (taps === 'maxTaps' || taps['on+off'] < 2 || explains(file, `unit ${privacy.unit}`)) return;
  report(
    ['privacy', 'unit'],
    `A row is one tap and unit ${privacy.unit} covers two: say in publication.notes, with the words "unit ${privacy.unit}", which tap on and tap off make a trip; or take another unit.`,
  );
};

/** Limits of rejects: a noisy number of each mode and day, which needs a share of ε and a day for each row. */
const rejectRules: Rule = ({ privacy, source, modes, window }, report) => {
  if (!privacy) return;
  const path = ['privacy', 'rejects'];
  const { rejects, split } = privacy;
  if (!rejects && split.checks !== undefined)
    report(
      ['privacy', 'split', 'checks'],
      'The share is for the noisy numbers of rejected taps; add privacy.rejects, the most of each mode on a day, or leave it out.',
    );
  if (!rejects) return;
  for (const mode of Object.keys(rejects))
    if (modes && !modes.includes(mode)) report([...path, mode], 'The series has no such mode; add it to modes.');
  const names = source && patternNames(source.pattern);
  if (names && !names.date && names.period === null)
    report(
      path,
      'A row that cannot be read is of the day that its object names; write {date} into source.pattern, or leave out privacy.rejects and privacy.split.checks.',
    );
  const chance = window ? alarmChance(privacy, window) : null;
  if (chance !== null && chance > ALARMED_WRONGLY)
    report(
      path,
      `Noise alone would fail 1 of ${Math.floor(1 / chance)} releases, and 1 of ${1 / ALARMED_WRONGLY} is the most; raise the limits, or split.checks.`,
    );
};

/** The chance that noise alone fails a release; null where there is no certificate, which another rule says. */
function alarmChance(privacy: TapsFile['privacy'], window: TapsFile['window']): number | null {
  try {
    return wrongAlarm(certify(completeParameters(privacy, binsOfHour(USUAL_MINUTES), null)), window);
  } catch (error) {
    if (error instanceof OpalineError) return null;
    throw error;
  }
}

/** Time bins where the file has none that can be read. */
const USUAL_MINUTES = 15;

/** Where the mistake is that keeps a certificate from being made, as far as one field can be blamed. */
const blame = ({ floor, hours, rejects }: TapsFile['privacy']): string[] =>
  hours ? ['hours'] : floor !== undefined ? ['floor'] : rejects ? ['rejects'] : [];

/** `minutes`: the length of a time bin. */
function privacyNumbers(privacy: TapsFile['privacy'], amounts: Amount, minutes: number, report: ReportIssue): void {
  const { mechanism } = privacy;
  const { delta } = amounts;
  const pure = MECHANISMS[mechanism].delta === 'zero';
  if (pure && delta.numerator !== 0n) report(['privacy', 'delta'], 'complete-domain has δ = 0; write delta: 0.');
  if (!pure && delta.numerator === 0n)
    report(['privacy', 'delta'], `${mechanism} needs a δ above 0, such as 1e-6; only complete-domain has δ = 0.`);
  requireRoom(privacy, amounts, report);
  const splits = runCheck(report, ['privacy', 'split'], () => sharesOf(privacy));
  if (splits && pure === (delta.numerator === 0n))
    runCheck(report, ['privacy', ...blame(privacy)], () =>
      certify(completeParameters(privacy, binsOfHour(minutes), null)),
    );
}

export const TAPS_RULES: readonly Rule[] = [dayRules, modeRules, privacyRules, rejectRules, tripRules, auditRules];
