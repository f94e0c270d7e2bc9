import { type Certificate, type Mechanism, SHARES, type Share, type ShownChance, type Unit } from './certificate.ts';
import { partitionPath } from './names.ts';
import type { Correction } from './stages.ts';

/** A certificate without its two lists. */
export type CertifiedNumbers = Omit<Certificate, 'rechecked' | 'assumptions'>;

/** What the sentences need besides: certifier and checker each work it out, by code of their own. */
export type StatedFacts = {
  /** Does another tap of the row come and go with a tap of the unit? */
  bringsOtherTap: boolean;
  /** The most rejects of one unit; null where nobody can say. */
  rejectsOfUnit: number | null;
};

const SUMS =
  'Published cells reach the threshold, if there is one; rows are in order; the time and location tables are sums of the privatized table.';

const LAPLACE_WORDS = {
  shared: ({ epsilon }: CertifiedNumbers) => `The shares of ε add up to ${epsilon} exactly`,
  scales: ({ scale, d1 }: CertifiedNumbers) =>
    `The noise on a cell has scale ${scale}, which is ${d1} divided by the share of the cells; margins likewise.`,
  scaleOfShare: (scale: string, change: number) => `scale ${scale}, which is ${change} divided by`,
  besideFloor: 'δ is 0 with any floor',
  tables: SUMS,
  assumptions: () => [],
};

/** What a certificate says of its mechanism: of the threshold, of the tables, and what is attested besides. */
const OF_MECHANISMS: Readonly<
  Record<
    Mechanism,
    {
      threshold(numbers: CertifiedNumbers): string;
      /** What the shares are shares of. */
      shared(numbers: CertifiedNumbers): string;
      scales(numbers: CertifiedNumbers): string;
      /** What a scale is of its share. */
      scaleOfShare(scale: string, change: number): string;
      /** What the floor has to do with ε and δ: nothing. */
      besideFloor: string;
      tables: string;
      assumptions(numbers: CertifiedNumbers): readonly string[];
    }
  >
> = {
  'stability-histogram': {
    ...LAPLACE_WORDS,
    threshold: ({ threshold, delta, deltaUpper }) =>
      `${threshold} is the smallest threshold whose upper bound on δ, ${deltaUpper}, is at most ${delta}.`,
  },
  'complete-domain': {
    ...LAPLACE_WORDS,
    threshold: ({ threshold: floor }) =>
      floor === null
        ? 'Every cell of the public domain gets noise, empty ones too, so that δ is 0 and no threshold is needed.'
        : `Every cell of the public domain gets noise, empty ones too, so that δ is 0; cells are published from a noisy count of ${floor} on.`,
  },
  'discrete-gaussian': {
    threshold: ({ threshold: floor, epsilon, deltaUpper }) =>
      `Every cell of the public domain gets noise, empty ones too. At ε = ${epsilon} the exact curve of cells, margins and left-out taps together gives δ of at most ${deltaUpper}, for the worst that one card can move${floor === null ? '' : `; cells are published from a noisy count of ${floor} on`}.`,
    shared: () => 'The shares of ρ add up to 1 exactly',
    scales: ({ scale, marginScales, leftOutScale, rho }) =>
      `The noise is discrete Gaussian, and this σ² is drawn as it stands: ${[`${scale} on a cell`, ...Object.entries(marginScales).map(([margin, of]) => `${of} on the margin of ${margin}`), ...(leftOutScale === undefined ? [] : [`${leftOutScale} on left-out taps`])].join(', ')}. ρ = ${rho} is the sum of B/(2σ²), B the largest sum of squares by which one unit moves each of them.`,
    scaleOfShare: (variance) => `σ² ${variance}, which follows from`,
    besideFloor: 'ε and δ are the same with any floor',
    tables: SUMS,
    assumptions: ({ place }) => [
      `Of one card at most one tap of each mode, day, end and time bin is counted, and at most ${place} at each location.`,
    ],
  },
  'sbh-2017': {
    ...LAPLACE_WORDS,
    threshold: ({ threshold, deltaUpper }) =>
      `The thresholds of the 2017 algorithm give δ of at most ${deltaUpper}; the smallest count a cell can show is ${threshold}.`,
    tables: 'Rows are in order; the time and location tables were drawn on their own.',
    assumptions: () => [
      'Noise is ideal real Laplace noise, which no computer draws: this mechanism reproduces 2017 and is never published.',
    ],
  },
};

