import type { Certificate, Mechanism, Unit } from '../../contracts/certificate.ts';
import { type LoneCells, loneCellDelta } from './certified-delta.ts';
import { floorProblems, gaussianFloorProblems } from './check-floor.ts';
import { type Enclosure, encloseDecay, type Fraction, fromDecimal, order, twentyDigits } from './enclosure.ts';

/** What the checker has established before it looks at δ. */
export type Established = {
  /** Most taps of one unit. */
  taps: number;
  /** ε_cells/D1. */
  rate: Fraction;
  delta: Fraction;
};

/** Are k taps of the unit counted, which can be in one cell? Read from C1 again, and not from counts/certificate. */
export function isCard(unit: Unit): boolean {
  switch (unit) {
    case 'tap':
    case 'trip':
      return false;
    case 'card-day':
    case 'card-window':
      return true;
  }
}

/** Is the noise N_Z(0, σ²), whose shares are of ρ? */
export function isGaussian(mechanism: Mechanism): boolean {
  switch (mechanism) {
    case 'discrete-gaussian':
      return true;
    case 'stability-histogram':
    case 'complete-domain':
    case 'sbh-2017':
      return false;
  }
}

/** A real number as a fraction, from either end of its enclosure. */
function ends({ low, high }: Enclosure, places: number): { low: Fraction; high: Fraction } {
  const d = 1n << BigInt(places);
  return { low: { n: low, d }, high: { n: high, d } };
}

/** Enough binary places for 20 digits of the smallest number at hand, and four times as many if that does not decide. */
function precisions(certificate: Certificate): number[] {
  const digits = certificate.delta.length + `${fromDecimal(certificate.deltaUpper).d}`.length;
  return [1, 2, 4].map((factor) => factor * (384 + 4 * digits));
}

/** Problems with two decimals that should be the neighbours of a real number. */
function boundProblems(name: string, lower: string, upper: string, low: Fraction, high: Fraction): string[] | null {
  const [down, up] = [twentyDigits(low, false), twentyDigits(high, true)];
  if (down !== twentyDigits(high, false) || up !== twentyDigits(low, true)) return null;
  return [
    ...(lower === down ? [] : [`The lower bound on ${name} is ${lower}, but should be ${down}.`]),
    ...(upper === up ? [] : [`The upper bound on ${name} is ${upper}, but should be ${up}.`]),
  ];
}

/** The first answer that enough places decide. */
function decide(certificate: Certificate, what: string, answer: (places: number) => string[] | null): string[] {
  for (const places of precisions(certificate)) {
    const problems = answer(places);
    if (problems !== null) return problems;
  }
  return [`${what} cannot be decided with the digits that are given.`];
}

/** α = e^(−ε_cells/D1). */
export const alphaProblems = (certificate: Certificate, { rate }: Established): string[] =>
  decide(certificate, 'α', (places) => {
    const { low, high } = ends(encloseDecay(rate, places), places);
    return boundProblems('α', certificate.alphaLower ?? '', certificate.alphaUpper ?? '', low, high);
  });

/** Is a unit less than a row of a trip? Read from C1 again. */
export function isPartOfRow(unit: Unit): boolean {
  switch (unit) {
    case 'tap':
      return true;
    case 'trip':
    case 'card-day':
    case 'card-window':
      return false;
  }
}

/** Of two taps in a row both count or none: where one is replaced, a row that was none can become two cells. */
export const fillsTwoCells = ({ unit, rows, neighbours, publish }: Certificate): boolean =>
  isPartOfRow(unit) && [rows ?? 'trips', neighbours, publish].join(' ') === 'trips replace-one on+off';

/** The ways in which one unit can fill cells alone, among which the worst is. */
function loneCells(certificate: Certificate, taps: number): LoneCells[] {
  const apart = { cells: fillsTwoCells(certificate) ? 2n : BigInt(taps), taps: 1n };
  return isCard(certificate.unit) ? [apart, { cells: 1n, taps: BigInt(taps) }] : [apart];
}

function thresholdProblems(certificate: Certificate, { taps, rate, delta }: Established): string[] {
  const { threshold } = certificate;
  if (threshold === null) return ['A stability histogram has a threshold.'];
  const options = loneCells(certificate, taps);
  const most = isCard(certificate.unit) ? taps : 1;
  if (threshold <= most) return [`The threshold must be above ${most}, the most taps of one unit in a cell.`];
  const limit = fromDecimal(twentyDigits(delta, false));
  return decide(certificate, 'The threshold', (places) => {
    const here = ends(loneCellDelta(options, BigInt(threshold), rate, places), places);
    if (order(here.low, limit) > 0) return [`At the threshold ${threshold} δ is above the δ asked for.`];
    if (order(here.high, limit) > 0) return null;
    if (threshold - 1 <= most) return [];
    const before = ends(loneCellDelta(options, BigInt(threshold - 1), rate, places), places);
    if (order(before.high, limit) <= 0) return [`The threshold ${threshold} is not the smallest that keeps δ.`];
    return order(before.low, limit) > 0 ? [] : null;
  });
}

