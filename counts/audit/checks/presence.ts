import type { AuditCheck } from '../../../contracts/audit.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { chanceInWords } from '../../../core/text/wording.ts';
import { report } from '../../../core/verdict/check.ts';
import { type AppearanceRule, appearanceRule } from '../attacks/declared-noise.ts';
import { checkFloorPresence } from '../attacks/floor.ts';
import { GROUP_SIZES, presenceProbability } from '../attacks/presence.ts';

/** Chance that at least one of the cells that vanish with a unit appears: what δ has to cover. */
const anyAppears = (rule: AppearanceRule, counts: readonly number[]): number =>
  0 - Math.expm1(counts.reduce((sum, count) => sum + Math.log1p(-presenceProbability(rule, count)), 0));

/** Room for the rounding of a double, and nothing more. */
const ROUNDING = 1e-9;

/**
 * Presence of one person. Statistic: the chance that the published cells show that a lone unit was there; bound: the δ
 * of the certificate, which has to cover it.
 */
export function checkPresence({ certificate }: { certificate: Certificate }): AuditCheck {
  if (certificate.floor !== undefined) return checkFloorPresence(certificate, certificate.floor);
  const rule = appearanceRule(certificate);
  const cells = certificate.worstPattern.length > 0 ? certificate.worstPattern : [1];
  const statistic = anyAppears(rule, cells);
  const bound = Number(certificate.deltaUpper);
  return report('presence', 'Tell from a published cell that one person, or a small group, was there.', {
    holds: statistic <= bound * (1 + ROUNDING),
    statistic,
    bound,
    right: presenceSentence(rule),
    wrong: `A person alone in a cell shows with a chance of ${chanceInWords(statistic)}, which is more than the certificate allows.`,
  });
}

/** What an attacker learns about one person, a group of five and of twelve. */
export function presenceSentence(rule: AppearanceRule): string {
  if (rule.threshold === null) return 'Every cell is published, so that a cell says nothing by being there.';
  const [one, five, twelve] = GROUP_SIZES.map((group) => chanceInWords(presenceProbability(rule, group)));
  return `Alone in a cell, one person shows with a chance of ${one}, a group of five ${five}, a group of twelve ${twelve}.`;
}
