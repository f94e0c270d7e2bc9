import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { computeOnce } from '../../../core/memory/function-cache.ts';
import { fisherCombination } from '../../../core/statistics/fisher.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { type ChanceBounds, sumBounds } from '../../../core/statistics/integer-sum.ts';
import type { IntegerNoise } from '../../../core/statistics/noise-law.ts';
import { notTried, report } from '../../../core/verdict/finding.ts';
import { ALL } from '../../derive/count-row.ts';
import { bySlice, type CountTable, rowsOf } from '../../derive/count-table.ts';
import { noiseOfCount } from '../../mechanisms/mechanisms.ts';
import type { AuditSubject } from '../subject.ts';

/** Scales of the noisy margins as the certificate declares them. */
export type MarginScales = { time: number; location: number };

/** The margins of one mode, day and tap: their totals differ by nothing but noise. */
type MarginTotals = { times: number; locations: number; difference: number };

const totalsOf = (margins: CountTable): MarginTotals[] =>
  [...bySlice(margins).values()].map((rows) => {
    const totals = { times: 0, locations: 0, difference: 0 };
    for (const { time, count } of rowsOf(rows)) {
      if (time === ALL) totals.locations += 1;
      else totals.times += 1;
      totals.difference += time === ALL ? -count : count;
    }
    return totals;
  });

/**
 * A valid p-value of "the margins have the noise that is declared": over all times and over all locations they count
 * the same taps, so that the totals differ by noise alone, whose law is known exactly. Differences that are too small
 * and too large are sought apart, each combined over all modes, days and taps by Fisher (margin-noise.proof.md).
 */
export function marginNoiseTest(margins: CountTable, model: IntegerNoise, scales: MarginScales): number {
  const law = computeOnce((times: number, locations: number) =>
    sumBounds(model, [
      [scales.time, times],
      [scales.location, locations],
    ]),
  );
  const within = ({ times, locations }: MarginTotals, size: number): ChanceBounds => law(times, locations)(size);
  const totals = totalsOf(margins).filter(({ times, locations }) => times > 0 && locations > 0);
  const large = totals.map((sum) => 1 - within(sum, Math.abs(sum.difference) - 1).lower);
  const small = totals.map((sum) => within(sum, Math.abs(sum.difference)).upper);
  return Math.min(1, 2 * Math.min(fisherCombination(large), fisherCombination(small)));
}

/**
 * The noisy margins must be no sharper than what the certificate charges for: with less noise a remainder row would
 * show its suppressed cells. Fails when the p-value is at most `level`.
 */
export function checkMarginNoise(
  { tables, certificate }: Pick<AuditSubject, 'tables' | 'certificate'>,
  level: number = TEST_LEVEL,
): AuditCheck {
  const attack = 'Compare the noisy totals over times with those over locations.';
  const { time, location } = certificate.marginScales;
  if (!tables.margins || time === undefined || location === undefined)
    return notTried('margin-noise', attack, 'The release has no two noisy totals of the same taps.');
  const [ofTime, ofLocation] = [time, location].map((amount) => noiseOfCount(certificate.mechanism, amount));
  const scales = { time: ofTime!.scale, location: ofLocation!.scale };
  const pValue = marginNoiseTest(tables.margins, ofTime!.model, scales);
  return report('margin-noise', attack, {
    holds: pValue > level,
    pValue,
    right: 'The noisy totals differ from each other as the declared noise makes them.',
    wrong: 'The noisy totals agree better, or worse, than the declared noise can explain.',
  });
}
