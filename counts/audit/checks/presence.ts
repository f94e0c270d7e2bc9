import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import { chanceInWords, short } from '../../../core/text/wording.ts';
import { report } from '../../../core/verdict/finding.ts';
import { mostTapsInCell } from '../../certificate/l1-change.ts';
import type { AuditSubject } from '../subject.ts';
import { type AppearanceRule, appearanceRule, type TableNoise } from './declared-noise.ts';

/** Lone groups that the report of 2017 asked about, and every audit since. */
export const GROUPS = [
  { size: 1, name: 'one person' },
  { size: 5, name: 'a group of five' },
  { size: 12, name: 'a group of twelve' },
] as const;

export const PRESENCE_ATTACK = 'Tell from a published cell that one person, or a small group, was there.';

/**
 * q_g: the chance that `group` people, alone in a cell, make it appear: the tail P[group + X ≥ T]. 0 where every cell
 * of the domain is published anyway, so that appearing says nothing. (Culnane, Rubinstein, Teague 2017, section 3,
 * evaluate the density at the threshold instead of the tail.)
 */
export const presenceProbability = ({ model, scale, threshold }: AppearanceRule, group: number): number =>
  threshold === null ? 0 : noiseTail(model, scale, threshold - group);

/** Chances that each lone group makes its cell appear, with the smallest and the greatest scale of the noise. */
export const groupRisks = ({ appears: { least, most } }: TableNoise) =>
  GROUPS.map(({ size, name }) => ({
    size,
    name,
    least: presenceProbability(least, size),
    most: presenceProbability(most, size),
  }));

/** The table in which one person risks most, the first of equal ones; null when there is none. */
export const riskiest = <Table extends { noise: TableNoise }>(tables: readonly Table[]): Table | null =>
  tables.reduce<Table | null>((worst, one) => (worst && riskOfOne(worst) >= riskOfOne(one) ? worst : one), null);

const riskOfOne = ({ noise }: { noise: TableNoise }): number => presenceProbability(noise.appears.most, 1);

/** Chance that at least one of the cells that vanish with a unit appears: what δ has to cover. */
const anyAppears = (rule: AppearanceRule, counts: readonly number[]): number =>
  0 - Math.expm1(counts.reduce((sum, count) => sum + Math.log1p(-presenceProbability(rule, count)), 0));

/** Room for the rounding of a double, and nothing more. */
const ROUNDING = 1e-9;

/**
 * Presence of one person. Statistic: the chance that the published cells show that a lone unit was there; bound: the δ
 * of the certificate, which has to cover it. Under a floor empty cells are published too, so that a row proves nothing by
 * itself. It reveals as much as its chances with a lone unit and without one differ. Statistic: their ratio, less what
 * δ allows; bound: e^ε, which no event may exceed.
 */
export function checkPresence({ certificate }: Pick<AuditSubject, 'certificate'>): AuditCheck {
  const under = chancesOfFloor(certificate);
  if (under) {
    const { lone, empty } = under;
    const bound = Math.exp(toNumber(parseRational(certificate.epsilon)));
    const statistic = (lone - Number(certificate.deltaUpper)) / empty;
    const chances = `${chanceInWords(lone)} with one ${certificate.unit} alone in it and of ${chanceInWords(empty)} with nobody`;
    return report('presence', PRESENCE_ATTACK, {
      holds: statistic <= bound * (1 + ROUNDING),
      statistic,
      bound,
      right: `A published cell does not prove that anybody was there: it appears with a chance of ${chances}. That it is there makes somebody ${short(statistic)} times as likely as before.`,
      wrong: `A cell appears with a chance of ${chances}: that it is there tells more than epsilon allows.`,
    });
  }
  const rule = appearanceRule(certificate);
  const cells = certificate.worstPattern.length > 0 ? certificate.worstPattern : [1];
  const statistic = anyAppears(rule, cells);
  const bound = Number(certificate.deltaUpper);
  return report('presence', PRESENCE_ATTACK, {
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
  const [one, five, twelve] = GROUPS.map(({ size }) => chanceInWords(presenceProbability(rule, size)));
  return `Alone in a cell, one person shows with a chance of ${one}, a group of five ${five}, a group of twelve ${twelve}.`;
}

/**
 * How often a floor shows a lone unit with all the taps that it can have in a cell, and an empty cell; null without a
 * floor.
 */
export function chancesOfFloor(certificate: Certificate): { lone: number; empty: number } | null {
  const { floor } = certificate;
  if (floor === undefined) return null;
  const { model, scale } = appearanceRule(certificate);
  const tail = (count: number): number => noiseTail(model, scale, floor - count);
  return { lone: tail(mostTapsInCell(certificate)), empty: tail(0) };
}
