import { type EpsilonSplit, SHARES, type Share } from '../../contracts/certificate.ts';
import { add, compare, formatRational, type Rational, subtract, ZERO } from '../../core/rational/rational.ts';
import { impossible, parseAmount } from './amounts.ts';

/** Shares of ε or ρ as numbers; `cells` is always there. */
export type Shares = Partial<Record<Share, Rational>> & { cells: Rational };

function parseShare(name: string, text: string): Rational {
  const share = parseAmount(`split.${name}`, text);
  if (share.numerator > 0n) return share;
  throw impossible(`split.${name} must be above 0; leave out what gets no share.`);
}

/**
 * The shares of ε, or of ρ, whose whole is 1. What is not named goes to the cells. Throws CERTIFICATE_IMPOSSIBLE when a
 * share is not positive, nothing is left for the cells, or the shares do not add up to the whole exactly.
 *
 * @contract C8
 */
export function readSplit(whole: Rational, split: Partial<EpsilonSplit>): Shares {
  const shares: Partial<Shares> = {};
  for (const name of SHARES) if (split[name] !== undefined) shares[name] = parseShare(name, split[name]);
  const { cells: asked, ...theirs } = shares;
  const others = Object.values(theirs).reduce(add, ZERO);
  const rest = subtract(whole, others);
  const cells = asked ?? rest;
  if (rest.numerator <= 0n || compare(cells, rest) !== 0)
    throw impossible(
      `The shares must add up to ${formatRational(whole)}, with something left for the cells; ` +
        `cells ${formatRational(cells)} and the others ${formatRational(others)} do not.`,
    );
  return { cells, ...theirs };
}

/** The shares as text in lowest terms. */
export const formatSplit = (shares: Shares): EpsilonSplit =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, formatRational(share)])) as EpsilonSplit;