const cardBounding = (scope: string) => (maxTaps?: number) =>
  `At most ${maxTaps} taps of one card and ${scope} are counted, over all objects and modes, chosen before any grouping.`;

/** What bounds a unit, for the list of what is attested. `maxTaps` is there for a card alone. */
export const BOUNDING_OF: Readonly<Record<Unit, (maxTaps?: number) => string>> = {
  tap: () => 'Each tap is counted at most once in the release.',
  trip: () => 'Each trip is counted at most once as a tap-on and once as a tap-off in the release.',
  'card-day': cardBounding('day'),
  'card-window': cardBounding('window'),
};

/** What each share of ε pays for. */
const PAID_FOR: Readonly<Record<Share, string>> = {
  cells: 'the cells',
  time: 'times',
  location: 'locations',
  bounded: 'what the bound leaves out',
  checks: 'checks',
};

function splitStatement(numbers: CertifiedNumbers): string {
  const { mechanism, split } = numbers;
  const shares = SHARES.flatMap((name) => (split[name] === undefined ? [] : `${split[name]} for ${PAID_FOR[name]}`));
  return `${OF_MECHANISMS[mechanism].shared(numbers)}: ${shares.join(', ')}.`;
}

function changeStatement({ unit, neighbours, publish, d1 }: CertifiedNumbers): string {
  const change = neighbours === 'replace-one' ? `Replacing one ${unit} by another` : `Adding or removing one ${unit}`;
  return `${change} moves all counts of the release (taps ${publish}) by at most ${d1} in total.`;
}

/** Which cells a tap can empty besides its own. */
const patternStatements = ({ bringsOtherTap }: StatedFacts): string[] =>
  bringsOtherTap
    ? [
        'A row holds both taps of a trip, and a value that cannot be used takes both away: replacing one tap can make two cells appear, and δ counts both.',
      ]
    : [];

/** What anyone can check again, as sentences (C10). */
export function proofStatements(numbers: CertifiedNumbers, facts: StatedFacts): string[] {
  const { epsilon, delta, rho } = numbers;
  const { threshold, scales, tables } = OF_MECHANISMS[numbers.mechanism];
  return [
    changeStatement(numbers),
    ...patternStatements(facts),
    splitStatement(numbers),
    scales(numbers),
    threshold(numbers),
    `The ledger charges ${rho === undefined ? '' : `ρ = ${rho}, or where its population counts these `}ε = ${epsilon} and δ = ${delta} to every block of the release, once.`,
    tables,
    'Remainder rows, where there are any, are fitted by levels to the published rows and the noisy margins, whose total they have.',
    ...floorStatements(numbers),
    ...clampStatements(numbers),
    ...rejectStatements(numbers, facts),
  ];
}

/** What a floor shows of whom. It is disclosure policy: ε and δ are the same with any floor. */
function floorStatements({ mechanism, unit, floor, hours, shown }: CertifiedNumbers): string[] {
  if (floor === undefined || !shown) return [];
  const chances = ({ lone, empty }: ShownChance) =>
    `with a chance of at most ${lone.upper} for one ${unit} that is alone there, and of at most ${empty.upper} where nobody was`;
  return [
    `The floor ${floor} shows a cell ${chances(shown.cell)}; it is chosen, and ${OF_MECHANISMS[mechanism].besideFloor}.`,
    ...(hours && shown.hour
      ? [
          `Noisy counts under the floor are added up for each hour and place, of ${hours.bins} time bins; sums from ${hours.floor} on are published and cost no ε. An hour row is shown ${chances(shown.hour)}.`,
        ]
      : []),
  ];
}

