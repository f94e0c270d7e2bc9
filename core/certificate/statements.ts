import type { Certificate } from '../../contracts/certificate.ts';

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

function thresholdStatement({ mechanism, threshold, delta, deltaUpper }: CertifiedNumbers): string {
  if (mechanism === 'complete-domain') {
    return 'Every cell of the public domain gets noise, empty ones too, so that δ is 0 and no threshold is needed.';
  }
  if (mechanism === 'sbh-2017') {
    return `The thresholds of the 2017 algorithm give δ of at most ${deltaUpper}; the smallest count a cell can show is ${threshold}.`;
  }
  return `${threshold} is the smallest threshold whose upper bound on δ, ${deltaUpper}, is at most ${delta}.`;
}

function changeStatement({ unit, neighbours, publish, d1 }: CertifiedNumbers): string {
  const change = neighbours === 'replace-one' ? `Replacing one ${unit} by another` : `Adding or removing one ${unit}`;
  return `${change} moves all counts of the release (taps ${publish}) by at most ${d1} in total.`;
}

function tablesStatement({ mechanism }: CertifiedNumbers): string {
  if (mechanism === 'sbh-2017') return 'Rows are in order; the time and location tables were drawn on their own.';
  return 'Published cells reach the threshold, if there is one; rows are in order; the time and location tables are sums of the privatized table.';
}

/** What anyone can check again, as sentences (C10). */
export function recheckedStatements(numbers: CertifiedNumbers): string[] {
  const { d1, scale, epsilon, delta } = numbers;
  return [
    changeStatement(numbers),
    splitStatement(numbers),
    `The noise on a cell has scale ${scale}, which is ${d1} divided by the share of the cells; margins likewise.`,
    thresholdStatement(numbers),
    `The ledger charges ε = ${epsilon} and δ = ${delta} to every block of the release, once.`,
    tablesStatement(numbers),
  ];
}

function boundingStatement({ unit, maxTaps }: CertifiedNumbers): string {
  if (unit === 'tap') return 'Each tap is counted at most once in the release.';
  if (unit === 'trip') return 'Each trip is counted at most once as a tap-on and once as a tap-off in the release.';
  const scope = unit === 'card-day' ? 'day' : 'window';
  return `At most ${maxTaps} taps of one card and ${scope} are counted, over all objects and modes, chosen before any grouping.`;
}

/** By format: what was attested of deliveries with equal bytes (C3), and of the source of the noise (C7). */
const DELIVERIES: Readonly<Record<Certificate['format'], readonly string[]>> = {
  'opaline-certificate/1': [],
  'opaline-certificate/2': [
    'Objects with equal bytes are one delivery, and what is of one person stands in every copy of it.',
  ],
};
const RANDOMNESS: Readonly<Record<Certificate['format'], string>> = {
  'opaline-certificate/1': 'the random generator of the operating system',
  'opaline-certificate/2': "the random generator of the operating system's kernel, asked anew for each partition",
};

/** What the publisher attests and nobody outside can check, as sentences (C10), in the words of the format. */
export function assumptionStatements(numbers: CertifiedNumbers): string[] {
  const { mechanism, format } = numbers;
  return [
    boundingStatement(numbers),
    'Each source row gives at most one row, as a function of that row and public constants alone.',
    ...DELIVERIES[format],
    'Location dictionaries, days, time bins and modes come from public sources, never from the confidential data.',
    'Privacy parameters were chosen from public data, earlier publications or charged output.',
    `Noise comes from ${RANDOMNESS[format]}, is drawn once, and is neither stored nor shown.`,
    'The private worker ran the build that the manifest names.',
    'Approvers have no access to the custodian side and decided on the release folder alone.',
    'Which objects existed, were readable and had the right columns does not depend on any one person.',
    'Timing is not covered: nobody outside sees how long the private stages took.',
    ...(mechanism === 'sbh-2017'
      ? [
          'Noise is ideal real Laplace noise, which no computer draws: this mechanism reproduces 2017 and is never published.',
        ]
      : []),
  ];
}
