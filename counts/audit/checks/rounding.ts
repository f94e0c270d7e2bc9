import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { binomialTest, type Proportion } from '../../../core/statistics/binomial.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import { noiseProbability, noiseTail } from '../../../core/statistics/noise-law.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';
import { report } from '../../../core/verdict/finding.ts';
import { NO_ROWS } from '../../derive/count-table.ts';
import { sideOf } from '../../derive/table-lines.ts';
import { noiseOfCount } from '../../mechanisms/mechanisms.ts';
import type { AuditSubject } from '../subject.ts';
import { noiseOfCells } from './declared-noise.ts';

/** Counts are rounded to multiples of these, or of multiples of these. */
const BASES = [2, 3, 5] as const;

/**
 * At most so large is the chance that a published count is a multiple of `base`, whatever the truth: f + (1 − f)/base,
 * f the greatest chance of one value given that it is published (rounding.proof.md).
 */
export function multipleChance({ model, scale, threshold }: DeclaredNoise, base: number): Proportion {
  const one = noiseProbability(model, scale, 0);
  // P[X > t | X ≥ t] falls in t, and no truth is below 0.
  const others =
    threshold === null ? 1 - one : noiseTail(model, scale, threshold + 1) / noiseTail(model, scale, threshold);
  const complement = others * (1 - 1 / base);
  return { value: 1 - complement, complement };
}

/** Counts with noise of one law. */
type Counts = { noise: DeclaredNoise; counts: Float64Array };

function multiplesOf(base: number, counts: Float64Array): number {
  let multiples = 0;
  for (const count of counts) {
    // The remainder of a small integer takes a tenth of the time; most counts are small.
    const small = count | 0;
    if ((small === count ? small % base : count % base) === 0) multiples += 1;
  }
  return multiples;
}

/** A valid p-value of "these counts have their noise, and were not rounded after it" (rounding.proof.md). */
export const roundingTest = (lists: readonly Counts[]): number =>
  bonferroni(
    lists.flatMap(({ noise, counts }) =>
      BASES.map((base) =>
        binomialTest(multiplesOf(base, counts), counts.length, multipleChance(noise, base), 'greater'),
      ),
    ),
  );

/**
 * Counts that were rounded, or moved in steps, after the noise was drawn: released rows are then not those that were
 * certified. Statistic: the greatest share of cells that are multiples of 2, 3 or 5. Fails when the p-value is at most
 * `level`. Cost: O(rows).
 */
export function checkRounding({ cells, tables, certificate }: AuditSubject, level: number): AuditCheck {
  const attack = 'Look for counts that were rounded after the noise was drawn.';
  const noise = noiseOfCells(certificate);
  const margins = (kind: 'time' | 'location'): Counts[] => {
    const scale = certificate.marginScales[kind];
    if (scale === undefined) return [];
    const counts = sideOf(tables.margins ?? NO_ROWS, kind).count;
    return [{ noise: { ...noiseOfCount(certificate.mechanism, scale), threshold: null }, counts }];
  };
  const counts = cells.count;
  const pValue = roundingTest([{ noise, counts }, ...margins('time'), ...margins('location')]);
  return report('rounding', attack, {
    holds: pValue > level,
    statistic: counts.length === 0 ? null : Math.max(...BASES.map((base) => multiplesOf(base, counts) / counts.length)),
    pValue,
    right: 'Published counts are multiples of 2, 3 and 5 no more often than the declared noise can make them.',
    wrong:
      'Published counts are multiples of 2, 3 or 5 more often than the declared noise can make them: they were rounded.',
  });
}
