import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { computeOnce } from '../../../core/memory/function-cache.ts';
import { sumHalfWidth, sumLaw, type Term } from '../../../core/statistics/integer-sum.ts';
import type { IntegerNoise } from '../../../core/statistics/noise-law.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';
import { percent } from '../../../core/text/wording.ts';
import { report } from '../../../core/verdict/finding.ts';
import type { AuditSubject } from '../subject.ts';
import { noiseOfCells } from './declared-noise.ts';
import { marginTotals, type SiblingTotal, siblingTotals, tableTotals, versionTotals } from './sibling-totals.ts';
import { cellLikelihood, likeliest, likelihoodInterval, suppressionLimit } from './suppressed-cell.ts';

export type SuppressedSum = {
  /** D: the total minus the published cells, an unbiased estimate of what is suppressed. */
  difference: number;
  /** D ± the half-width of the exact interval; can reach below 0. */
  interval: [lower: number, upper: number];
  /** For a single suppressed cell, with the evidence that it is suppressed: interval and most likely value. */
  cell: { likeliest: number; interval: [lower: number, upper: number] } | null;
};

/** What counts of a total in a difference; `suppressed` is null where nobody knows the domain. */
type Subtracted = Pick<SiblingTotal, 'count' | 'scale' | 'model' | 'published'> & { suppressed: number | null };

/** What a total reveals about the cells that are not published. */
export type Differencing = (total: Subtracted) => SuppressedSum;

/** Differencing under a noise, at a confidence. */
export function differencing(noise: DeclaredNoise, confidence: number): Differencing {
  const halfWidth = computeOnce(
    (...noises: Noises) => sumHalfWidth(noise.model, termsOf(...noises), confidence).halfWidth,
  );
  const law = computeOnce((...noises: Noises) => sumLaw(noise.model, termsOf(...noises)));
  return (total) => {
    const { scale, model = noise.model, published, suppressed } = total;
    const noises: Noises = [scale, published.scale, published.cells, model];
    const difference = differenceOf(total);
    const width = halfWidth(...noises);
    const likelihood = suppressed === 1 ? cellLikelihood(difference, law(...noises), noise) : null;
    return {
      difference,
      interval: [difference - width, difference + width],
      cell: likelihood && { likeliest: likeliest(likelihood), interval: likelihoodInterval(likelihood, confidence) },
    };
  };
}

/** The noises in a difference: the scale of a total, that of the cells, their number, and the law of the total's own. */
type Noises = [scale: number, scaleOfCells: number, cells: number, model: IntegerNoise];
const termsOf = (...[scale, scaleOfCells, cells, model]: Noises): Term[] => [
  [scale, 1, model],
  [scaleOfCells, cells],
];

const differenceOf = ({ count, published }: Subtracted): number => count - published.sum;

/** Does a total break the certificate? */
function givesAway(total: SiblingTotal, learn: Differencing, limit: number): boolean {
  // The sum of the published cells, as long as it really is their sum.
  if (total.scale === 0) return differenceOf(total) !== 0;
  if (total.counted || total.suppressed === 0) return false;
  const { interval } = learn(total);
  return interval[0] > 0 || interval[1] < total.suppressed * limit;
}

/**
 * Differencing: subtract published cells from every total that covers them. A total without noise of its own has to be
 * exactly the sum of the published cells; one with noise that the certificate does not count must not narrow down what
 * the absence of the suppressed cells reveals by itself. Totals that are paid for are reported. Statistic: totals that
 * give something away; interval: that of the first of them, else of the narrowest single cell that is paid for.
 */
export function checkDifferencing(
  totals: readonly SiblingTotal[],
  noise: DeclaredNoise,
  confidence: number,
): AuditCheck {
  const learn = differencing(noise, confidence);
  const limit = suppressionLimit(noise, confidence);
  const breaches = totals.filter((total) => givesAway(total, learn, limit));
  const worst = breaches[0] ?? narrowestCell(totals, learn);
  const finding = worst && learn(worst);
  const interval = finding && (finding.cell?.interval ?? finding.interval);
  const [lower, upper] = interval ?? [0, 0];
  const value = finding?.cell?.likeliest ?? finding?.difference ?? 0;
  const example = `${worst?.name}: ${value} suppressed taps, between ${lower} and ${upper} (${percent(confidence)})`;
  return report('differencing', 'Subtract published cells from totals, to get at suppressed cells.', {
    holds: breaches.length === 0,
    statistic: breaches.length,
    bound: 0,
    interval: interval ?? null,
    right: worst
      ? `Totals tell no more of suppressed cells than the certificate counts; the most is ${example}.`
      : `None of ${totals.length} totals tells anything of a suppressed cell.`,
    wrong: `${breaches.length} of ${totals.length} totals give suppressed cells away, such as ${example}.`,
  });
}

/** The total that is paid for and reveals most about a single suppressed cell. */
function narrowestCell(totals: readonly SiblingTotal[], learn: Differencing): SiblingTotal | null {
  const width = (total: SiblingTotal): number => {
    const [lower, upper] = learn(total).cell!.interval;
    return upper - lower;
  };
  return (
    totals
      .filter(({ scale, suppressed }) => scale > 0 && suppressed === 1)
      .map((total) => ({ total, width: width(total) }))
      .reduce<{ total: SiblingTotal; width: number } | null>(
        (least, one) => (least === null || one.width < least.width ? one : least),
        null,
      )?.total ?? null
  );
}

/** Confidence of the intervals in the report. */
const CONFIDENCE = 0.95;

/**
 * Differencing with every total that a release has: its tables, its noisy margins, and what earlier versions and
 * siblings show.
 */
export const checkTotals = (subject: AuditSubject): AuditCheck =>
  checkDifferencing(
    [...tableTotals(subject), ...marginTotals(subject), ...versionTotals(subject), ...siblingTotals(subject)],
    noiseOfCells(subject.certificate),
    CONFIDENCE,
  );
