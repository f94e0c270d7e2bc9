import type { AuditCheck } from '../../../contracts/audit.ts';
import { declaredNoise } from '../attacks/declared-noise.ts';
import { checkDifferencing } from '../attacks/differencing.ts';
import { marginTotals } from '../attacks/margin-totals.ts';
import { siblingTotals } from '../attacks/sibling-totals.ts';
import { tableTotals, versionTotals } from '../attacks/table-totals.ts';
import type { AuditSubject } from '../subject.ts';

/** Confidence of the intervals in the report. */
const CONFIDENCE = 0.95;

/**
 * Differencing with every total that a release has: its tables, its noisy margins, and what earlier versions and
 * siblings show.
 */
export const checkTotals = (subject: AuditSubject): AuditCheck =>
  checkDifferencing(
    [...tableTotals(subject), ...marginTotals(subject), ...versionTotals(subject), ...siblingTotals(subject)],
    declaredNoise(subject.certificate),
    CONFIDENCE,
  );
