import type { Unit } from '../../contracts/certificate.ts';
import { dayEnds } from '../../core/calendar/day-ends.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { expectedDesign, possibleDesigns, proposedDesign } from '../../counts/readers/proposed-design.ts';
import { type ModeVolume, PROPOSED_MINUTES, utilityWords } from '../../kinds/taps/client/designs.ts';
import { countedGrid } from '../../kinds/taps/client/domain-size.ts';
import type { ProjectAnswers, ProjectDesign } from './project-answers.ts';

/** What is asked for before a design can be proposed: nothing of it comes from a row. */
export type DesignQuestion = Pick<ProjectAnswers, 'modes' | 'lists' | 'window' | 'starts'> & {
  rows: 'trips' | 'taps';
  unit: Unit;
  maxTaps: number | null;
  epsilon: string;
  delta: string;
  publish: 'on' | 'off' | 'on+off';
  volume: ModeVolume | null;
  /** Names of all files: rejects are counted for the day that a name says. */
  pattern: string;
};

/** So many rejected taps of a mode on a day are hardly ever noise alone, at ε = 1. */
const LEAST_LIMIT = 6400;

/**
 * The designs that the answers allow, with the proposed one first. The limits of rejects are generous: a whole day of the
 * mode, or of all modes where nobody says how much each has, as a release over a limit is lost.
 *
 * @contract C17
 */
export function projectDesigns({
  modes,
  lists,
  window,
  starts,
  volume,
  maxTaps,
  pattern,
  ...asked
}: DesignQuestion): ProjectDesign[] {
  const { unit, publish, epsilon } = asked;
  const locations = Object.fromEntries(modes.map((mode) => [mode, { dictionary: mode, unknown: 'UNKNOWN' }]));
  const rule = {
    ...{ modes: [...modes], bins: { locations }, privacy: { publish } },
    day: { starts, ends: dayEnds({ starts })! },
    window: { ...window, lagDays: 0 },
  };
  const listOf = (mode: string) => Buffer.from(lists.files.get(lists.ofMode.get(mode)!)!);
  const grids = PROPOSED_MINUTES.map((minutes) => countedGrid(rule, listOf, minutes));
  const isCard = maxTaps !== null;
  const namesDay = /\{(?!mode\})/.test(pattern);
  const least = LEAST_LIMIT / toNumber(parseRational(epsilon));
  const limitOf = (mode: string, { tapsPerWeek, ofModes }: ModeVolume): number =>
    Math.ceil(Math.max((ofModes?.get(mode) ?? tapsPerWeek) / 7, least));
  const designs = possibleDesigns(
    {
      ...{ unit, publish, neighbours: 'replace-one', epsilon, delta: asked.delta, rows: asked.rows },
      ...(isCard && { maxTaps }),
      ...(volume &&
        !isCard &&
        namesDay && { rejects: Object.fromEntries(modes.map((mode) => [mode, limitOf(mode, volume)])) }),
    },
    grids,
  );
  const proposed = proposedDesign(designs, volume);
  return designs
    .toSorted((a, b) => Number(b === proposed) - Number(a === proposed))
    .map((design) => expectedDesign(design, volume))
    .map((design) => ({ ...design, shows: design.expected ? utilityWords(design.expected) : null }));
}
