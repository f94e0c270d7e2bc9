import { html } from 'hono/html';
import type { BudgetLeft } from '../../core/ledger/budget-left.ts';
import type { ShownAmount } from '../../core/ledger/shown-amount.ts';
import { divide, parseRational } from '../../core/rational/rational.ts';
import type { Html } from '../frame.ts';

const percent = (share: number): string => `${Math.floor(share * 100)} %`;

/** What is left, as bars with words: no colour says anything alone. */
export const budgetMeters = ({ block, year }: BudgetLeft): Html => html`<dl class="facts">
${[
  ['Left of all that these people have for a day, for ever', Math.min(...Object.values(block))] as const,
  ['Left of all that they have in the fullest year', Math.min(...Object.values(year))] as const,
].map(
  ([name, share]) =>
    html`<dt>${name}</dt><dd><meter min="0" max="1" low="0.15" value="${share.toFixed(3)}" aria-label="${name}"></meter> ${percent(share)}</dd>`,
)}
</dl>`;

/** What ε means, in one sentence; a unit is named as it is declared: a card's day, a trip. */
export const epsilonInWords = (unit: string): string =>
  `ε (epsilon) says how much anybody may learn of one ${unit.replace('-', '’s ')} from what is published: 0 is nothing, and a smaller number is more protection.`;

/** How often a cost can be charged again before one of these amounts is used up. */
export function timesLeft(cost: ShownAmount, amounts: readonly ShownAmount[]): number {
  const measures = (one: ShownAmount) => ('rho' in one ? [one.rho] : [one.epsilon, one.delta]).map(parseRational);
  const prices = measures(cost);
  const times = amounts.flatMap((one) =>
    measures(one).flatMap((rest, at) => (prices[at]!.numerator === 0n ? [] : [divide(rest, prices[at]!)])),
  );
  return Math.min(...times.map(({ numerator, denominator }) => Number(numerator / denominator)));
}
