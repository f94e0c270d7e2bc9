import type { AuditCheck } from '../contracts/audit.ts';
import type { Certificate } from '../contracts/certificate.ts';
import { chanceInWords } from '../core/text/wording.ts';
import { notTried, report } from '../core/verdict/check.ts';
import { foldVerdicts } from '../core/verdict/verdict.ts';
import { checkAccumulation } from '../counts/audit/attacks/accumulation.ts';
import { type AppearanceRule, appearanceRule } from '../counts/audit/attacks/declared-noise.ts';
import { GROUP_SIZES, presenceProbability } from '../counts/audit/attacks/presence.ts';
import { checkPresence } from '../counts/audit/checks/presence.ts';
import { DELTA_RANGE, type TableNoise } from './noise.ts';
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

/** What decides whether a cell appears, with the smallest and the greatest scale that the noise can have. */
export function appearanceRules(
  certificate: Certificate | null,
  { model, threshold, least, most }: TableNoise,
): { least: AppearanceRule; most: AppearanceRule } {
  const certified = certificate && appearanceRule(certificate);
  const rule = (scale: number): AppearanceRule => certified ?? { model, scale, threshold };
  return { least: rule(least), most: rule(most) };
}

function riskOf(table: ForeignTable, noise: TableNoise): PresenceRisk {
  const { certificate, delta } = table.declared;
  const rules = appearanceRules(certificate, noise);
  const chances = (rule: AppearanceRule): number[] => GROUP_SIZES.map((group) => presenceProbability(rule, group));
  return {
    table: table.name,
    least: chances(rules.least),
    most: chances(rules.most),
    bound: certificate ? Number(certificate.deltaUpper) : (delta ?? PRESENCE_CAP),
    rule: rules.most,
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
  return `in ${table} with these chances: ${chances.join(', ')}`;
}

const ATTACK = 'Tell from a published cell that one person, or a small group, was there.';

/**
 * Presence of one person, five and twelve who are alone in a cell. Tables with a certificate have the check of releases
 * (attacks/presence.ts). Of the others, statistic: the chance of one person in the worst table, with the greatest scale
 * that is possible; interval: that chance with the smallest and the greatest scale; bound: the declared δ of the table,
 * else PRESENCE_CAP. What lies over the bound only with a scale that is not certain is a point for attention.
 */
export function checkForeignPresence(subject: ForeignSubject): AuditCheck {
  const certificates = subject.tables.flatMap(({ declared }) => declared.certificate ?? []);
  const bare = subject.tables.filter(({ declared }) => declared.certificate === null);
  const checks: AuditCheck[] = [
    ...certificates.map((certificate) => checkPresence({ certificate })),
    // A publication without any table has nothing to show either.
    ...(bare.length > 0 || certificates.length === 0 ? [bareTables({ ...subject, tables: bare })] : []),
  ];
  return checks.find(({ verdict }) => verdict === foldVerdicts(checks)) ?? checks[0]!;
}

function bareTables(subject: ForeignSubject): AuditCheck {
  const risks = presenceRisks(subject);
  const worst = riskiest(risks);
  if (!worst) return notTried('presence', ATTACK, 'No counts are published.');
  const over = risks.filter(({ most, bound }) => most[0]! > bound);
  const surely = over.filter(({ known, least, bound }) => known || least[0]! > bound);
  const facts = `People who are alone in a cell show ${risks.map(inWords).join('; ')}`;
  const source = risks.every(({ known }) => known) ? '' : `; ${sourceOfScales(subject)}`;
  const [least, most] = [worst.least[0]!, worst.most[0]!];
  return report('presence', ATTACK, {
    verdict: surely.length > 0 ? 'fail' : over.length > 0 ? 'attention' : 'pass',
    statistic: most,
    bound: worst.bound,
    interval: [least, most],
    sentence: `${facts}${source}${over.length > 0 ? `: for one person this ${surely.length > 0 ? 'is' : 'can be'} over ${chanceInWords(worst.bound)}` : ''}.`,
  });
}

/** Where the scales of tables come from that nobody declares. */
const sourceOfScales = ({ recovered }: ForeignSubject): string =>
  recovered
    ? 'the scale is not declared, but pairs of counts give it away'
    : `the scale is not declared, and the ends are those of the rule of 2017 (threshold = scale · ln(2/δ) + 1) with a δ from ${DELTA_RANGE.least} to ${DELTA_RANGE.most} for a table`;

/** Accumulation over the working days of a year in the worst table; the bound on one day, as often. */
export function checkForeignAccumulation(subject: ForeignSubject): AuditCheck | null {
  const worst = riskiest(presenceRisks(subject));
  if (!worst) return null;
  const check = checkAccumulation(worst.rule, { days: DAYS, deltaCap: Math.min(1, DAYS * worst.bound) });
  if (check.verdict === 'pass') return check;
  const verdict = worst.known || worst.least[0]! > worst.bound ? 'fail' : 'attention';
  return {
    ...check,
    verdict,
    sentence: check.sentence.replace('the cap of the series', `${DAYS} times the bound of one day`),
  };
}
