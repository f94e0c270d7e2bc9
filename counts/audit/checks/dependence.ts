import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { parsePartitionPath } from '../../../contracts/names.ts';
import { noiseVariance } from '../../../core/statistics/noise-law.ts';
import { short } from '../../../core/text/wording.ts';
import { report } from '../../../core/verdict/finding.ts';
import { ENDS_PUBLISHED, UNITS } from '../../certificate/units.ts';
import { byPartition } from '../../derive/count-table.ts';
import type { AuditSubject } from '../subject.ts';
import { noiseOfCells } from './declared-noise.ts';
import { drawsOf } from './sibling-totals.ts';

/** Views of one count. */
type Views = {
  /** The variance of each that is published. */
  variances: readonly number[];
  /** How many views of the declared variance the certificate counts: the cells that a unit touches, and the margins. */
  counted: number;
};

/** Variance of the best linear unbiased estimate of one count from all views of it; Infinity when there is none. */
const combineVariances = ({ variances }: Views): number =>
  1 / variances.reduce((sum, variance) => sum + 1 / variance, 0);

/** Room for rounding, of a sum and of excesses that are compared. */
const ROUNDING = 1e-9;

/**
 * Dependence: what is published of one count several times over averages the noise. Statistic: the standard error of
 * that count, from everything published about it; bound: what it may fall to by the views that are counted.
 */
export function checkDependence(views: Views, declaredVariance: number): AuditCheck {
  const statistic = Math.sqrt(combineVariances(views));
  const bound = Math.sqrt(declaredVariance / views.counted);
  return report('dependence', 'Average everything that is published about one count.', {
    holds: !(statistic < bound * (1 - ROUNDING)),
    statistic: Number.isFinite(statistic) ? statistic : null,
    bound,
    right: `All views together know no count better than to ±${short(statistic)} (standard error), as the certificate counts.`,
    wrong: `All views together know a count to ±${short(statistic)} (standard error); the certificate counts on ±${short(bound)}.`,
  });
}

/**
 * Views of one count: each draw of its partition is one, or two where a service shows it at both of its ends, and so is
 * what each sibling publishes of the partition, with the variance of its own noise. The ledger counts a draw for each
 * charge of the block, and a unit that has both taps of a trip counts both ends. A charge pays for the draws of its own
 * series only.
 */
export function checkViews({ certificate, domains, knowledge }: AuditSubject): AuditCheck {
  const declaredVariance = varianceOf(certificate);
  const siblings = knowledge.siblings.map(({ cells, ...sibling }) => ({
    ...sibling,
    shown: new Set(byPartition(cells).keys()),
  }));
  const views = [...domains.keys()].map((partition) => {
    const draws = drawsOf(partition, knowledge.earlier);
    const charges = Math.max(1, knowledge.ledger?.charges.get(partition) ?? 1);
    const ends = endsOf(partition, certificate);
    const shownBy = siblings
      .filter(({ shown }) => shown.has(partition))
      .map(({ release, certificate: theirs, charged }) => {
        const [views, isCharged] = [endsOf(partition, theirs), charged.has(partition)];
        const charge = isCharged ? Math.min(views, tapsCounted(theirs)) : 0;
        return { release, isCharged, views, paid: charge, variance: varianceOf(theirs) };
      });
    return {
      variances: [
        ...Array<number>(draws * ends).fill(declaredVariance),
        ...shownBy.flatMap((sibling) => Array<number>(sibling.views).fill(sibling.variance)),
      ],
      counted: shownBy.reduce(
        (sum, { paid, variance }) => sum + (paid * declaredVariance) / variance,
        Math.min(draws * ends, charges * Math.min(ends, tapsCounted(certificate))),
      ),
      uncharged: shownBy.filter(({ isCharged }) => !isCharged).map(({ release }) => release),
    };
  });
  const alone = { variances: [declaredVariance], counted: 1, uncharged: [] };
  const worst = views.reduce((most, one) => (isWorse(one, most) ? one : most), alone);
  const check = checkDependence(worst, declaredVariance);
  if (worst.uncharged.length === 0) return check;
  return { ...check, sentence: `${check.sentence} The ledger holds no charge for ${worst.uncharged.join(', ')}.` };

  function endsOf(partition: string, { publish }: Certificate): number {
    const mode = parsePartitionPath(partition)?.part;
    return publish === 'on+off' && knowledge.services.some((service) => service.mode === mode) ? 2 : 1;
  }
}

/** Among views that are all paid for, more of them reveal more. */
function isWorse(one: Views, other: Views): boolean {
  const ratio = excessOf(one) / excessOf(other);
  return ratio > 1 + ROUNDING || (ratio > 1 - ROUNDING && one.counted > other.counted);
}

/** How much more all views together reveal about a count than those that are counted. */
const excessOf = (views: Views): number => 1 / combineVariances(views) / views.counted;

function varianceOf(certificate: Certificate): number {
  const { model, scale } = noiseOfCells(certificate);
  return noiseVariance(model, scale);
}

/** Ends of one trip that a unit counts: a tap is one view, and every unit that has both ends of a trip has two. */
function tapsCounted({ unit, publish }: Certificate): number {
  const { taps } = UNITS[unit];
  return taps === 'maxTaps' ? ENDS_PUBLISHED[publish] : taps[publish];
}
