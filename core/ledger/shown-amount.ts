import { type Charged, formatCharged, isRho } from '../accounting/charged-amount.ts';
import { epsilonOfRho } from '../accounting/epsilon-of-rho.ts';
import { amountText, upperText } from '../rational/amount-text.ts';
import { parseRational } from '../rational/rational.ts';
import type { Caps } from './budget.ts';

/** Exact amounts as people and programs see them: ρ comes with ε at the δ of the policy, rounded up. */
export type ShownAmount =
  | { epsilon: string; delta: string }
  | { rho: string; at: { epsilon: string; delta: string } | null };

/**
 * An amount of a population with these caps, or this δ of its policy; without these, ρ is shown without ε.
 *
 * @contract C12
 */
export function showAmount(amount: Charged, caps: Caps | { delta: string } | null): ShownAmount {
  const exact = formatCharged(amount);
  if (!isRho(exact) || !isRho(amount)) return exact as { epsilon: string; delta: string };
  const delta = caps && 'delta' in caps ? caps.delta : '0';
  const epsilon = epsilonOfRho(amount.rho, parseRational(delta));
  return { ...exact, at: epsilon === null ? null : { epsilon, delta } };
}

/** Exact amounts in a sentence: `ε = 8 and δ = 1/1000000`, `ρ = 1/2, at most ε = 5.2 at δ = 1/1000000`. */
export function amountInWords(amount: Charged, caps: Caps | null): string {
  const cost = showAmount(amount, caps);
  if (!('rho' in cost)) return `ε = ${cost.epsilon} and δ = ${cost.delta}`;
  return `ρ = ${cost.rho}${cost.at ? `, at most ε = ${upperText(parseRational(cost.at.epsilon))} at δ = ${cost.at.delta},` : ''}`;
}

/** For people: `ε = 8, δ = 1e-6`, `ε = 8` where δ is 0, or `ρ = 0.5 (ε at most 5.3 at δ = 1e-6)`. */
export function costText(cost: ShownAmount): string {
  if (!('rho' in cost))
    return `ε = ${amountText(cost.epsilon)}${cost.delta === '0' ? '' : `, δ = ${amountText(cost.delta)}`}`;
  const { rho, at } = cost;
  const beside = at ? ` (ε at most ${upperText(parseRational(at.epsilon))} at δ = ${amountText(at.delta)})` : '';
  return `ρ = ${amountText(rho)}${beside}`;
}

export type ShownCaps = Record<'block' | 'year', ShownAmount>;