function patternProblems(certificate: Certificate, { taps, rate }: Established): string[] {
  const { worstPattern, threshold } = certificate;
  return decide(certificate, 'The worst pattern', (places) => {
    const deltas = loneCells(certificate, taps).map((option) => ({
      pattern: Array.from({ length: Number(option.cells) }, () => Number(option.taps)).join(),
      ...loneCellDelta([option], BigInt(threshold ?? 0), rate, places),
    }));
    const greatest = deltas.reduce((a, b) => (a.low > b.low ? a : b));
    if (deltas.some(({ pattern, high }) => pattern !== greatest.pattern && high >= greatest.low)) return null;
    return greatest.pattern === worstPattern.join() ? [] : ['The worst pattern is not the one at which δ is largest.'];
  });
}

function stabilityProblems(certificate: Certificate, facts: Established): string[] {
  const problems = thresholdProblems(certificate, facts);
  if (problems.length > 0) return problems;
  const options = loneCells(certificate, facts.taps);
  const bounds = decide(certificate, 'δ', (places) => {
    const enclosure = loneCellDelta(options, BigInt(certificate.threshold ?? 0), facts.rate, places);
    const { low, high } = ends(enclosure, places);
    return boundProblems('δ', certificate.deltaLower, certificate.deltaUpper, low, high);
  });
  return [...bounds, ...patternProblems(certificate, facts)];
}

function completeDomainProblems(certificate: Certificate, facts: Established): string[] {
  const { deltaLower, deltaUpper, worstPattern } = certificate;
  return [
    ...floorProblems(certificate, facts.rate, isCard(certificate.unit) ? facts.taps : 1),
    ...(deltaLower === '0' && deltaUpper === '0' ? [] : ['The δ of a complete domain is 0.']),
    ...(worstPattern.length === 0 ? [] : ['No cell of a complete domain vanishes with a unit.']),
  ];
}

/** Is T the rounded t = ln(2/δ_j)/rate + 1, that is e^(−(T−3/2)·rate) ≥ δ_j/2 > e^(−(T−1/2)·rate)? */
function sbhThresholdProblems(certificate: Certificate, rate: Fraction, tableDelta: Fraction): string[] {
  const { threshold } = certificate;
  if (threshold === null) return ['The 2017 algorithm has a threshold.'];
  const half = { n: tableDelta.n, d: 2n * tableDelta.d };
  const twice = 2n * BigInt(threshold);
  const wrong = [`The smallest count that the 2017 algorithm can show in a cell is not ${threshold}.`];
  return decide(certificate, 'The threshold', (places) => {
    const above = ends(encloseDecay({ n: (twice - 1n) * rate.n, d: 2n * rate.d }, places), places);
    if (order(half, above.low) <= 0) return wrong;
    if (order(half, above.high) <= 0) return null;
    // t is above 1 in any case.
    if (threshold === 1) return [];
    const below = ends(encloseDecay({ n: (twice - 3n) * rate.n, d: 2n * rate.d }, places), places);
    if (order(half, below.high) > 0) return wrong;
    return order(half, below.low) <= 0 ? [] : null;
  });
}

function sbhProblems(certificate: Certificate, { taps, rate, delta }: Established): string[] {
  if (isCard(certificate.unit)) return ['The 2017 algorithm has no certificate for cards.'];
  if (delta.n === 0n) return ['The 2017 algorithm needs a δ above 0.'];
  const { split, publish } = certificate;
  const shares = [split.cells, split.time, split.location].filter((share) => share !== undefined).length;
  const tables = BigInt(shares * (publish === 'on+off' ? 2 : 1));
  const tableDelta = { n: delta.n, d: delta.d * tables };
  const touches = shares * taps;
  const [miss, whole] = [(4n * tableDelta.d - tableDelta.n) ** BigInt(touches), (4n * tableDelta.d) ** BigInt(touches)];
  const exact = { n: whole - miss, d: whole };
  return [
    ...sbhThresholdProblems(certificate, rate, tableDelta),
    ...(boundProblems('δ', certificate.deltaLower, certificate.deltaUpper, exact, exact) ?? []),
    ...(certificate.worstPattern.join() === Array.from({ length: touches }, () => 1).join()
      ? []
      : ['The worst pattern is one tap in each table that the unit touches.']),
  ];
}

/** Only a complete domain has floors. */
function floorOutOfPlace({ mechanism, floor, hours, shown }: Certificate): string[] {
  const isThere = floor !== undefined || hours !== undefined || shown !== undefined;
  return isThere ? [`The mechanism ${mechanism} has no floor.`] : [];
}

/** Problems with threshold, δ and worst pattern. */
export function deltaProblems(certificate: Certificate, facts: Established): string[] {
  switch (certificate.mechanism) {
    case 'stability-histogram':
      return [...floorOutOfPlace(certificate), ...stabilityProblems(certificate, facts)];
    case 'complete-domain':
      return completeDomainProblems(certificate, facts);
    case 'discrete-gaussian':
      return gaussianFloorProblems(certificate);
    case 'sbh-2017':
      return [...floorOutOfPlace(certificate), ...sbhProblems(certificate, facts)];
  }
}
