import { formatRational, multiply, parseRational, type Rational, rational } from '../rational/rational.ts';

/** How a population counts its losses: by ε and δ, or by ρ of zero-concentrated differential privacy (C12). */
export type Accounting = 'pure' | 'rho';

/** What is charged or allowed, of one accounting or of the other. */
export type Measured<Value> = { epsilon: Value; delta: Value } | { rho: Value };
export type Charged = Measured<Rational>;
/** The same as exact text in lowest terms. */
export type ChargedText = Measured<string>;

export const isRho = <Value>(amount: Measured<Value>): amount is { rho: Value } => 'rho' in amount;

export const accountingOf = (amount: Measured<unknown>): Accounting => (isRho(amount) ? 'rho' : 'pure');

/**
 * One amount of several, measure by measure. Throws RangeError for those of two accountings: neither can be added to the
 * other, nor compared with it.
 */
export function combine<Value, Result>(
  amounts: readonly Measured<Value>[],
  one: (values: readonly Value[]) => Result,
): Measured<Result> {
  const inRho = amounts.filter(isRho);
  if (inRho.length === 0) {
    const pure = amounts as readonly { epsilon: Value; delta: Value }[];
    return { epsilon: one(pure.map(({ epsilon }) => epsilon)), delta: one(pure.map(({ delta }) => delta)) };
  }
  if (inRho.length < amounts.length) throw new RangeError('ε and ρ are amounts of two accountings');
  return { rho: one(inRho.map(({ rho }) => rho)) };
}

/** Reads exact amounts. Throws RangeError for text that is no number. */
export const readCharged = (text: ChargedText): Charged => combine([text], ([one]) => parseRational(one!));

export const formatCharged = (amount: Charged): ChargedText => combine([amount], ([one]) => formatRational(one!));

/** The measures of two amounts side by side, each by its sign. Throws RangeError as combined does. */
export const measuresOf = <Value>(
  a: Measured<Value>,
  b: Measured<Value>,
): { sign: 'ε' | 'δ' | 'ρ'; pair: [Value, Value] }[] => {
  const pairs = combine([a, b], ([one, other]): [Value, Value] => [one!, other!]);
  return isRho(pairs)
    ? [{ sign: 'ρ', pair: pairs.rho }]
    : [
        { sign: 'ε', pair: pairs.epsilon },
        { sign: 'δ', pair: pairs.delta },
      ];
};

/** ρ = ε²/2 of whatever is ε-private with δ = 0 (Bun, Steinke 2016, Proposition 1.4). ε as exact text. */
export const rhoOfPure = (epsilon: string): string => {
  const exact = parseRational(epsilon);
  return formatRational(multiply(multiply(exact, exact), rational(1n, 2n)));
};
