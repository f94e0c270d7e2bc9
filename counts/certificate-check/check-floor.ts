import type { Certificate, ChanceText, ShownChance } from '../../contracts/certificate.ts';
import { loneCellDelta } from './certified-delta.ts';
import { type Fraction, twentyDigits } from './enclosure.ts';

/** Binary places for the chances of a cell: 20 digits of numbers down to 1e-300. */
const PLACES = 1200;
/** How far a stated chance of an hour row may be from the one that is computed here, in floating point. */
const RELATIVE = 1e-9;

const outOfPlace = (text: string): string[] => [`A certificate without a floor states ${text}.`];

/** The noise on a cell, in floating point: P[X = x], and P[X ≥ from] for from ≥ 1. */
type CellLaw = { chance(x: number): number; tail(from: number): number };

/**
 * Problems with floor, hour rows and the chances that are stated of them (C8). `rate`: ε_cells/D1. `most`: m, the most
 * taps of a unit in a cell.
 */
export function floorProblems(certificate: Certificate, rate: Fraction, most: number): string[] {
  const exact = (taps: number, floor: number): ChanceText => {
    const { low, high } = loneCellDelta([{ cells: 1n, taps: BigInt(taps) }], BigInt(floor), rate, PLACES);
    const d = 1n << BigInt(PLACES);
    return { lower: twentyDigits({ n: low, d }, false), upper: twentyDigits({ n: high, d }, true) };
  };
  const shows = (what: string, chance: ChanceText, taps: number, floor: number) =>
    compare(what, chance, exact(taps, floor));
  const { bins = 2 } = certificate.hours ?? {};
  const together = Array.from({ length: bins }, (_, bin) => (bin === 0 ? most : 0));
  const spread = Array.from({ length: bins }, (_, bin) => Math.floor((most + bin) / bins));
  return problemsOfFloor(certificate, most, shows, laplaceLaw(certificate.scale), [together, spread]);
}

/**
 * The same of discrete Gaussian noise (C8a): a card has one tap in a cell, and at one place in as many bins as it may.
 */
export function gaussianFloorProblems(certificate: Certificate): string[] {
  const law = gaussianLaw(certificate.scale);
  const shows = (what: string, chance: ChanceText, taps: number, floor: number) =>
    isNear(chance, law.tail(floor - taps)) ? [] : [wrongChance(what, chance)];
  const { hours, place = 1 } = certificate;
  const bins = hours?.bins ?? 2;
  const apart = Array.from({ length: Math.min(place, bins) }, (_, last) =>
    Array.from({ length: bins }, (__, bin) => (bin <= last ? 1 : 0)),
  );
  return problemsOfFloor(certificate, 1, shows, law, apart);
}

function problemsOfFloor(
  certificate: Certificate,
  most: number,
  shows: (what: string, chance: ChanceText, taps: number, floor: number) => string[],
  law: CellLaw,
  lone: readonly (readonly number[])[],
): string[] {
  const { floor, hours, shown, threshold } = certificate;
  if (floor === undefined)
    return [
      ...(threshold === null ? [] : ['A complete domain without a floor has no threshold.']),
      ...(hours ? outOfPlace('hour rows') : []),
      ...(shown ? outOfPlace('chances') : []),
    ];
  if (threshold !== floor)
    return [`The floor is ${floor}, but cells are published from ${threshold ?? 'any count'} on.`];
  if (floor <= most) return [`The floor must be above ${most}, the most taps of one unit in a cell.`];
  if (!shown) return ['A floor comes with the chances that it shows somebody.'];
  return [
    ...shows('cell with one unit', shown.cell.lone, most, floor),
    ...shows('empty cell', shown.cell.empty, 0, floor),
    ...hourProblems(certificate, floor, law, lone),
  ];
}

const wrongChance = (what: string, { lower, upper }: ChanceText): string =>
  `The chance that a floor shows a ${what} is not from ${lower} to ${upper}.`;

const compare = (what: string, chance: ChanceText, exact: ChanceText): string[] =>
  chance.lower === exact.lower && chance.upper === exact.upper ? [] : [wrongChance(what, chance)];

function hourProblems(
  { hours, shown }: Certificate,
  floor: number,
  law: CellLaw,
  lone: readonly (readonly number[])[],
): string[] {
  if (!hours || !shown?.hour)
    return hours || shown?.hour ? ['Hour rows and the chances that they show somebody do not go together.'] : [];
  if (hours.floor < floor) return [`The floor of hour rows is below ${floor}, so that a row can be one cell.`];
  const tail = (counts: readonly number[]) => hourTail(counts, floor, hours.floor, law);
  const chances: Record<keyof ShownChance, number> = {
    lone: Math.max(...lone.map(tail)),
    empty: tail(Array.from({ length: hours.bins }, () => 0)),
  };
  return (['lone', 'empty'] as const).flatMap((who) =>
    isNear(shown.hour![who], chances[who])
      ? []
      : [`The chance of the ${who} hour row is not from ${shown.hour![who].lower} to ${shown.hour![who].upper}.`],
  );
}

const isNear = ({ lower, upper }: ChanceText, exact: number): boolean =>
  Number(lower) <= Number(upper) && Number(lower) >= exact * (1 - RELATIVE) && Number(upper) <= exact * (1 + RELATIVE);

/**
 * P[S ≥ sum] by convolution, one bin after the other. Every term is positive, so that rounding stays within a few
 * thousand times 2^−53 of the result. Cost: O(bins²·floor²).
 */
function hourTail(counts: readonly number[], floor: number, sum: number, { chance: of, tail }: CellLaw): number {
  // Below this a sum cannot come back, since no bin gives more than floor − 1.
  const lowest = floor - counts.length * (floor - 1);
  let law = new Map([[0, 1]]);
  for (const count of counts) {
    const next = new Map<number, number>();
    const add = (value: number, chance: number) => next.set(value, (next.get(value) ?? 0) + chance);
    for (const [before, chance] of law) {
      add(before, chance * tail(floor - count));
      for (let noisy = Math.min(0, lowest - before); noisy < floor; noisy++)
        if (before + noisy >= lowest) add(before + noisy, chance * of(noisy - count));
    }
    law = next;
  }
  return [...law].reduce((total, [value, chance]) => total + (value >= sum ? chance : 0), 0);
}

const numberOf = (text: string): number => {
  const [n, d = '1'] = text.split('/');
  return Number(n) / Number(d);
};

function laplaceLaw(scale: string): CellLaw {
  const alpha = Math.exp(-1 / numberOf(scale));
  return {
    chance: (x) => ((1 - alpha) / (1 + alpha)) * alpha ** Math.abs(x),
    tail: (from) => alpha ** from / (1 + alpha),
  };
}

/** Weights are summed from the far end, up to 40 σ and more, beyond which they are nothing beside the rest. */
function gaussianLaw(scale: string): CellLaw {
  const variance = numberOf(scale);
  const weight = (x: number): number => Math.exp((-x * x) / (2 * variance));
  const sumFrom = (from: number): number => {
    let sum = 0;
    for (let x = from + Math.ceil(40 * Math.sqrt(variance)) + 9; x >= from; x--) sum += weight(x);
    return sum;
  };
  const whole = 1 + 2 * sumFrom(1);
  return { chance: (x) => weight(x) / whole, tail: (from) => sumFrom(from) / whole };
}
