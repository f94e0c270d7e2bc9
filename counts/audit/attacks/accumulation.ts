import type { AuditCheck } from '../../../contracts/audit.ts';
import { chanceInWords } from '../../../core/text/wording.ts';
import { report } from '../../../core/verdict/check.ts';
import type { AppearanceRule } from './declared-noise.ts';
import { presenceProbability } from './presence.ts';

/** 1 − (1 − q)^K: the chance that what has the chance q each time happens at least once in K times. */
export const atLeastOnce = (probability: number, times: number): number =>
  -Math.expm1(times * Math.log1p(-probability));

/** Sums over a year, from the ledger of the population. */
export type YearOfReleases = {
  /** K: days of data that the ledger charges within a year. */
  days: number;
  /** The cap of the series on δ over any 365 days. */
  deltaCap: number;
};

/**
 * Accumulation: someone with the same habit every day gets a new chance to show each day. Always reported. Statistic:
 * the chance that one person, alone in a cell every day, shows at least once; bound: the cap on δ over a year.
 */
export function checkAccumulation(rule: AppearanceRule, { days, deltaCap }: YearOfReleases): AuditCheck {
  const once = (group: number): number => atLeastOnce(presenceProbability(rule, group), days);
  const statistic = once(1);
  const facts =
    `Over ${days} days, one person alone in a cell each day shows at least once with a chance of ` +
    `${chanceInWords(statistic)}, a group of five ${chanceInWords(once(5))}, a group of twelve ${chanceInWords(once(12))}`;
  return report('accumulation', 'Wait until a person who is alone in a cell every day shows once.', {
    holds: statistic <= deltaCap,
    statistic,
    bound: deltaCap,
    right: `${facts}.`,
    wrong: `${facts}; this is over the cap of the series.`,
  });
}
