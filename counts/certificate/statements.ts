import type { Certificate, ShownChance } from '../../contracts/certificate.ts';
import { partitionPath } from '../../contracts/names.ts';
import type { Correction } from '../../contracts/stages.ts';
import { MECHANISMS } from '../mechanisms/mechanisms.ts';
import { bringsOtherTap, leftOutChange, leftOutOfUnit } from './l1-change.ts';
import { UNITS } from './units.ts';

/** A certificate without its two lists. */
export type CertifiedNumbers = Omit<Certificate, 'rechecked' | 'assumptions'>;

function splitStatement({ epsilon, split }: CertifiedNumbers): string {
  const shares = [
    `${split.cells} for the cells`,
    ...(split.time === undefined ? [] : [`${split.time} for times`]),
    ...(split.location === undefined ? [] : [`${split.location} for locations`]),
    ...(split.bounded === undefined ? [] : [`${split.bounded} for what the bound leaves out`]),
    ...(split.checks === undefined ? [] : [`${split.checks} for checks`]),
  ];
  return `The shares of ε add up to ${epsilon} exactly: ${shares.join(', ')}.`;
}

function changeStatement({ unit, neighbours, publish, d1 }: CertifiedNumbers): string {
  const change = neighbours === 'replace-one' ? `Replacing one ${unit} by another` : `Adding or removing one ${unit}`;
  return `${change} moves all counts of the release (taps ${publish}) by at most ${d1} in total.`;
}

/** Which cells a tap can empty besides its own. */
const patternStatements = (numbers: CertifiedNumbers): string[] =>
  bringsOtherTap(numbers)
    ? [
        'A row holds both taps of a trip, and a value that cannot be used takes both away: replacing one tap can make two cells appear, and δ counts both.',
      ]
    : [];

/** What anyone can check again, as sentences (C10). */
export function recheckedStatements(numbers: CertifiedNumbers): string[] {
  const { d1, scale, epsilon, delta } = numbers;
  const { words } = MECHANISMS[numbers.mechanism];
  return [
    changeStatement(numbers),
    ...patternStatements(numbers),
    splitStatement(numbers),
    `The noise on a cell has scale ${scale}, which is ${d1} divided by the share of the cells; margins likewise.`,
    words.threshold(numbers),
    `The ledger charges ε = ${epsilon} and δ = ${delta} to every block of the release, once.`,
    words.tables,
    'Remainder rows, where there are any, are fitted by levels to the published rows and the noisy margins, whose total they have.',
    ...floorStatements(numbers),
    ...leftOutStatements(numbers),
    ...rejectStatements(numbers),
  ];
}

/** What a floor shows of whom. It is disclosure policy: δ is 0 with any floor. */
function floorStatements({ unit, floor, hours, shown }: CertifiedNumbers): string[] {
  if (floor === undefined || !shown) return [];
  const chances = ({ lone, empty }: ShownChance) =>
    `with a chance of at most ${lone.upper} for one ${unit} that is alone there, and of at most ${empty.upper} where nobody was`;
  return [
    `The floor ${floor} shows a cell ${chances(shown.cell)}; it is chosen, and δ is 0 with any floor.`,
    ...(hours && shown.hour
      ? [
          `Noisy counts under the floor are added up for each hour and place, of ${hours.bins} time bins; sums from ${hours.floor} on are published and cost no ε. An hour row is shown ${chances(shown.hour)}.`,
        ]
      : []),
  ];
}

/** What is counted of the taps that the bound leaves out. */
function leftOutStatements({ clamp, leftOutScale, neighbours }: CertifiedNumbers): string[] {
  if (clamp === undefined || leftOutScale === undefined) return [];
  const change = neighbours === 'replace-one' ? 2 * clamp : clamp;
  return [
    `Of the taps of one card that the bound leaves out at most ${clamp} are counted, for each mode, day and end; so they move by at most ${change} in total. Their noise has scale ${leftOutScale}, which is ${change} divided by their share.`,
  ];
}

/** What is counted of rejects, and which of them fail the audit. */
function rejectStatements(numbers: CertifiedNumbers): string[] {
  const { unit, rejects, leftOutScale } = numbers;
  const change = leftOutChange(numbers);
  if (!rejects || change === null || leftOutScale === undefined) return [];
  const limits = Object.entries(rejects).map(([part, most]) => `${most} of ${part}`);
  return [
    `Taps that could not be read are counted for each mode, day and end. One ${unit} makes at most ${leftOutOfUnit(numbers)} of them, so that it moves these numbers by at most ${change} in total. Their noise has scale ${leftOutScale}, which is ${change} divided by the share for checks.`,
    `A release whose noisy number of rejects is above a limit fails its audit; of one day the limits are ${limits.join(', ')}.`,
  ];
}

/** Whether parameters were chosen without a look at confidential data that nobody charged; else the data (C17). */
export const choiceStatement = (chosenOn: string | undefined): string =>
  chosenOn === undefined
    ? 'Privacy parameters were chosen from public data, earlier publications or charged output.'
    : `Parameters were chosen with uncharged access to data of ${chosenOn}.`;

/**
 * What a release that corrects an earlier version says besides: that the choice of what is drawn anew depends on nobody's
 * data is attested, not provable.
 *
 * @contract C13
 */
export function correctionStatements(correction: Correction | null): string[] {
  if (!correction) return [];
  const redrawn = correction.partitions.map(partitionPath).sort().join(', ');
  return [
    `People chose from object-level notices alone what version ${correction.of} needs drawn anew (${redrawn}); everything else is carried over byte for byte.`,
  ];
}

/** What the publisher attests and nobody outside can check, as sentences (C10). */
export function assumptionStatements(numbers: CertifiedNumbers): string[] {
  const { unit, maxTaps, mechanism, chosenOn, rejects } = numbers;
  return [
    UNITS[unit].words.bounding(maxTaps),
    'Each source row gives at most one row, as a function of that row and public constants alone.',
    'In text files each line is a row of its own: a line end inside a field, quoted or not, ends the row.',
    'Objects with equal bytes are one delivery, and what is of one person stands in every copy of it.',
    'Location dictionaries, days, time bins and modes come from public sources, never from the confidential data.',
    choiceStatement(chosenOn),
    "Noise comes from the random generator of the operating system's kernel, asked anew for each partition, is drawn once, and is neither stored nor shown.",
    'The private worker ran the build that the manifest names.',
    'Approvers have no access to the custodian side and decided on the release folder alone.',
    'Which objects existed, were readable and had the right columns does not depend on any one person.',
    'Timing is not covered: nobody outside sees how long the private stages took.',
    ...MECHANISMS[mechanism].words.assumptions,
    ...(rejects
      ? [
          `A row that cannot be read counts for the day that the name of its object says; one ${unit} makes at most ${leftOutOfUnit(numbers)} rejects.`,
        ]
      : []),
  ];
}
