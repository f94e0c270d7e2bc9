import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { notTried } from '../../../core/verdict/finding.ts';
import type { AuditSubject } from '../subject.ts';
import type { Estimate } from './noisy-totals.ts';
import { type Compared, sameWeekdays } from './same-weekday.ts';
import { HOW_OFTEN_WRONG, listed, warning } from './warning.ts';

/** A partition and the two of an earlier publication that it is judged by: the one with least taps, and with most. */
const INTERVALS = 3;

/**
 * A partition whose taps are fewer than two thirds of those of every earlier publication on the same weekday, or more
 * than one and a half times as many, whatever the noise: a lost or a doubled delivery, or a holiday. The bounds are wide,
 * since days differ; the noise does not count among what makes them differ. Statistic: such partitions.
 */
export function checkUsualTaps(subject: AuditSubject): AuditCheck {
  const attack = 'Compare each partition with the same weekday of earlier publications.';
  const compared = sameWeekdays(subject, INTERVALS);
  if (compared.length === 0)
    return notTried(
      'usual-taps',
      attack,
      'No earlier publication has noisy totals of the same weekday, so that nothing can be compared.',
    );
  const fewer = compared.filter(isFewer);
  const more = compared.filter(isMore);
  const statistic = fewer.length + more.length;
  const sentence =
    statistic === 0
      ? `Of ${compared.length} partitions none has far more or fewer taps than its weekday had before.`
      : [...sentenceOf('fewer', fewer), ...sentenceOf('more', more), HOW_OFTEN_WRONG].join(' ');
  return warning('usual-taps', attack, statistic, sentence);
}

const isFewer = ({ now, earlier }: Compared): boolean =>
  earlier.every(({ taps }) => 3 * now.taps.high < 2 * Math.max(0, taps.low));

const isMore = ({ now, earlier }: Compared): boolean =>
  earlier.every(({ taps }) => 2 * now.taps.low > 3 * Math.max(0, taps.high));

const sentenceOf = (word: 'fewer' | 'more', partitions: readonly Compared[]): string[] =>
  partitions.length === 0
    ? []
    : [`Far ${word} taps than on the same weekday before: ${listed(partitions.map(withNumbers))}.`];

/** `bus/2026-03-04 (noisy total 310, before 9200 to 9904)` */
function withNumbers({ partition, now, earlier }: Compared): string {
  const before = earlier.map(({ taps }: { taps: Estimate }) => taps.noisy);
  const [least, most] = [Math.min(...before), Math.max(...before)];
  return `${partition} (noisy total ${now.taps.noisy}, before ${least === most ? least : `${least} to ${most}`})`;
}
