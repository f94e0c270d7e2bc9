import type { Mutant } from './mutant.ts';

const COMPLETE_DOMAIN_TEST = 'complete-domain.test.ts';
const LEVEL_TEST = 'level-fit.test.ts';

/** Floors, hour rows and levels that are not those of the contract. */
export const FLOOR_MUTANTS: Mutant[] = [
  {
    id: 'floor-on-true-counts',
    bug: 'Under a floor the true count decides whether a cell is published.',
    clause: 'C8',
    edits: [{ in: 'completeDomain', from: 'isPublished(noisyCount, threshold)', to: 'isPublished(count, threshold)' }],
    killer: { file: COMPLETE_DOMAIN_TEST, test: 'floor-001, cells and hour rows under a floor' },
  },
  {
    id: 'floor-one-off',
    bug: 'Cells are published from one below the floor on.',
    clause: 'C8',
    edits: [
      {
        in: 'completeDomain',
        from: 'isPublished(noisyCount, threshold)',
        to: 'isPublished(noisyCount + 1, threshold)',
      },
    ],
    killer: { file: COMPLETE_DOMAIN_TEST, test: 'hours of one tap are apart from those of the other' },
  },
  {
    id: 'hour-row-of-one-cell',
    bug: 'The floor of hour rows can be below that of cells, so that a row can be one cell that is not shown.',
    clause: 'C8',
    edits: [
      {
        in: 'requireFloors',
        from: 'ofCells === null || !isFloor(hours.floor) || hours.floor < ofCells',
        to: 'ofCells === null || !isFloor(hours.floor)',
      },
    ],
    killer: { file: COMPLETE_DOMAIN_TEST, test: 'hour rows without a floor or under a lower one are refused' },
  },
  {
    id: 'hour-row-with-shown-cells',
    bug: 'An hour row adds up the cells that are published too: a second view of each of them.',
    clause: 'C8',
    edits: [
      {
        in: 'completeDomain',
        from: `if (threshold === null || isPublished(noisyCount, threshold)) cells.add(place, noisyCount);
      else sums?.add(place, noisyCount);`,
        to: `if (threshold === null || isPublished(noisyCount, threshold)) cells.add(place, noisyCount);
      sums?.add(place, noisyCount);`,
      },
    ],
    killer: { file: COMPLETE_DOMAIN_TEST, test: 'sums have what cells of the hour do not show' },
  },
  {
    id: 'level-ties-to-the-last',
    bug: 'What is left after rounding goes to the last keys of the level: the fit depends on the order of the keys in another way.',
    clause: 'C9',
    edits: [{ in: 'levelFit', from: 'above.entries', to: '[...above.entries()].reverse' }],
    killer: { file: LEVEL_TEST, test: 'ties go to the later key' },
  },
  {
    id: 'total-without-weights',
    bug: 'The total of a group is the plain mean of both sides, whatever their noise.',
    clause: 'C9',
    edits: [
      {
        in: 'varianceOf',
        from: 'multiply(rational(BigInt(members)), variance)',
        to: 'rational(members > 0 && variance.numerator > 0n ? 1n : 2n)',
      },
    ],
    killer: { file: LEVEL_TEST, test: 'group-total-001, the total of a group' },
  },
  {
    id: 'choice-on-data-denied',
    bug: 'A certificate names the data that its parameters were chosen on, and may also say that there was none.',
    clause: 'C17',
    edits: [
      {
        in: 'listProblems',
        from: 'chosenOn !== undefined && certificate.assumptions.includes(choiceStatement(undefined))',
        to: 'chosenOn === undefined && chosenOn !== undefined && certificate.assumptions.includes(choiceStatement(undefined))',
      },
    ],
    killer: { file: 'check-certificate.test.ts', test: 'chosenOn denied' },
  },
  {
    id: 'total-with-the-noise-of-one-row',
    bug: 'The interval of the total of a mode is that of one margin row.',
    clause: 'C19',
    edits: [{ in: 'withInterval', from: '[[scale, rows]]', to: '[[scale, 1]]' }],
    killer: { file: 'shown-taps.test.ts', test: 'rows written by hand' },
  },
  {
    id: 'hour-row-with-the-noise-of-one-cell',
    bug: 'The interval of an hour row is that of one cell.',
    clause: 'C19',
    edits: [{ in: 'hourRowInterval', from: 'bin < bins', to: 'bin < 1' }],
    killer: { file: 'hour-row-interval.test.ts', test: 'the sizes of all the noise' },
  },
  {
    id: 'designs-judged-by-anything',
    bug: 'Designs are judged by a publication that does not verify, whose rows could be a look that nobody charged.',
    clause: 'C17',
    edits: [
      {
        in: 'readVerifiedPublication',
        from: 'if (verified) return new Publication(await readFolder(folder));',
        to: 'if (verified || folder) return new Publication(await readFolder(folder));',
      },
    ],
    killer: { file: 'client/designs.test.ts', test: 'one that was changed is refused' },
  },
  {
    id: 'histogram-where-all-can-be-listed',
    bug: 'A stability histogram is proposed for a domain that can be listed, so that hardly a cell is shown.',
    clause: 'C8',
    edits: [
      {
        in: 'possibleDesigns',
        from: 'domainCells(grid) > MOST_LISTED_CELLS',
        to: 'domainCells(grid) * 100 > MOST_LISTED_CELLS',
      },
    ],
    killer: { file: 'proposed-design.test.ts', test: 'a stability histogram is proposed only where' },
  },
];
