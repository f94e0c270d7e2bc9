import type { Certificate } from '../../contracts/certificate.ts';
import { epsilonOfRho } from '../../core/accounting/epsilon-of-rho.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { makeCache } from '../../core/memory/function-cache.ts';
import { upperText } from '../../core/rational/amount-text.ts';
import {
  formatRational,
  multiply,
  parseRational,
  type Rational,
  rational,
  toNumber,
} from '../../core/rational/rational.ts';
import { gather } from '../../core/text/paragraphs.ts';
import { inThousands } from '../../core/text/wording.ts';
import { squaresOfUnit } from '../certificate/gaussian-design.ts';
import { tapsOfUnit } from '../certificate/l1-change.ts';
import { type CardScope, UNITS } from '../certificate/units.ts';
import { type Account, accountOf, epsilonOfSchedule } from './account.ts';

/** `one` or `ones` by number. */
const numberOf = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

const inReleases = (releases: number): string =>
  `in ${releases === 1 ? 'the one release' : `all ${releases} releases`}`;

/** A trip or tap: nobody's number of them is bounded, and so no total is named. */
function describeEvent({ unit, epsilon, delta }: Certificate): string[] {
  const [e, d] = [parseRational(epsilon), parseRational(delta)];
  const some = (n: bigint) => upperText(multiply(rational(n), e));
  return gather(
    `Each release protects one ${unit}: ε is ${upperText(e)} and δ is ${upperText(d)}.`,
    `It protects one ${unit}; m ${unit}s of one person: m·ε, in one release or in several. With 2 ${unit}s that is ${some(2n)}, with 10 it is ${some(10n)}.`,
    d.numerator !== 0n &&
      `δ grows too: to m·δ as long as no two of the ${unit}s share a cell, and to δ·(e^(m·ε) − 1)/(e^ε − 1), or to 1 if that is more, when they do.`,
    `Nothing bounds how many ${unit}s one person makes, and so no total for a person is stated.`,
  );
}

/** In what a card is bounded, for which card the figures of a schedule are, and what several days of use add up to. */
const SCOPES: Readonly<
  Record<CardScope, { bounded: string; used(releases: number): string; days(year: string): string[] }>
> = {
  day: {
    bounded: 'on one day',
    used: (releases) => `on one day of each of ${numberOf(releases, 'release')}`,
    days: (year) => [
      `Every day of use counts: d days of one card, in one release or in several, are d·ε at most by adding up; 365 days are ${year}.`,
    ],
  },
  window: { bounded: 'in one release', used: inReleases, days: () => [] },
};

/** What one card is protected for in a release. */
function describeRelease(certificate: Certificate, scope: CardScope): string {
  const { epsilon, delta, clamp } = certificate;
  const leftOut = clamp === undefined ? '' : `, and up to ${clamp} of those that this leaves out`;
  return `Each release protects up to ${numberOf(tapsOfUnit(certificate), 'tap')} of one card ${SCOPES[scope].bounded}${leftOut}, which is all that is counted of it: ε is ${upperText(parseRational(epsilon))} and δ is ${upperText(parseRational(delta))}.`;
}

const figures = ({ basic, optimal, numeric }: Account): string[] => [
  `By adding up: ε at most ${upperText(basic.epsilon)} and δ at most ${upperText(basic.delta)}. Caps count these sums.`,
  `By optimal composition, from ε and δ of a release alone: ε at most ${upperText(optimal.epsilon)} at δ ${upperText(optimal.delta)}.`,
  `By the numeric privacy-loss distribution of the noise itself: ε at most ${upperText(numeric.epsilon)} at δ ${upperText(numeric.delta)}.`,
];

/** By how much one unit moves what is measured where squares count, so that anybody can add up ρ. */
export function squaresInWords(certificate: Certificate): string {
  const { cells, time, location, bounded } = squaresOfUnit(certificate);
  const { marginScales, leftOutScale } = certificate;
  const parts = [
    `${cells} for cells`,
    ...(marginScales.time === undefined ? [] : [`${time} for times`]),
    ...(marginScales.location === undefined ? [] : [`${location} for locations`]),
    ...(leftOutScale === undefined ? [] : [`${bounded} for left-out taps`]),
  ];
  return `The largest sum of squares B by which one unit moves them is ${parts.join(', ')}; ρ is the sum of B/(2σ²).`;
}

/** Which odds ε bounds, by what neighbours are. */
const COMPARED: Readonly<Record<Certificate['neighbours'], string>> = {
  'add-remove': 'that this card was used in some way, against that it was not used at all,',
  'replace-one': 'between two ways of using this card',
};

/** Under `add-remove` these are as far apart as two data sets when a card is replaced, and lose more. */
const TWO_WAYS = 'The odds between two ways of using it, such as with a certain trip and without,';

const WEAKER = 'The larger the exponent, the weaker the promise.';

/** `e^2 (7.4 times)`, rounded up. */
function factor(exponent: Rational): string {
  const times = Math.exp(toNumber(exponent));
  if (times > 1e12) return `e^${upperText(exponent)}`;
  const places = 1 - Math.floor(Math.log10(times));
  const figure =
    places > 0
      ? (Math.ceil(times * 10 ** places) / 10 ** places).toFixed(places)
      : inThousands(Math.ceil(times / 10 ** -places) * 10 ** -places);
  return `e^${upperText(exponent)} (${figure} times)`;
}

