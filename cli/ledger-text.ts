import type { SeriesPlan } from '../client/ledger/ledger-plan.ts';
import { ERRORS } from '../contracts/errors.ts';
import { measuresOf } from '../core/accounting/charged-amount.ts';
import type { BurnDown } from '../core/ledger/burn-down.ts';
import { costText, type ShownAmount } from '../core/ledger/shown-amount.ts';
import { amountText, capShare, upperText } from '../core/rational/amount-text.ts';
import { parseRational } from '../core/rational/rational.ts';
import { paragraphs } from '../core/text/paragraphs.ts';
import { table } from '../core/text/text-table.ts';
import { countOf } from '../core/text/wording.ts';
import { bar } from './terminal.ts';

/** Lines of one plot; of a longer history the newest are shown, JSON has all. */
const LINES = 60;

const span = (firstDay: string, lastDay: string): string =>
  firstDay === lastDay ? firstDay : `${firstDay} to ${lastDay}`;

/**
 * `ε 8 of 16`, `δ 1e-6 of 2e-6`, the share of the cap that is nearer, and a bar that says the same; `ρ 0.5 of 2`, and `ε
 * 5.2 of 11 at δ 1e-6` beside it. The share in ρ is what a cap is about.
 */
function usageOf(usage: ShownAmount, cap: ShownAmount): string[] {
  const measures = measuresOf<string>(usage, cap);
  const share = Math.max(...measures.map(({ pair: [one, most] }) => capShare(one, most)));
  const [first, second] = measures.map(
    ({ sign, pair: [one, most] }) => `${sign} ${amountText(one)} of ${amountText(most)}`,
  );
  return [first!, second ?? beside(usage, cap), `${Math.floor(share * 100)} %`.padStart(5), bar(share)];
}

/** ε of a sum beside ρ, and that of its cap. */
const beside = (usage: ShownAmount, cap: ShownAmount): string =>
  'rho' in usage && 'rho' in cap && usage.at && cap.at
    ? `ε ${upperText(parseRational(usage.at.epsilon))} of ${upperText(parseRational(cap.at.epsilon))} at δ ${amountText(cap.at.delta)}`
    : '';

/** How a plan ends that a cap refuses. */
export const overCapExit = (refusal: string | null): number | undefined =>
  refusal ? ERRORS.BUDGET_EXCEEDED.exit : undefined;

/** The ledger of one population in plain words, with its burn-down. */
export function burnDownText(ledger: BurnDown & { population: string }): string {
  const { population, accounting, charges, refusals, caps, blocks } = ledger;
  return paragraphs(
    `Population ${population}: ${countOf(charges.length, 'release')} charged, ${countOf(refusals.length, 'attempt')} refused. ${accounting === 'rho' ? 'Losses are counted as ρ, and ε is beside it at the δ of the policy.' : ''}`.trimEnd(),
    charges.length > 0 &&
      table(
        ['release', 'state', 'charge', 'unit', 'days of data', 'blocks'],
        charges.map((one) => [
          one.release,
          one.state,
          costText(one),
          one.unit ?? 'unknown',
          span(one.firstDay, one.lastDay),
          String(one.blocks),
        ]),
      ),
    caps && [
      'Spent of each block (part and day), for ever:',
      table(
        ['blocks', 'days', 'parts', 'of the cap', '', 'spent', ''],
        blocks
          .slice(0, LINES)
          .map((one) => [
            countOf(one.blocks, 'block'),
            span(one.firstDay, one.lastDay),
            one.parts.join(', '),
            ...usageOf(one, caps.block),
          ]),
      ),
    ],
    caps && [
      'Spent of the fullest 365 days of data around each release, when it was charged:',
      table(
        ['release', 'of the cap', '', 'spent', ''],
        charges.slice(-LINES).map(({ release, year }) => [release, ...usageOf(year, caps.year)]),
      ),
    ],
    refusals.length > 0 && [
      'Refused, and charged nothing:',
      refusals.map(({ release, code, subject, reason }) => `  ${release}: ${code} (${reason}), asked by ${subject}`),
    ],
  );
}

/** What releases would cost, in plain words. */
export function planText({ population, releases, total, caps, firstRefused, inWords }: SeriesPlan): string {
  const count = releases.filter(({ charged, refusal }) => !charged && refusal === null).length;
  const breach = releases.find(({ release }) => release === firstRefused);
  return paragraphs(
    `Plan for population ${population}: nothing is drawn or charged by it.`,
    table(
      ['release', 'charge', 'blocks', 'fullest 365 days', '', 'spent', '', 'the ledger would'],
      releases.map((one) => [
        one.release,
        costText(one.cost),
        String(one.blocks),
        ...usageOf(one.year, caps.year),
        one.charged ? 'charge nothing: it is charged' : one.refusal === null ? 'charge it' : 'refuse it',
      ]),
    ),
    [
      `${countOf(count, 'release')} would charge ${costText(total)} in all, by adding up.`,
      breach
        ? `A cap is reached at ${breach.release} (days ${span(breach.firstDay, breach.lastDay)}). ${breach.refusal}`
        : `No cap is reached: it is ${costText(caps.block)} for a block, for ever, and ${costText(caps.year)} over 365 days of data.`,
    ],
    ['What it means for one person:', inWords.map((sentence) => `  ${sentence}`)],
  );
}
