import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { binomialTest, proportion } from '../../../core/statistics/binomial.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import { warning } from '../../../core/verdict/finding.ts';
import { byPartition } from '../../derive/count-table.ts';
import { MECHANISMS } from '../../mechanisms/mechanisms.ts';
import { noiseOfCells } from '../checks/declared-noise.ts';
import type { AuditedDomain, AuditSubject } from '../subject.ts';
import { judgeTotals, sideOfUsual } from './usual-taps.ts';
import { joinNames, missOfEach, ownTotals } from './warning.ts';

/**
 * A partition of which nothing is published that must be taps: neither its noisy totals nor its published cells are more
 * than noise alone makes (published-taps.proof.md). Its rows may be lost, or too few to show. Of partitions to which no
 * row belongs, one is passed over in at most one of 1,000 releases. Statistic: such partitions. Cost: O(n), and a law of
 * sums.
 */
export function checkPublishedTaps(subject: AuditSubject): AuditCheck {
  const { domains, cells } = subject;
  const level = missOfEach(subject, 2);
  const totals = ownTotals(subject, 1 - level);
  const rows = byPartition(cells);
  const hasTaps = tapDetector(subject, level);
  const silent = [...domains].flatMap(([partition, domain]) => {
    const counts = rows.get(partition)?.count ?? new Float64Array();
    return (totals.get(partition)?.taps.low ?? 0) > 0 || hasTaps(counts, domain) ? [] : [partition];
  });
  const { history } = subject.knowledge;
  const entries = history && subject.totals ? judgeTotals(subject.totals, history) : [];
  const losses = new Set(entries.filter((one) => sideOfUsual(one) === 'fewer').map(({ partition }) => partition));
  const [unusual, small] = [true, false].map((isLost) => silent.filter((one) => losses.has(one) === isLost));
  const nothing = (of: readonly string[], why: string): string[] =>
    of.length === 0 ? [] : [`Nothing is published of ${joinNames(of)} that noise alone would not make: ${why}.`];
  const sentence =
    silent.length === 0
      ? 'Of every partition that was drawn some taps are published; whether all of its rows came, nobody can tell from that.'
      : [
          ...nothing(unusual!, 'far fewer taps than is usual on the weekday, so that its rows may be lost'),
          ...nothing(small!, 'fewer than noise can show, or none at all'),
        ].join(' ');
  return warning('published-taps', 'Look for partitions of which no tap is published.', silent.length, sentence);
}

/** Are the published cells of a partition more than empty cells alone would show? */
function tapDetector({ certificate }: AuditSubject, level: number) {
  if (MECHANISMS[certificate.mechanism].emptyCells === 'never published')
    return (counts: Float64Array): boolean => counts.length > 0;
  const { model, scale, threshold } = noiseOfCells(certificate);
  const least = Math.max(1, threshold ?? 1);
  const chance = proportion(noiseTail(model, scale, least));
  return (counts: Float64Array, { taps, times, locations }: AuditedDomain): boolean => {
    const large = counts.filter((count) => count >= least).length;
    // Without the list of places nobody knows how many cells are empty.
    if (locations === null) return large > 0;
    return binomialTest(large, taps.size * times.size * locations.size, chance, 'greater') <= level;
  };
}