/** What may change of what is believed of a card for people, by one release and by those of a year, of this ε and ρ. */
function beliefs(certificate: Certificate, scope: CardScope, epsilon: Rational, rho: Rational): string[] {
  const { delta, neighbours } = certificate;
  const by = (one: Rational, all: Rational): string =>
    `by a factor of at most ${factor(one)} by one release, and of at most ${factor(all)} by all of them in a year, apart from the small slack δ`;
  const own = `In words: whatever someone believed before about one ${scope}, the odds ${COMPARED[neighbours]} change ${by(parseRational(certificate.epsilon), epsilon)}.`;
  if (neighbours === 'replace-one') return [`${own} ${WEAKER}`];
  const twice = parseRational(epsilonOfRho(multiply(rational(2n), rho), parseRational(delta))!);
  const variant = { ...certificate, neighbours: 'replace-one' } as const;
  return [
    own,
    `${TWO_WAYS} can change by more, as ρ is up to twice as much: ${by(epsilonOfSchedule(variant, 1), twice)}. ${WEAKER}`,
  ];
}

/** The same by ε alone, of all releases together. */
function beliefsOfPure({ neighbours }: Certificate, epsilon: Rational): string[] {
  const own = `In words: whatever someone believed before, the odds ${COMPARED[neighbours]} change by a factor of at most e^${upperText(epsilon)}, apart from the small slack δ.`;
  if (neighbours === 'replace-one') return [`${own} ${WEAKER}`];
  return [
    own,
    `${TWO_WAYS} can change by up to e^${upperText(multiply(rational(2n), epsilon))}, apart from a slack of up to (1 + e^${upperText(epsilon)})·δ. ${WEAKER}`,
  ];
}

/**
 * A card whose release has ρ, which adds up for releases that are chosen by what earlier ones showed, too. In its scope
 * it is in each release once, or on each of `releases` days.
 */
function describeRho(certificate: Certificate, scope: CardScope, releases: number, rho: Rational): string[] {
  const { delta, place, maxTaps } = certificate;
  const sum = multiply(rational(BigInt(releases)), rho);
  // A certificate for people has a δ above 0.
  const epsilon = parseRational(epsilonOfRho(sum, parseRational(delta))!);
  return [
    describeRelease(certificate, scope),
    `Who is protected is a card: that is a person where people have one card each, and use it. Of one card at most ${maxTaps} taps are counted, one in each time bin of a mode, day and end, and ${place} at each location; the others are left out, so that who changes buses within one time bin loses a tap.`,
    `In numbers of ρ (zero-concentrated differential privacy) a release is ${formatRational(rho)}, about ${upperText(rho)}. ${squaresInWords(certificate)} ρ adds up, whatever is chosen by what earlier releases showed.`,
    `For a card that is used ${SCOPES[scope].used(releases)}: ρ is at most ${upperText(sum)}, and so ε is at most ${upperText(epsilon)} at a δ of ${upperText(parseRational(delta))}, however releases are chosen by what earlier ones showed. On a schedule that is fixed beforehand ε is at most ${upperText(epsilonOfSchedule(certificate, releases))} at that δ, by the exact curve of all of them. Adding up ε alone would give ${upperText(multiply(rational(BigInt(releases)), parseRational(certificate.epsilon)))} at ${releases} times that δ.`,
    'These figures count one version of each window, and this series alone. A further version, and every other series about the same people, adds its own ρ, until a cap of the population is reached.',
    ...beliefs(certificate, scope, epsilon, sum),
    'c cards of one person together have at most c² times the ρ.',
  ];
}

/** A card: its taps are bounded, and totals can be named. */
function describeCard(certificate: Certificate, scope: CardScope, releases: number): string[] {
  const { rho } = certificate;
  if (rho !== undefined) return describeRho(certificate, scope, releases, parseRational(rho));
  const account = accountOf(certificate, releases);
  const { epsilon } = account.numeric;
  return [
    describeRelease(certificate, scope),
    `For a card that is used ${SCOPES[scope].used(releases)}, on a schedule fixed beforehand:`,
    ...figures(account),
    ...beliefsOfPure(certificate, epsilon),
    ...SCOPES[scope].days(upperText(multiply(rational(365n), parseRational(certificate.epsilon)))),
    'A person with c cards has c times the sums.',
  ];
}

/**
 * What releases of this certificate, `releases` of them in a year, mean for one person: plain sentences for the release
 * page. For trips and taps they name no yearly figure; for cards they name basic, optimal and numeric figures, rounded
 * up. Throws USAGE as accountOf does.
 *
 * @contract C14
 */
export function yearInWords(certificate: Certificate, releases: number): string[] {
  const { cardScope } = UNITS[certificate.unit];
  if (cardScope === null) return describeEvent(certificate);
  return cache(canonicalJson({ certificate, releases }), () => describeCard(certificate, cardScope, releases));
}

/** The year of a card takes seconds to compute, and the texts of one release name the same one several times. */
const cache = makeCache<string[]>(1);
