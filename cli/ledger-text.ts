import type { SeriesPlan } from '../client/ledger/ledger-plan.ts';
import { ERRORS } from '../contracts/errors.ts';
import type { AmountText } from '../core/accounting/basic-composition.ts';
import type { BurnDown } from '../core/ledger/burn-down.ts';
import { amountText, spentShare } from '../core/rational/amount-text.ts';
import { paragraphs } from '../core/text/paragraphs.ts';
import { table } from '../core/text/text-table.ts';
import { bar } from './terminal.ts';

/** Lines of one plot; of a longer history the newest are shown, JSON has all. */
const LINES = 60;

const span = (firstDay: string, lastDay: string): string =>
  firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;

export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** `ε 8 of 16, δ 1e-6 of 2e-6`, the share of the cap that is nearer, and a bar that says the same. */
function spentOf(spent: AmountText, cap: AmountText): string[] {
  const share = Math.max(spentShare(spent.epsilon, cap.epsilon), spentShare(spent.delta, cap.delta));
  return [
    `ε ${amountText(spent.epsilon)} of ${amountText(cap.epsilon)}`,
    `δ ${amountText(spent.delta)} of ${amountText(cap.delta)}`,
    `${Math.floor(share * 100)} %`.padStart(5),
    bar(share),
  ];
}

/** `ε = 8, δ = 1e-6`. */
export const costText = ({ epsilon, delta }: AmountText): string =>
  `ε = ${amountText(epsilon)}, δ = ${amountText(delta)}`;

/** How a plan ends that a cap refuses. */
export const overCapExit = (refusal: string | null): number | undefined =>
  refusal ? ERRORS.BUDGET_EXCEEDED.exit : undefined;

/** The ledger of one population in plain words, with its burn-down. */
export const burnDownText = ({
  population,
  charges,
  refusals,
  caps,
  blocks,
}: BurnDown & { population: string }): string =>
  paragraphs(
    `Population ${population}: ${counted(charges.length, 'release')} charged, ${counted(refusals.length, 'attempt')} refused.`,
    charges.length > 0 &&
      table(
        ['release', 'state', 'ε', 'δ', 'unit', 'days of data', 'blocks'],
        charges.map((one) => [
          one.release,
          one.state,
          amountText(one.epsilon),
          amountText(one.delta),
          one.unit ?? 'unknown',
          span(one.firstDay, one.lastDay),
          String(one.blocks),
        ]),
      ),
    caps && [
      'Spent of each block (part and day), for ever:',
      table(
        ['blocks', 'days', 'parts', 'ε', 'δ', 'spent', ''],
        blocks
          .slice(0, LINES)
          .map((one) => [
            counted(one.blocks, 'block'),
            span(one.firstDay, one.lastDay),
            one.parts.join(', '),
            ...spentOf(one, caps.block),
          ]),
      ),
    ],
    caps && [
      'Spent of the fullest 365 days of data around each release, when it was charged:',
      table(
        ['release', 'ε', 'δ', 'spent', ''],
        charges.slice(-LINES).map(({ release, year }) => [release, ...spentOf(year, caps.year)]),
      ),
    ],
    refusals.length > 0 && [
      'Refused, and charged nothing:',
      refusals.map(({ release, code, subject, reason }) => `  ${release}: ${code} (${reason}), asked by ${subject}`),
    ],
  );

/** What releases would cost, in plain words. */
export function planText({ population, releases, total, caps, firstRefused, inWords }: SeriesPlan): string {
  const made = releases.filter(({ charged, refusal }) => !charged && refusal === null).length;
  const refused = releases.find(({ release }) => release === firstRefused);
  return paragraphs(
    `Plan for population ${population}: nothing is drawn or charged by it.`,
    table(
      ['release', 'charge', 'blocks', 'fullest 365 days', '', 'spent', '', 'the ledger would'],
      releases.map((one) => [
        one.release,
        `ε ${amountText(one.cost.epsilon)}, δ ${amountText(one.cost.delta)}`,
        String(one.blocks),
        ...spentOf(one.year, caps.year),
        one.charged ? 'charge nothing: it is charged' : one.refusal === null ? 'charge it' : 'refuse it',
      ]),
    ),
    [
      `${counted(made, 'release')} would charge ${costText(total)} in all, by adding up.`,
      refused
        ? `A cap is reached at ${refused.release} (days ${span(refused.firstDay, refused.lastDay)}). ${refused.refusal}`
        : `No cap is reached: it is ε = ${amountText(caps.block.epsilon)} for a block, for ever, and ε = ${amountText(caps.year.epsilon)} over 365 days of data.`,
    ],
    ['What it means for one person:', inWords.map((sentence) => `  ${sentence}`)],
  );
}
