import { wrongUse } from '../../contracts/errors.ts';

/** Reads a whole number, `8` or `1e8`. Throws USAGE that names the option. */
export function readWholeNumber(option: string, text: string, largest = Number.MAX_SAFE_INTEGER, least = 1): number {
  const number = /^\d+(e\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least && number <= largest) return number;
  throw wrongUse(`${option} takes a whole number from ${least} to ${largest}, not ${text}.`);
}
