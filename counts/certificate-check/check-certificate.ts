import { type Certificate, certificateShape } from '../../contracts/certificate.ts';
import { assumptionStatements, choiceStatement, proofStatements } from '../../contracts/certificate-statements.ts';
import { alphaProblems, deltaProblems, fillsTwoCells, isCard, isGaussian, isPartOfRow } from './check-delta.ts';
import { gaussianProblems } from './check-gaussian.ts';
import { type Fraction, order } from './enclosure.ts';

function read(text: string): Fraction {
  const [n = '', d = '1'] = text.split('/');
  return { n: BigInt(n), d: BigInt(d) };
}

function isLowest(text: string): boolean {
  const { n, d } = read(text);
  let [a, b] = [n, d];
  while (b > 0n) [a, b] = [b, a % b];
  return a === 1n && (d > 1n || !text.includes('/'));
}

function formProblems(certificate: Certificate): string[] {
  const { epsilon, delta, split, scale, marginScales, leftOutScale = '1', rho = '1' } = certificate;
  const amounts = [epsilon, delta, scale, ...Object.values(split), ...Object.values(marginScales), leftOutScale, rho];
  return amounts.filter((text) => !isLowest(text)).map((text) => `${text} is not in lowest terms.`);
}

function rangeProblems({ epsilon, delta, split }: Certificate): string[] {
  const [e, d] = [read(epsilon), read(delta)];
  return [
    ...(e.n > 0n && e.n <= 1000n * e.d ? [] : ['ε must be above 0 and at most 1000.']),
    ...(d.n < d.d ? [] : ['δ must be below 1.']),
    ...Object.entries(split).flatMap(([name, share]) => (read(share).n > 0n ? [] : [`The share of ${name} is 0.`])),
  ];
}

function unitProblems({ mechanism, unit, maxTaps, place, clamp, rejects, rows }: Certificate): string[] {
  if (isGaussian(mechanism) && (!isCard(unit) || place === undefined))
    return ['Discrete Gaussian noise is for card units, of which a bound at one place is named.'];
  if (!isGaussian(mechanism) && place !== undefined) return [`The mechanism ${mechanism} takes no bound at one place.`];
  if (!isPartOfRow(unit) && rows !== undefined) return [`Unit ${unit} does not depend on what a row holds.`];
  if (!isCard(unit) && clamp !== undefined) return [`Unit ${unit} leaves no tap out, and takes no clamp.`];
  if (isCard(unit) && rejects !== undefined)
    return [`Unit ${unit} has no bound on rejects, and takes no limit of them.`];
  if (isCard(unit) && maxTaps === undefined) return ['A card unit needs maxTaps.'];
  return !isCard(unit) && maxTaps !== undefined ? [`Unit ${unit} takes no maxTaps.`] : [];
}

function splitProblems({ mechanism, epsilon, split }: Certificate): string[] {
  const whole = isGaussian(mechanism) ? '1' : epsilon;
  const sum = Object.values(split)
    .map(read)
    .reduce((a, b) => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d }));
  return order(sum, read(whole)) === 0 ? [] : ['The shares do not add up to the whole.'];
}

/** Most taps of one unit that are counted. */
function tapsOf({ unit, publish, maxTaps }: Certificate): number {
  switch (unit) {
    case 'tap':
      return 1;
    case 'trip':
      return publish === 'on+off' ? 2 : 1;
    case 'card-day':
    case 'card-window':
      return maxTaps ?? 0;
  }
}

function changeProblems(certificate: Certificate): string[] {
  const { neighbours, d1 } = certificate;
  const change = neighbours === 'add-remove' ? tapsOf(certificate) : 2 * tapsOf(certificate);
  return d1 === change ? [] : [`D1 is ${d1}, but one unit changes the counts by up to ${change}.`];
}

function scaleProblem(name: string, scale: string | undefined, share: string | undefined, d1: number): string[] {
  if (scale === undefined && share === undefined) return [];
  if (scale === undefined || share === undefined) return [`Share and scale of ${name} do not go together.`];
  const [a, b] = [read(scale), read(share)];
  const product = { n: a.n * b.n, d: a.d * b.d };
  return order(product, { n: BigInt(d1), d: 1n }) === 0 ? [] : [`The scale of ${name} is not D1 divided by its share.`];
}

