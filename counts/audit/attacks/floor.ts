import type { AuditCheck } from '../../../contracts/audit.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import { chanceInWords, short } from '../../../core/text/wording.ts';
import { report } from '../../../core/verdict/check.ts';
import { mostTapsInCell } from '../../certificate/l1-change.ts';
import { atLeastOnce } from './accumulation.ts';
import { appearanceRule } from './declared-noise.ts';

/** Room for the rounding of a double, and nothing more. */
const ROUNDING = 1e-9;

/** How often a floor shows a lone unit with all the taps that it can have in a cell, and an empty cell. */
function shownBy(certificate: Certificate, floor: number): { lone: number; empty: number } {
  const { model, scale } = appearanceRule(certificate);
  const tail = (count: number): number => noiseTail(model, scale, floor - count);
  return { lone: tail(mostTapsInCell(certificate)), empty: tail(0) };
}

/**
 * Presence under a floor: empty cells are published too, so that a row proves nothing by itself. It tells so much as its
 * chances with a lone unit and without differ. Statistic: their ratio; bound: e^ε, which no event may exceed.
 */
export function checkFloorPresence(certificate: Certificate, floor: number): AuditCheck {
  const { lone, empty } = shownBy(certificate, floor);
  const [statistic, bound] = [lone / empty, Math.exp(toNumber(parseRational(certificate.epsilon)))];
  const chances = `${chanceInWords(lone)} with one ${certificate.unit} alone in it and of ${chanceInWords(empty)} with nobody`;
  return report('presence', 'Tell from a published cell that one person, or a small group, was there.', {
    holds: statistic <= bound * (1 + ROUNDING),
    statistic,
    bound,
    right: `A published cell proves nobody: it appears with a chance of ${chances}. That it is there makes somebody ${short(statistic)} times as likely as before.`,
    wrong: `A cell appears with a chance of ${chances}: that it is there tells more than epsilon allows.`,
  });
}

/**
 * Accumulation under a floor. Statistic: the chance that a cell in which one unit is alone each day shows at least once;
 * no bound on δ is touched, since an empty cell shows as well. Always reported.
 */
export function checkFloorAccumulation(certificate: Certificate, floor: number, days: number): AuditCheck {
  const { lone, empty } = shownBy(certificate, floor);
  const statistic = atLeastOnce(lone, days);
  return report('accumulation', 'Wait until a person who is alone in a cell every day shows once.', {
    verdict: 'pass',
    statistic,
    sentence: `Over ${days} days, a cell with one ${certificate.unit} alone in it each day shows at least once with a chance of ${chanceInWords(statistic)}, and an empty one with ${chanceInWords(atLeastOnce(empty, days))}: to show proves nobody.`,
  });
}
