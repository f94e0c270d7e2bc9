import { NO_ROWS } from '../../derive/count-table.ts';
import type { AuditSubject } from '../subject.ts';
import { noisyTotals, type PartitionTotals } from './noisy-totals.ts';

/** The chance that noise alone makes one warning, over all partitions of a release together. */
const WARNED_WRONGLY = 1 / 1000;

/** The same in words. */
export const HOW_OFTEN_WRONG = 'Noise alone makes such a warning in at most 1 of 1,000 releases.';

/** Names that are listed at most; of more, their number. */
const NAMED = 12;

/** `a, b and 3 more`. */
export const joinNames = (names: readonly string[]): string =>
  names.length <= NAMED ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`;

/** So often may one interval miss where a partition is judged by `each` of them (noisy-totals.proof.md). */
export const missOfEach = ({ domains }: AuditSubject, each: number): number =>
  WARNED_WRONGLY / (each * Math.max(1, domains.size));

/** The totals of a release by its own margins. */
export const ownTotals = (subject: AuditSubject, confidence: number): Map<string, PartitionTotals> =>
  noisyTotals({ ...subject, margins: subject.tables.margins ?? NO_ROWS }, confidence);