/** What is counted of the taps that the bound leaves out. */
function clampStatements({ mechanism, clamp, leftOutScale, neighbours }: CertifiedNumbers): string[] {
  if (clamp === undefined || leftOutScale === undefined) return [];
  const change = neighbours === 'replace-one' ? 2 * clamp : clamp;
  return [
    `Of the taps of one card that the bound leaves out at most ${clamp} are counted, for each mode, day and end; so they move by at most ${change} in total. Their noise has ${OF_MECHANISMS[mechanism].scaleOfShare(leftOutScale, change)} their share.`,
  ];
}

/** What is counted of rejects, and which of them fail the audit. */
function rejectStatements(
  { unit, rejects, leftOutScale, neighbours }: CertifiedNumbers,
  { rejectsOfUnit }: StatedFacts,
): string[] {
  if (!rejects || rejectsOfUnit === null || leftOutScale === undefined) return [];
  const change = neighbours === 'replace-one' ? 2 * rejectsOfUnit : rejectsOfUnit;
  const limits = Object.entries(rejects).map(([part, most]) => `${most} of ${part}`);
  return [
    `Taps that could not be read are counted for each mode, day and end. One ${unit} makes at most ${rejectsOfUnit} of them, so that it moves these numbers by at most ${change} in total. Their noise has scale ${leftOutScale}, which is ${change} divided by the share for checks.`,
    `A release whose noisy number of rejects is above a limit fails its audit; of one day the limits are ${limits.join(', ')}.`,
  ];
}

/** Whether parameters were chosen without a look at confidential data that nobody charged; else the data (C17). */
export const choiceStatement = (chosenOn: string | undefined): string =>
  chosenOn === undefined
    ? 'Privacy parameters were chosen from public data, earlier publications or charged output.'
    : `Parameters were chosen with uncharged access to data of ${chosenOn}.`;

/**
 * The certificate of a release. One that corrects an earlier version says so among its assumptions: that the choice of
 * what is drawn again depends on nobody's data is attested, not provable.
 *
 * @contract C13
 */
export function withCorrection<Stated extends { assumptions: readonly string[] }>(
  certificate: Stated,
  correction: Correction | null,
): Stated {
  if (!correction) return certificate;
  const redrawn = correction.partitions.map(partitionPath).sort().join(', ');
  const choice = `People chose from object-level notices alone what version ${correction.of} needs drawn again (${redrawn}); everything else is carried over byte for byte.`;
  return { ...certificate, assumptions: [...certificate.assumptions, choice] };
}

/** What the publisher attests and nobody outside can check, as sentences (C10). */
export function assumptionStatements(numbers: CertifiedNumbers, { rejectsOfUnit }: StatedFacts): string[] {
  const { unit, maxTaps, mechanism, chosenOn, rejects } = numbers;
  return [
    BOUNDING_OF[unit](maxTaps),
    'Each source row gives at most one row, as a function of that row and public constants alone.',
    'In text files each line is a row of its own: a line end inside a field, quoted or not, ends the row.',
    'A file that came more than once, equal to the byte, counts once; a person with a row in one copy has it in all copies.',
    'Location dictionaries, days, time bins and modes come from public sources, never from the confidential data.',
    choiceStatement(chosenOn),
    "Noise comes from the random generator of the operating system's kernel, asked again for each partition, is drawn once, and is neither stored nor shown.",
    'The private worker ran the build that the manifest names.',
    'Approvers have no access to the custodian side and decided on the release folder alone.',
    'Which objects existed, were readable and had the right columns does not depend on any one person.',
    'Timing is not covered: nobody outside sees how long the private stages took.',
    ...OF_MECHANISMS[mechanism].assumptions(numbers),
    ...(rejects
      ? [
          `A row that cannot be read counts for the day that the name of its object says; one ${unit} makes at most ${rejectsOfUnit} rejects.`,
        ]
      : []),
  ];
}
