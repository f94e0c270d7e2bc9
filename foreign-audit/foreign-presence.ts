import type { AuditCheck } from '../contracts/audit-report.ts';
import { chanceInWords } from '../core/text/wording.ts';
import { notTried, report } from '../core/verdict/finding.ts';
import { foldVerdicts } from '../core/verdict/verdict.ts';
import { checkAccumulation } from '../counts/audit/checks/accumulation.ts';
import { checkPresence, groupRisks, PRESENCE_ATTACK, riskiest } from '../counts/audit/checks/presence.ts';
import { DELTA_RANGE, type NoisyTable } from './foreign-noise.ts';
import type { ForeignSubject } from './foreign-subject.ts';
import { pickDrawnRows } from './foreign-table.ts';

/** What one person may cost where nobody declares a δ: one chance in a million, as it is asked for in practice. */
const PRESENCE_CAP = 1e-6;

/** Working days of a year, as the report of 2017 counts them. */
const DAYS = 260;

/** Tables that were drawn by themselves. */
const pickDrawnTables = (tables: readonly NoisyTable[]): NoisyTable[] =>
  tables.filter((table) => pickDrawnRows(table).length > 0);

/** δ of a table. */
const boundOf = ({ declared: { certificate, delta } }: NoisyTable): number =>
  certificate ? Number(certificate.deltaUpper) : (delta ?? PRESENCE_CAP);

const isKnown = ({ noise: { knownBy } }: NoisyTable): boolean => knownBy === 'declaration' || knownBy === 'certificate';

/** Is one person over the bound of the table, whatever its scale is of those that are possible? */
const isSurelyOver = (table: NoisyTable): boolean =>
  isKnown(table) || groupRisks(table.noise)[0]!.least > boundOf(table);

function inWords({ name: table, noise }: NoisyTable): string {
  const chances = groupRisks(noise).map(({ name, least, most }) => {
    const [low, high] = [chanceInWords(least), chanceInWords(most)];
    return low === high ? `${name} ${high}` : `${name} between ${low} and ${high}`;
  });
  return `in ${table} with these chances: ${chances.join(', ')}`;
}

/**
 * Presence of one person, five and twelve who are alone in a cell. Tables with a certificate have the check of releases.
 * Of the others, statistic: the chance of one person in the worst table, with the greatest scale
 * that is possible; interval: that chance with the smallest and the greatest scale; bound: the declared δ of the table,
 * else PRESENCE_CAP. A chance that is over the bound only with a scale that is not certain is a point for attention.
 */
export function checkForeignPresence({ tables, recovered }: ForeignSubject): AuditCheck {
  const certificates = tables.flatMap(({ declared }) => declared.certificate ?? []);
  const bare = tables.filter(({ declared }) => declared.certificate === null);
  const checks: AuditCheck[] = [
    ...certificates.map((certificate) => checkPresence({ certificate })),
    // A publication without any table has nothing to show either.
    ...(bare.length > 0 || certificates.length === 0 ? [bareTables(pickDrawnTables(bare), recovered !== null)] : []),
  ];
  return checks.find(({ verdict }) => verdict === foldVerdicts(checks)) ?? checks[0]!;
}

function bareTables(tables: readonly NoisyTable[], isRecovered: boolean): AuditCheck {
  const worst = riskiest(tables);
  if (!worst) return notTried('presence', PRESENCE_ATTACK, 'No counts are published.');
  const over = tables.filter((table) => groupRisks(table.noise)[0]!.most > boundOf(table));
  const surely = over.some(isSurelyOver);
  const source = tables.every(isKnown)
    ? ''
    : isRecovered
      ? '; the scale is not declared, but pairs of counts give it away'
      : `; the scale is not declared, and the ends are those of the rule of 2017 (threshold = scale · ln(2/δ) + 1) with a δ from ${DELTA_RANGE.least} to ${DELTA_RANGE.most} for a table`;
  const excess = `: for one person this ${surely ? 'is' : 'can be'} over ${chanceInWords(boundOf(worst))}`;
  const { least, most } = groupRisks(worst.noise)[0]!;
  return report('presence', PRESENCE_ATTACK, {
    verdict: surely ? 'fail' : over.length > 0 ? 'attention' : 'pass',
    statistic: most,
    bound: boundOf(worst),
    interval: [least, most],
    sentence: `People who are alone in a cell show ${tables.map(inWords).join('; ')}${source}${over.length > 0 ? excess : ''}.`,
  });
}

/** Accumulation over the working days of a year in the worst table; the bound on one day, as often. */
export function checkForeignAccumulation({ tables }: ForeignSubject): AuditCheck | null {
  const worst = riskiest(pickDrawnTables(tables));
  if (!worst) return null;
  const { most } = worst.noise.appears;
  const check = checkAccumulation(most, { chances: DAYS, deltaCap: Math.min(1, DAYS * boundOf(worst)) });
  if (check.verdict === 'pass') return check;
  return {
    ...check,
    verdict: isSurelyOver(worst) ? 'fail' : 'attention',
    sentence: check.sentence.replace('the cap of the series', `${DAYS} times the bound of one day`),
  };
}
