import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { percent } from '../../../core/text/wording.ts';
import { notTried, warning } from '../../../core/verdict/finding.ts';
import type { AuditSubject } from '../subject.ts';
import type { PartitionTotals } from './noisy-totals.ts';
import { type Compared, sameWeekdays } from './same-weekday.ts';
import { HOW_OFTEN_WRONG, joinNames } from './warning.ts';

/** Taps and unknown places of a partition, and of the earlier one with the greatest share. */
const INTERVALS = 4;

/** A share of taps at unknown places may rise by so much. */
const RISE = 0.02;

type WithUnknown = PartitionTotals & { unknown: NonNullable<PartitionTotals['unknown']> };
type ComparedShares = { partition: string; now: WithUnknown; earlier: readonly WithUnknown[] };

/**
 * The share of taps at places that no list names, more than two points of a hundred above that of every earlier
 * publication on the same weekday, whatever the noise: a station that was renamed, or new ones that no list has yet.
 * Statistic: such partitions.
 */
export function checkUnknownShare(subject: AuditSubject): AuditCheck {
  const attack = 'Compare the share of unknown places with the same weekday of earlier publications.';
  const shares = sameWeekdays(subject, INTERVALS).flatMap(withUnknown);
  if (shares.length === 0)
    return notTried(
      'unknown-share',
      attack,
      'No earlier publication has noisy totals of unknown places, so that no share can be compared.',
    );
  const risen = shares.filter(hasRisen);
  const sentence =
    risen.length === 0
      ? `Of ${shares.length} partitions none has a share of unknown places far above that of its weekday before.`
      : `The share of places that no list names has jumped: ${joinNames(risen.map(inWords))}. A station may have been renamed, or be missing from the list. ${HOW_OFTEN_WRONG}`;
  return warning('unknown-share', attack, risen.length, sentence);
}

function withUnknown({ partition, now, earlier }: Compared): ComparedShares[] {
  const others = earlier.filter((one): one is WithUnknown => one.unknown !== null);
  return now.unknown === null || others.length === 0
    ? []
    : [{ partition, now: { ...now, unknown: now.unknown }, earlier: others }];
}

const hasRisen = ({ now, earlier }: ComparedShares): boolean =>
  now.taps.high > 0 && earlier.every((one) => now.unknown.low / now.taps.high > greatestShare(one) + RISE);

/** 1 where the taps themselves may be nothing but noise. */
const greatestShare = ({ taps, unknown }: WithUnknown): number => (taps.low <= 0 ? 1 : unknown.high / taps.low);

/** `train/2026-03-04 (about 9.1 %, before at most 2.3 %)` */
const inWords = ({ partition, now, earlier }: ComparedShares): string =>
  `${partition} (about ${inPercent(now)}, before at most ${inPercent(earlier.reduce((a, b) => (noisyShare(a) >= noisyShare(b) ? a : b)))})`;

const noisyShare = ({ taps, unknown }: WithUnknown): number => Math.max(0, unknown.noisy) / Math.max(1, taps.noisy);

const inPercent = (one: WithUnknown): string => percent(Math.min(1, noisyShare(one)));
