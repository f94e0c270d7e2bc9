import { binomialTest, type Proportion } from './binomial.ts';
import { fisherCombination } from './fisher.ts';

/**
 * A valid p-value, for samples of any size, of "the counts are a sample with these chances": each bin in turn is tested
 * by the exact binomial test among what the bins before it left over, and the p-values are combined by Fisher's
 * product. Validity, P[p ≤ u] ≤ u, is proved in goodness-of-fit.proof.md. The chances are positive and add up to 1.
 */
export function goodnessOfFit(counts: readonly number[], chances: readonly number[]): number {
  let rest = counts.reduce((sum, count) => sum + count, 0);
  const pValues: number[] = [];
  for (let bin = 0; bin < counts.length - 1; bin += 1) {
    pValues.push(binomialTest(counts[bin]!, rest, shareOfRest(chances, bin), 'either'));
    rest -= counts[bin]!;
  }
  return fisherCombination(pValues);
}

/** A chance below this counts as 0: it does not come up in some thousand samples. */
const NEVER = 1e-15;

/** The same with chances that may be 0: a count where the chance counts as 0 gives 0, and such bins are left out. */
export function fitOfPossible(counts: readonly number[], chances: readonly number[]): number {
  const possible = chances.map((chance) => chance > NEVER);
  if (counts.some((count, bin) => count > 0 && !possible[bin])) return 0;
  const pick = (values: readonly number[]): number[] => values.filter((_, bin) => possible[bin]);
  return goodnessOfFit(pick(counts), pick(chances));
}

/** Chance of a bin among itself and all bins after it, both parts summed from the far end. */
function shareOfRest(chances: readonly number[], bin: number): Proportion {
  const later = chances.slice(bin + 1).reduceRight((sum, chance) => sum + chance, 0);
  const whole = chances[bin]! + later;
  return { value: chances[bin]! / whole, complement: later / whole };
}
