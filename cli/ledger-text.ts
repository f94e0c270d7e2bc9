import type { SeriesPlan } from '../client/ledger/ledger-plan.ts';
import type { AmountText } from '../core/ledger/budget.ts';
import type { BurnDown } from '../core/ledger/burn-down.ts';
import type { PlannedRelease } from '../core/ledger/plan.ts';
import { amountText, spentShare } from '../core/rational/amount-text.ts';
import { table } from '../core/text/table.ts';
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

/** The ledger of one population in plain words, with its burn-down. */
export function burnDownText(population: string, { charges, refusals, caps, blocks }: BurnDown): string {
  return [
    `Population ${population}: ${counted(charges.length, 'release')} charged, ${counted(refusals.length, 'attempt')} refused.`,
    ...(charges.length > 0 ? ['', chargesTable(charges)] : []),
    ...(caps ? ['', blocksPlot(blocks, caps.block)] : []),
    ...(caps ? ['', yearsPlot(charges, caps.year)] : []),
    ...(refusals.length > 0 ? ['', 'Refused, and charged nothing:', ...refusals.map(refusalLine)] : []),
  ].join('\n');
}

const refusalLine = ({ release, code, subject, reason }: BurnDown['refusals'][number]): string =>
  `  ${release}: ${code} (${reason}), asked by ${subject}`;

const chargesTable = (charges: BurnDown['charges']): string =>
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
  );

function blocksPlot(blocks: BurnDown['blocks'], cap: AmountText): string {
  const rows = blocks
    .slice(0, LINES)
    .map((one) => [
      counted(one.blocks, 'block'),
      span(one.firstDay, one.lastDay),
      one.parts.join(', '),
      ...spentOf(one, cap),
    ]);
  return `Spent of each block (part and day), for ever:\n${table(['blocks', 'days', 'parts', 'ε', 'δ', 'spent', ''], rows)}`;
}

function yearsPlot(charges: BurnDown['charges'], cap: AmountText): string {
  const rows = charges.slice(-LINES).map(({ release, year }) => [release, ...spentOf(year, cap)]);
  return `Spent of the fullest 365 days of data around each release, when it was charged:\n${table(['release', 'ε', 'δ', 'spent', ''], rows)}`;
}

/** What releases would cost, in plain words. */
export function planText({ population, releases, total, caps, firstRefused, inWords }: SeriesPlan): string {
  const made = releases.filter(({ charged, refusal }) => !charged && refusal === null).length;
  const rows = releases.map((one) => [
    one.release,
    `ε ${amountText(one.cost.epsilon)}, δ ${amountText(one.cost.delta)}`,
    String(one.blocks),
    ...spentOf(one.year, caps.year),
    outcome(one),
  ]);
  const refused = releases.find(({ release }) => release === firstRefused);
  return [
    `Plan for population ${population}: nothing is drawn or charged by it.`,
    '',
    table(['release', 'charge', 'blocks', 'fullest 365 days', '', 'spent', '', 'the ledger would'], rows),
    '',
    `${counted(made, 'release')} would charge ε = ${amountText(total.epsilon)}, δ = ${amountText(total.delta)} in all, by adding up.`,
    refused
      ? `A cap is reached at ${refused.release} (days ${span(refused.firstDay, refused.lastDay)}). ${refused.refusal}`
      : `No cap is reached: it is ε = ${amountText(caps.block.epsilon)} for a block, for ever, and ε = ${amountText(caps.year.epsilon)} over 365 days of data.`,
    '',
    'What it means for one person:',
    ...inWords.map((sentence) => `  ${sentence}`),
  ].join('\n');
}

function outcome({ charged, refusal }: PlannedRelease): string {
  if (charged) return 'charge nothing: it is charged';
  return refusal === null ? 'charge it' : 'refuse it';
}
