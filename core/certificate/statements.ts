import type { Certificate } from '../../contracts/certificate.ts';
import { MECHANISMS } from '../mechanisms/mechanisms.ts';
import { UNITS } from './units.ts';

/** A certificate without its two lists. */
export type CertifiedNumbers = Omit<Certificate, 'rechecked' | 'assumptions'>;

function splitStatement({ epsilon, split }: CertifiedNumbers): string {
  const shares = [
    `${split.cells} for the cells`,
    ...(split.time === undefined ? [] : [`${split.time} for times`]),
    ...(split.location === undefined ? [] : [`${split.location} for locations`]),
    ...(split.checks === undefined ? [] : [`${split.checks} for checks`]),
  ];
  return `The shares of ε add up to ${epsilon} exactly: ${shares.join(', ')}.`;
}

function changeStatement({ unit, neighbours, publish, d1 }: CertifiedNumbers): string {
  const change = neighbours === 'replace-one' ? `Replacing one ${unit} by another` : `Adding or removing one ${unit}`;
  return `${change} moves all counts of the release (taps ${publish}) by at most ${d1} in total.`;
}

/** What anyone can check again, as sentences (C10). */
export function recheckedStatements(numbers: CertifiedNumbers): string[] {
  const { d1, scale, epsilon, delta } = numbers;
  const { words } = MECHANISMS[numbers.mechanism];
  return [
    changeStatement(numbers),
    splitStatement(numbers),
    `The noise on a cell has scale ${scale}, which is ${d1} divided by the share of the cells; margins likewise.`,
    words.threshold(numbers),
    `The ledger charges ε = ${epsilon} and δ = ${delta} to every block of the release, once.`,
    words.tables,
  ];
}

/** What the publisher attests and nobody outside can check, as sentences (C10). */
export function assumptionStatements({ unit, maxTaps, mechanism }: CertifiedNumbers): string[] {
  return [
    UNITS[unit].words.bounding(maxTaps),
    'Each source row gives at most one row, as a function of that row and public constants alone.',
    'Location dictionaries, days, time bins and modes come from public sources, never from the confidential data.',
    'Privacy parameters were chosen from public data, earlier publications or charged output.',
    'Noise comes from the random generator of the operating system, is drawn once, and is neither stored nor shown.',
    'The private worker ran the build that the manifest names.',
    'Approvers have no access to the custodian side and decided on the release folder alone.',
    'Which objects existed, were readable and had the right columns does not depend on any one person.',
    'Timing is not covered: nobody outside sees how long the private stages took.',
    ...MECHANISMS[mechanism].words.assumptions,
  ];
}
