import type { AuditCheck } from '../../../contracts/audit.ts';
import { checkAccumulation } from '../attacks/accumulation.ts';
import type { AppearanceRule } from '../attacks/declared-noise.ts';
import { checkPresence, GROUP_SIZES, presenceProbability } from '../attacks/presence.ts';
import { chanceInWords } from '../attacks/wording.ts';
import { report } from '../check.ts';
import type { TableNoise } from './noise.ts';
import type { ForeignSubject } from './subject.ts';
import { drawnRows, type ForeignTable } from './table.ts';

/** What one person may cost where nobody declares a δ: one chance in a million, as it is asked for in practice. */
export const PRESENCE_CAP = 1e-6;

/** Working days of a year, as the report of 2017 counts them. */
const DAYS = 260;

/** Chances that lone groups of 1, 5 and 12 show in a table, with the smallest and the greatest scale that it can have. */
export type PresenceRisk = {
  table: string;
  least: readonly number[];
  most: readonly number[];
  bound: number;
  /** The rule with the greatest scale. */
  rule: AppearanceRule;
  known: boolean;
};

function riskOf(table: ForeignTable, noise: TableNoise): PresenceRisk {
  const rule = (scale: number): AppearanceRule => ({ model: noise.model, scale, threshold: noise.threshold });
  const chances = (scale: number): number[] => GROUP_SIZES.map((group) => presenceProbability(rule(scale), group));
  return {
    table: table.name,
    least: chances(noise.least),
    most: chances(noise.most),
    bound: table.declared.delta ?? PRESENCE_CAP,
    rule: rule(noise.most),
    known: noise.knownBy === 'declaration' || noise.knownBy === 'certificate',
  };
}

/** Risks of every table that was drawn by itself. */
export const presenceRisks = ({ tables, noises }: ForeignSubject): PresenceRisk[] =>
  tables.filter((table) => drawnRows(table).length > 0).map((table) => riskOf(table, noises.get(table.name)!));

const riskiest = (risks: readonly PresenceRisk[]): PresenceRisk | null =>
  risks.reduce<PresenceRisk | null>((worst, one) => (worst && worst.most[0]! >= one.most[0]! ? worst : one), null);

const NAMES = ['one person', 'a group of five', 'a group of twelve'];

function inWords({ table, least, most }: PresenceRisk): string {
  const chances = NAMES.map((name, index) => {
    const [low, high] = [chanceInWords(least[index]!), chanceInWords(most[index]!)];
    return low === high ? `${name} ${high}` : `${name} between ${low} and ${high}`;
  });
  return `in ${table} ${chances.join(', ')}`;
}

/**
 * Presence of one person, five and twelve who are alone in a cell, in every table. Statistic: the chance of one person
 * in the worst table, with the greatest scale that is possible; interval: that chance with the smallest and the
 * greatest scale; bound: the declared δ of the table, else PRESENCE_CAP. What lies over the bound only with a scale
 * that is not certain is a point for attention.
 */
export function checkForeignPresence(subject: ForeignSubject): AuditCheck {
  const certified = subject.tables.find(({ declared }) => declared.certificate);
  const risks = presenceRisks(subject);
  const worst = riskiest(risks);
  const attack = 'Tell from a published cell that one person, or a small group, was there.';
  if (!worst) return report('presence', attack, { verdict: 'pass', sentence: 'No counts are published.' });
  if (certified?.declared.certificate) return checkPresence({ certificate: certified.declared.certificate });
  const over = risks.filter(({ most, bound }) => most[0]! > bound);
  const surely = over.filter(({ known, least, bound }) => known || least[0]! > bound);
  const facts = `Alone in a cell, it shows ${risks.map(inWords).join('; ')}`;
  const source = risks.every(({ known }) => known)
    ? ''
    : '; the scale is not declared, so that it was taken from what the counts give away';
  const [least, most] = [worst.least[0]!, worst.most[0]!];
  return {
    ...report('presence', attack, {
      verdict: surely.length > 0 ? 'fail' : over.length > 0 ? 'attention' : 'pass',
      statistic: most,
      bound: worst.bound,
      sentence: `${facts}${source}${over.length > 0 ? `: for one person this ${surely.length > 0 ? 'is' : 'can be'} over ${chanceInWords(worst.bound)}` : ''}.`,
    }),
    interval: [least, most],
  };
}

/** Accumulation over the working days of a year in the worst table; the bound on one day, as often. */
export function checkForeignAccumulation(subject: ForeignSubject): AuditCheck | null {
  const worst = riskiest(presenceRisks(subject));
  if (!worst) return null;
  const certificate = subject.tables.find(({ declared }) => declared.certificate)?.declared.certificate;
  const bound = certificate ? Number(certificate.deltaUpper) : worst.bound;
  const check = checkAccumulation(worst.rule, { days: DAYS, deltaCap: Math.min(1, DAYS * bound) });
  if (check.verdict === 'pass') return check;
  const verdict = worst.known || worst.least[0]! > worst.bound ? 'fail' : 'attention';
  return {
    ...check,
    verdict,
    sentence: check.sentence.replace('the cap of the series', `${DAYS} times the bound of one day`),
  };
}
