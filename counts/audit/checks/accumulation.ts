import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { chanceInWords } from '../../../core/text/wording.ts';
import { notTried, report } from '../../../core/verdict/finding.ts';
import type { LedgerFacts } from '../ledger-facts.ts';
import type { AuditSubject } from '../subject.ts';
import { type AppearanceRule, appearanceRule } from './declared-noise.ts';
import { chancesOfFloor, presenceProbability } from './presence.ts';

const ATTACK = 'Wait until a person who is alone in a cell every day shows once.';

/** 1 − (1 − q)^K: the chance that what has the chance q each time happens at least once in K times. */
export const atLeastOnce = (probability: number, times: number): number =>
  -Math.expm1(times * Math.log1p(-probability));

/**
 * Accumulation: someone with the same habit every day gets a new chance to show each day. Always reported. Statistic:
 * the chance that one person, alone in a cell every day, shows at least once; bound: the cap on δ over a year.
 */
export function checkAccumulation(
  rule: AppearanceRule,
  { chances: days, deltaCap }: Pick<LedgerFacts, 'chances' | 'deltaCap'>,
): AuditCheck {
  const once = (group: number): number => atLeastOnce(presenceProbability(rule, group), days);
  const statistic = once(1);
  const facts =
    `Over ${days} days, one person alone in a cell each day shows at least once with a chance of ` +
    `${chanceInWords(statistic)}, a group of five ${chanceInWords(once(5))}, a group of twelve ${chanceInWords(once(12))}`;
  return report('accumulation', ATTACK, {
    holds: statistic <= deltaCap,
    statistic,
    bound: deltaCap,
    right: `${facts}.`,
    wrong: `${facts}; this is over the cap of the series.`,
  });
}

/**
 * Accumulation over the days that the ledger charges to the series; see ledger-facts.ts. Under a floor: the chance that
 * a cell in which one unit is alone each day shows at least once; no bound on δ is touched, since an empty cell shows as
 * well.
 */
export function checkYear({ certificate, knowledge: { ledger } }: AuditSubject): AuditCheck {
  if (!ledger)
    return notTried('accumulation', ATTACK, 'The ledger is not at hand, so that nothing is said of the year.');
  const { chances: days } = ledger;
  const under = chancesOfFloor(certificate);
  if (!under) return checkAccumulation(appearanceRule(certificate), ledger);
  const statistic = atLeastOnce(under.lone, days);
  return report('accumulation', ATTACK, {
    verdict: 'pass',
    statistic,
    sentence: `Over ${days} days, a cell with one ${certificate.unit} alone in it each day shows at least once with a chance of ${chanceInWords(statistic)}, and an empty one with ${chanceInWords(atLeastOnce(under.empty, days))}: to show does not prove that anybody was there.`,
  });
}
