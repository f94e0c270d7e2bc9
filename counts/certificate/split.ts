import type { EpsilonSplit } from '../../contracts/certificate.ts';
import { add, compare, formatRational, type Rational, subtract, ZERO } from '../../core/rational/rational.ts';
import { impossible, parseAmount } from './amounts.ts';

/** Shares of ε as numbers; `cells` is always there. */
export type Shares = { cells: Rational; time?: Rational; location?: Rational; bounded?: Rational; checks?: Rational };

function parseShare(name: string, text: string): Rational {
  const share = parseAmount(`split.${name}`, text);
  if (share.numerator > 0n) return share;
  throw impossible(`split.${name} must be above 0; leave out what gets no share.`);
}

/**
 * The shares of ε. What is not named goes to the cells. Throws CERTIFICATE_IMPOSSIBLE when a share is not positive,
 * nothing is left for the cells, or the shares do not add up to ε exactly.
 *
 * @contract C8
 */
export function readSplit(epsilon: Rational, split: Partial<EpsilonSplit>): Shares {
  const named: Partial<Shares> = {};
  for (const name of ['time', 'location', 'bounded', 'checks'] as const) {
    const text = split[name];
    if (text !== undefined) named[name] = parseShare(name, text);
  }
  const others = Object.values(named).reduce(add, ZERO);
  const rest = subtract(epsilon, others);
  const cells = split.cells === undefined ? rest : parseShare('cells', split.cells);
  if (rest.numerator <= 0n || compare(cells, rest) !== 0) {
    throw impossible(
      `The shares of ε must add up to ${formatRational(epsilon)}, with something left for the cells; ` +
        `cells ${formatRational(cells)} and the others ${formatRational(others)} do not.`,
    );
  }
  return { cells, ...named };
}

/** The shares as text in lowest terms. */
export function formatSplit({ cells, time, location, bounded, checks }: Shares): EpsilonSplit {
  return {
    cells: formatRational(cells),
    ...(time && { time: formatRational(time) }),
    ...(location && { location: formatRational(location) }),
    ...(bounded && { bounded: formatRational(bounded) }),
    ...(checks && { checks: formatRational(checks) }),
  };
}
