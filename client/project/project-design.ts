import type { Unit } from '../../contracts/certificate.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import type { Volume } from '../../counts/readers/expected-utility.ts';
import { expectedDesign, possibleDesigns, proposedDesign } from '../../counts/readers/proposed-design.ts';
import { PROPOSED_MINUTES, utilityWords } from '../../kinds/taps/client/designs.ts';
import { countedGrid } from '../../kinds/taps/client/domain-size.ts';
import type { ProjectAnswers, ProjectDesign } from './project-answers.ts';

/** What is asked for before a design can be proposed: nothing of it comes from a row. */
export type DesignQuestion = Pick<ProjectAnswers, 'modes' | 'lists' | 'window'> & {
  rows: 'trips' | 'taps';
  unit: Unit;
  maxTaps: number | null;
  epsilon: string;
  delta: string;
  publish: 'on' | 'off' | 'on+off';
  volume: Volume | null;
  /** Names of all files: rejects are counted for the day that a name says. */
  pattern: string;
};

/** So many rejected taps of a mode on a day are hardly ever noise alone, at ε = 1. */
const LEAST_LIMIT = 6400;

/**
 * The designs that the answers allow, with the proposed one first. The limits of rejects are generous: a whole day of all
 * modes, as a release over a limit is lost.
 *
 * @contract C17
 */
export function projectDesigns({
  modes,
  lists,
  window,
  volume,
  maxTaps,
  pattern,
  ...asked
}: DesignQuestion): ProjectDesign[] {
  const { unit, publish, epsilon } = asked;
  const locations = Object.fromEntries(modes.map((mode) => [mode, { dictionary: mode, unknown: 'UNKNOWN' }]));
  const rule = {
    ...{ modes: [...modes], bins: { locations }, privacy: { publish } },
    day: { starts: '00:00', ends: '24:00' },
    window: { ...window, lagDays: 0 },
  };
  const listOf = (mode: string) => Buffer.from(lists.files.get(lists.ofMode.get(mode)!)!);
  const grids = PROPOSED_MINUTES.map((minutes) => countedGrid(rule, listOf, minutes));
  const isCard = maxTaps !== null;
  const namesDay = /\{(?!mode\})/.test(pattern);
  const limit = volume && Math.ceil(Math.max(volume.tapsPerWeek / 7, LEAST_LIMIT / toNumber(parseRational(epsilon))));
  const designs = possibleDesigns(
    {
      ...{ unit, publish, neighbours: 'replace-one', epsilon, delta: asked.delta, rows: asked.rows },
      ...(isCard && { maxTaps }),
      ...(limit && !isCard && namesDay && { rejects: Object.fromEntries(modes.map((mode) => [mode, limit])) }),
    },
    grids,
  );
  const proposed = proposedDesign(designs, volume);
  return designs
    .toSorted((a, b) => Number(b === proposed) - Number(a === proposed))
    .map((design) => expectedDesign(design, volume))
    .map((design) => ({ ...design, shows: design.expected ? utilityWords(design.expected) : null }));
}
