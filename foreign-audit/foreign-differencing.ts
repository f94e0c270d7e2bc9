import type { AuditCheck } from '../contracts/audit-report.ts';
import { percent } from '../core/text/wording.ts';
import { notTried, report } from '../core/verdict/finding.ts';
import { CONFIDENCE, type Difference, distanceOf, totalInWords } from './foreign-differences.ts';
import type { ForeignSubject } from './foreign-subject.ts';

/**
 * Differencing: totals that are no sums of published cells were drawn by themselves, and what they have more is what
 * was suppressed. Statistic: such totals. Interval: of the one that is known best, with 95 %.
 */
export function checkForeignDifferencing(subject: ForeignSubject): AuditCheck {
  const attack = 'Subtract published cells from totals, to get at suppressed cells.';
  const { differences: tried } = subject;
  if (tried.length === 0)
    return notTried(
      'differencing',
      attack,
      'No two tables count the same mode and day in more and in less detail, so that there is nothing to subtract.',
    );
  const gaps = tried.filter(({ difference }) => difference !== 0);
  if (gaps.length === 0)
    return report('differencing', attack, {
      verdict: 'pass',
      statistic: 0,
      bound: 0,
      sentence: `All ${tried.length} totals are the sums of their published cells, and tell nothing of suppressed ones.`,
    });
  const besideCells = gaps.filter(({ cells }) => cells.length > 0);
  const pool = besideCells.length > 0 ? besideCells : gaps;
  const best = pool.reduce((first, one) => (distanceOf(one) > distanceOf(first) ? one : first));
  const proofs = gaps.filter(({ interval }) => interval[0] > 0).length;
  return report('differencing', attack, {
    verdict: 'fail',
    statistic: gaps.length,
    bound: 0,
    interval: best.interval,
    sentence: `${gaps.length} of ${tried.length} totals are not the sums of their published cells, and ${proofs} of them show for certain that taps are suppressed; the most telling: ${inWords(best)}.`,
  });
}

function inWords({ total, cells, difference, interval }: Difference): string {
  const sum = total.count - difference;
  return `${totalInWords(total)} has ${total.count} in all and ${sum} in ${cells.length} published cells, which leaves ${difference} suppressed taps, between ${interval[0]} and ${interval[1]} (${percent(CONFIDENCE)})`;
}
