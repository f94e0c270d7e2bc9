import type { Coins } from './coins.ts';

/** Probabilities of the outcomes of a sampler, and of all that was not followed to its end. */
export type EnumeratedLaw<T> = { probabilities: Map<T, number>; rest: number };

class OutOfTurns extends Error {}

/**
 * Follows a sampler along every sequence of coins that is more likely than the limit, and adds up their
 * probabilities: P[outcome] is between the sum found and that plus `rest`, except for rounding. No randomness is
 * involved.
 */
export function enumerateLaw<T>(sampler: (coins: Coins) => T, limit: number): EnumeratedLaw<T> {
  const probabilities = new Map<T, number>();
  let rest = 0;
  const stack: { choices: bigint[]; weight: number }[] = [{ choices: [], weight: 1 }];
  for (let path = stack.pop(); path; path = stack.pop()) {
    const { choices, weight } = path;
    if (weight < limit) {
      rest += weight;
      continue;
    }
    let turn = 0;
    let branches: { choice: bigint; probability: number }[] = [];
    const choose = (options: () => typeof branches): bigint => {
      if (turn < choices.length) return choices[turn++]!;
      branches = options().filter(({ probability }) => probability > 0);
      throw new OutOfTurns();
    };
    const coins: Coins = {
      below: (bound) =>
        choose(() =>
          Array.from({ length: Number(bound) }, (_, choice) => ({
            choice: BigInt(choice),
            probability: 1 / Number(bound),
          })),
        ),
      flip: (numerator, denominator) =>
        choose(() => [
          { choice: 1n, probability: Number(numerator) / Number(denominator) },
          { choice: 0n, probability: Number(denominator - numerator) / Number(denominator) },
        ]) === 1n,
    };
    try {
      const outcome = sampler(coins);
      probabilities.set(outcome, (probabilities.get(outcome) ?? 0) + weight);
    } catch (error) {
      if (!(error instanceof OutOfTurns)) throw error;
      for (const { choice, probability } of branches)
        stack.push({ choices: [...choices, choice], weight: weight * probability });
    }
  }
  return { probabilities, rest };
}
