import type { Unit } from '../../contracts/certificate.ts';
import { dayEnds } from '../../core/calendar/day-ends.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { withoutTimes } from '../../core/source-pattern/pattern.ts';
import { type CardUnit, UNITS } from '../../counts/certificate/units.ts';
import type { CountedGrid } from '../../counts/readers/expected-utility.ts';
import { isProposedForPeople, peopleDesign } from '../../counts/readers/people-designs.ts';
import { possibleDesigns, proposeDesign, withUtility } from '../../counts/readers/proposed-design.ts';
import { type ModeVolume, PROPOSED_MINUTES, utilityWords } from '../../kinds/taps/client/designs.ts';
import { buildGrid } from '../../kinds/taps/client/domain-size.ts';
import type { ProjectAnswers, ProjectDesign } from './project-answers.ts';

/** What is public of a domain, and of how much there is in it. */
export type DomainQuestion = Pick<ProjectAnswers, 'modes' | 'lists' | 'window' | 'starts'> & {
  publish: 'on' | 'off' | 'on+off';
  volume: ModeVolume | null;
};

/** What is asked for before a design can be proposed: nothing of it comes from a row. */
export type DesignQuestion = DomainQuestion & {
  rows: 'trips' | 'taps';
  unit: Unit;
  maxTaps: number | null;
  epsilon: string;
  delta: string;
  /** Names of all files: rejects are counted for the day that a name says. */
  pattern: string;
};

/** This many rejected taps of a mode on a day are hardly ever noise alone, at ε = 1. */
const LEAST_LIMIT = 6400;

function gridsOf({ modes, lists, window, starts, publish }: DomainQuestion): CountedGrid[] {
  const locations = Object.fromEntries(modes.map((mode) => [mode, { dictionary: mode, unknown: 'UNKNOWN' }]));
  const rule = {
    modes: [...modes],
    bins: { locations },
    privacy: { publish },
    day: { starts, ends: dayEnds({ starts })! },
    window: { ...window, lagDays: 0 },
  };
  const listOf = (mode: string) => Buffer.from(lists.files.get(lists.ofMode.get(mode)!)!);
  return PROPOSED_MINUTES.map((minutes) => buildGrid(rule, listOf, minutes));
}

/** Days of a window in which people are protected whole. */
const WEEK = 7;

/** The card unit that is proposed: the week of a card where windows are weeks and enough would be shown, else its day. */
export function proposeCardUnit(question: DomainQuestion): CardUnit {
  const { window, publish, volume } = question;
  const isWeekly = 'days' in window && window.days === WEEK;
  return isWeekly && isProposedForPeople(publish, gridsOf(question).at(-1)!, volume) ? 'card-window' : 'card-day';
}

/**
 * The designs that the answers allow, with the proposed one first: of a card's window those for people, where there is
 * one. The limits of rejects are generous: a whole day of the mode, or of all modes where nobody says how much each has,
 * as a release over a limit is lost.
 *
 * @contract C17
 */
export function projectDesigns(question: DesignQuestion): ProjectDesign[] {
  const { modes, volume, maxTaps, pattern, unit, publish, epsilon, delta, rows } = question;
  const grids = gridsOf(question);
  const isCard = maxTaps !== null;
  const namesDay = withoutTimes(pattern) !== pattern;
  const least = LEAST_LIMIT / toNumber(parseRational(epsilon));
  const limitOf = (mode: string, { tapsPerWeek, ofModes }: ModeVolume): number =>
    Math.ceil(Math.max((ofModes?.get(mode) ?? tapsPerWeek) / 7, least));
  const ofPeople =
    isCard && UNITS[unit].cardScope === 'window'
      ? grids.flatMap((grid) => peopleDesign({ unit: 'card-window', maxTaps, publish, epsilon, delta }, grid))
      : [];
  const others = () =>
    possibleDesigns(
      {
        unit,
        publish,
        neighbours: 'replace-one',
        epsilon,
        delta,
        rows,
        ...(isCard && { maxTaps }),
        ...(volume &&
          !isCard &&
          namesDay && { rejects: Object.fromEntries(modes.map((mode) => [mode, limitOf(mode, volume)])) }),
      },
      grids,
    );
  const designs = ofPeople.length > 0 ? ofPeople : others();
  const proposal = proposeDesign(designs, volume);
  return designs
    .toSorted((a, b) => Number(b === proposal) - Number(a === proposal))
    .map((design) => withUtility(design, volume))
    .map((design) => ({ ...design, shows: design.expected ? utilityWords(design.expected) : null }));
}
