import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { binomialTest, proportion } from '../../../core/statistics/binomial.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import { differenceProbability } from '../../../core/statistics/difference-law.ts';
import { report } from '../../../core/verdict/finding.ts';
import { noiseOfCount } from '../../mechanisms/mechanisms.ts';
import type { NoiseKind, PairTally, ShadowCounts } from './shadow-tallies.ts';

/** The chance that two noises of a kind are equal. */
function equalChance(kind: NoiseKind, certificate: Certificate): number {
  const { scale: cells, marginScales, leftOutScale: leftOut } = certificate;
  const amount = { cells, ...marginScales, leftOut }[kind] ?? cells;
  const { model, scale } = noiseOfCount(certificate.mechanism, amount);
  return differenceProbability(model, scale, 0);
}

/**
 * A valid p-value of "the two noise values of each pair are independent" (independence.proof.md): how many are equal,
 * for noise of one scale, and how many agree in sign.
 */
export function pairTest(tally: PairTally, certificate: Certificate): number {
  const bySign = binomialTest(tally.agreeing, tally.signed, proportion(0.5), 'either');
  if (tally.of === null) return bySign;
  const chance = proportion(equalChance(tally.of, certificate));
  return bonferroni([binomialTest(tally.equal, tally.pairs, chance, 'greater'), bySign]);
}

/**
 * The same noise twice: in two cells or two totals, on two days, in two versions, parts or windows, or in a cell and its
 * total. Statistic: the largest share of pairs that agree in sign.
 */
export function checkIndependence({ pairs }: ShadowCounts, certificate: Certificate, level: number): AuditCheck {
  const tests = pairs.map((tally) => pairTest(tally, certificate));
  const pValue = bonferroni(tests);
  const total = pairs.reduce((sum, tally) => sum + tally.pairs, 0);
  const suspect = pairs[tests.indexOf(Math.min(...tests))]?.name;
  const share = ({ agreeing, signed }: PairTally): number => (signed > 0 ? agreeing / signed : 0);
  return report('mechanism-independence', 'Look for the same noise twice in made-up tables.', {
    holds: pValue > level,
    statistic: pairs.reduce((most, tally) => Math.max(most, share(tally)), 0),
    bound: 0.5,
    pValue,
    right: `${total} pairs of noise values are independent: within a table, between days, versions, parts and windows, and between cells and totals.`,
    wrong: `The noise of ${suspect} is not independent: who knows one of the two knows something of the other.`,
  });
}
