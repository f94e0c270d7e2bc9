import { checkMarginNoise } from './attacks/margin-noise.ts';
import { checkPresence } from './attacks/presence.ts';
import { checkCertified } from './certificate.ts';
import type { Check } from './check.ts';
import { checkDomain } from './domain.ts';
import { checkHoles } from './holes.ts';
import { checkKnownReuse, checkKnownScale } from './known-pairs.ts';
import { checkLineBounds } from './line-bounds.ts';
import { checkMetadata } from './metadata.ts';
import { checkOrder } from './order.ts';
import { checkDeclaredTimetable, checkPrintedStatistics, checkYear } from './released-attacks.ts';
import { checkSums } from './sums.ts';
import { checkThreshold } from './threshold.ts';
import { checkTotals } from './totals.ts';
import { checkViews } from './views.ts';

/** Every check of what is released, in the order of the report. To add one, write its file and name it here. */
export const CHECKS: readonly Check[] = [
  checkCertified,
  checkPresence,
  checkYear,
  checkThreshold,
  checkSums,
  checkTotals,
  checkLineBounds,
  checkMarginNoise,
  checkKnownScale,
  checkKnownReuse,
  checkViews,
  checkDeclaredTimetable,
  checkPrintedStatistics,
  checkOrder,
  checkDomain,
  checkMetadata,
  checkHoles,
];
