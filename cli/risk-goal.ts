import { wrongUse } from '../contracts/errors.ts';
import type { AdviceQuestion } from '../custodian/risk/advice.ts';
import type { AdviceGoal } from '../custodian/risk/measures/frontier.ts';
import { type CellNoise, rowNoise } from '../custodian/risk/measures/published-share.ts';

/** What somebody wants of bins, and how a release would publish them. */
export type GoalOptions = { pif?: string; utility?: string; epsilon?: string; delta?: string; cells?: string };

function readNumber(option: string, text: string, most: number): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 0 && number <= most) return number;
  throw wrongUse(`${option} takes a number from 0 to ${most}, not ${text}.`);
}

/** Throws USAGE unless exactly one of --pif and --utility is given. */
export function readGoal({ pif, utility }: GoalOptions): AdviceGoal {
  if (pif !== undefined && utility === undefined) return { kind: 'risk', most: readNumber('--pif', pif, 10_000) };
  if (utility !== undefined && pif === undefined)
    return { kind: 'utility', least: readNumber('--utility', utility, 1) };
  throw wrongUse('Name one goal: --pif BITS, or --utility between 0 and 1.');
}

/** `a+b,c+d`: the columns of the cells of each table; at most the two of a trip. Throws USAGE. */
export function readCellColumns(text: string | undefined): AdviceQuestion['cells'] {
  const cells = text?.split(',').map((cell) => cell.split('+')) ?? null;
  if (cells === null || cells.length <= 2) return cells;
  throw wrongUse('--cells names the cells of one table, or of the two of a trip, as a+b,c+d.');
}

/**
 * Noise and threshold of the cells: those of the series, or of a stability histogram in which a row, or the ends of a
 * trip, may be replaced. Null for a table without --epsilon. Throws USAGE and CERTIFICATE_IMPOSSIBLE.
 */
export function readNoise(
  ofSeries: CellNoise | null,
  { epsilon, delta }: GoalOptions,
  cells: AdviceQuestion['cells'],
): CellNoise | null {
  if (epsilon === undefined && delta === undefined) return ofSeries;
  if (ofSeries) throw wrongUse('A series says itself what its ε and δ are; leave --epsilon and --delta out.');
  if (epsilon === undefined || delta === undefined) throw wrongUse('--epsilon and --delta go together.');
  return rowNoise(cells?.length === 2 ? 2 : 1, { epsilon, delta });
}