const scaleProblems = ({ scale, marginScales, split, d1 }: Certificate): string[] => [
  ...scaleProblem('cells', scale, split.cells, d1),
  ...scaleProblem('times', marginScales.time, split.time, d1),
  ...scaleProblem('locations', marginScales.location, split.location, d1),
];

/** Most rejects of one unit: both ends of a trip, and of the row of a tap. */
const REJECTS = 2;

/** Taps in no cell: the share is of their own change, that of one unit once, or twice when a unit is replaced. */
function leftOutProblems({ clamp, rejects, leftOutScale, split, neighbours }: Certificate): string[] {
  const times = neighbours === 'add-remove' ? 1 : 2;
  if (rejects !== undefined && leftOutScale === undefined) return ['Rejects have a limit and no noise.'];
  if (rejects !== undefined) return scaleProblem('rejects', leftOutScale, split.checks, times * REJECTS);
  if (clamp === undefined && leftOutScale === undefined && split.bounded === undefined) return [];
  if (clamp === undefined) return ['Left-out taps are counted, and no clamp is named.'];
  if (leftOutScale === undefined) return ['A clamp is named, and left-out taps have no noise.'];
  return scaleProblem('left-out taps', leftOutScale, split.bounded, times * clamp);
}

/** What is stated of the noise beside the floors. */
function noiseProblems(certificate: Certificate): string[] {
  const { mechanism, alphaLower, alphaUpper, rho } = certificate;
  const hasAlpha = alphaLower !== undefined && alphaUpper !== undefined;
  const hasNone = alphaLower === undefined && alphaUpper === undefined;
  if (isGaussian(mechanism))
    return [...(hasNone ? [] : ['Discrete Gaussian noise has no α.']), ...gaussianProblems(certificate, read)];
  return [
    ...(hasAlpha && rho === undefined ? [] : ['Laplace noise has α, and no ρ is stated of it.']),
    ...scaleProblems(certificate),
    ...leftOutProblems(certificate),
  ];
}

/** The rechecked list is fixed; people may add assumptions, but not take one away. */
function listProblems(certificate: Certificate): string[] {
  const { chosenOn } = certificate;
  const facts = {
    bringsOtherTap: fillsTwoCells(certificate),
    rejectsOfUnit: isCard(certificate.unit) ? null : REJECTS,
  };
  const list = proofStatements(certificate, facts);
  const sameList =
    list.length === certificate.rechecked.length && list.every((text, i) => text === certificate.rechecked[i]);
  const gaps = assumptionStatements(certificate, facts).filter((text) => !certificate.assumptions.includes(text));
  const isDenied = chosenOn !== undefined && certificate.assumptions.includes(choiceStatement(undefined));
  return [
    ...(isDenied ? ['The assumptions deny the data that parameters were chosen on.'] : []),
    ...(sameList ? [] : ['The list of what was checked again does not fit the numbers.']),
    ...gaps.map((text) => `An assumption is not listed: ${text}`),
  ];
}

/**
 * Checks a certificate from itself alone: its form, D1, the shares, the scales, α, that the threshold is the smallest,
 * the bounds on δ, the worst pattern, and both lists. It has its own arithmetic (fixed point, an alternating series,
 * powers by squaring), so that a fault in the one that made the certificate does not hide here. Gives a sentence for
 * every problem; an empty list means that the certificate is good.
 *
 * @contract C10
 */
export function checkCertificate(value: unknown): string[] {
  const outcome = certificateShape.safeParse(value);
  if (!outcome.success)
    return outcome.error.issues.map(
      ({ path, message }) => `Field ${path.join('.') || 'of the certificate'}: ${message}.`,
    );
  const certificate = outcome.data;
  const inputs = [...formProblems(certificate), ...rangeProblems(certificate), ...unitProblems(certificate)];
  if (inputs.length > 0) return inputs;
  const arithmetic = [...splitProblems(certificate), ...changeProblems(certificate), ...noiseProblems(certificate)];
  if (arithmetic.length > 0) return arithmetic;
  const cells = read(certificate.split.cells);
  const facts = {
    taps: tapsOf(certificate),
    rate: { n: cells.n, d: cells.d * BigInt(certificate.d1) },
    delta: read(certificate.delta),
  };
  return [
    ...(isGaussian(certificate.mechanism) ? [] : alphaProblems(certificate, facts)),
    ...deltaProblems(certificate, facts),
    ...listProblems(certificate),
  ];
}
