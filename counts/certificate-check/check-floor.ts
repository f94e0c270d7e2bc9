import type { Certificate, ChanceText, ShownChance } from '../../contracts/certificate.ts';
import { loneCellDelta } from './certified-delta.ts';
import { type Fraction, twentyDigits } from './enclosure.ts';

/** Binary places for the chances of a cell: 20 digits of numbers down to 1e-300. */
const PLACES = 1200;
/** How far a stated chance of an hour row may be from the one that is computed here, in floating point. */
const RELATIVE = 1e-9;

const outOfPlace = (text: string): string[] => [`A certificate without a floor states ${text}.`];

/**
 * Problems with floor, hour rows and the chances that are stated of them (C8). `rate`: ε_cells/D1. `most`: m, the most
 * taps of a unit in a cell.
 */
export function floorProblems(certificate: Certificate, rate: Fraction, most: number): string[] {
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
  const exact = (taps: number): ChanceText => {
    const { low, high } = loneCellDelta([{ cells: 1n, taps: BigInt(taps) }], BigInt(floor), rate, PLACES);
    const d = 1n << BigInt(PLACES);
    return { lower: twentyDigits({ n: low, d }, false), upper: twentyDigits({ n: high, d }, true) };
  };
  return [
    ...differing('cell with one unit', shown.cell.lone, exact(most)),
    ...differing('empty cell', shown.cell.empty, exact(0)),
    ...hourProblems(certificate, floor, most),
  ];
}

const differing = (what: string, stated: ChanceText, exact: ChanceText): string[] =>
  stated.lower === exact.lower && stated.upper === exact.upper
    ? []
    : [`The chance that a floor shows a ${what} is not from ${stated.lower} to ${stated.upper}.`];

function hourProblems({ hours, shown, scale }: Certificate, floor: number, most: number): string[] {
  if (!hours || !shown?.hour)
    return hours || shown?.hour ? ['Hour rows and the chances that they show somebody do not go together.'] : [];
  if (hours.floor < floor) return [`The floor of hour rows is below ${floor}, so that a row can be one cell.`];
  const { bins } = hours;
  const [n, d = '1'] = scale.split('/');
  const tail = (counts: readonly number[]) => hourTail(counts, floor, hours.floor, Number(n) / Number(d));
  const alone = Array.from({ length: bins }, (_, bin) => (bin === 0 ? most : 0));
  const spread = Array.from({ length: bins }, (_, bin) => Math.floor((most + bin) / bins));
  const expected: Record<keyof ShownChance, number> = {
    lone: Math.max(tail(alone), tail(spread)),
    empty: tail(alone.map(() => 0)),
  };
  return (['lone', 'empty'] as const).flatMap((who) =>
    isNear(shown.hour![who], expected[who])
      ? []
      : [`The chance of the ${who} hour row is not from ${shown.hour![who].lower} to ${shown.hour![who].upper}.`],
  );
}

const isNear = ({ lower, upper }: ChanceText, expected: number): boolean =>
  Number(lower) <= Number(upper) &&
  Number(lower) >= expected * (1 - RELATIVE) &&
  Number(upper) <= expected * (1 + RELATIVE);

/**
 * P[S ≥ sum] by convolution, one bin after the other. Every term is positive, so that rounding stays within a few
 * thousand times 2^−53 of the result. Cost: O(bins²·floor²).
 */
function hourTail(counts: readonly number[], floor: number, sum: number, b: number): number {
  const alpha = Math.exp(-1 / b);
  const tailFrom = (x: number): number => alpha ** x / (1 + alpha);
  // Below this a sum cannot come back, since no bin gives more than floor − 1.
  const lowest = floor - counts.length * (floor - 1);
  let law = new Map([[0, 1]]);
  for (const count of counts) {
    const next = new Map<number, number>();
    const add = (value: number, chance: number) => next.set(value, (next.get(value) ?? 0) + chance);
    for (const [before, chance] of law) {
      add(before, chance * tailFrom(floor - count));
      for (let noisy = Math.min(0, lowest - before); noisy < floor; noisy++)
        if (before + noisy >= lowest)
          add(before + noisy, chance * ((1 - alpha) / (1 + alpha)) * alpha ** Math.abs(noisy - count));
    }
    law = next;
  }
  return [...law].reduce((total, [value, chance]) => total + (value >= sum ? chance : 0), 0);
}
