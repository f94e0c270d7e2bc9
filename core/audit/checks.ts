import { checkCertified } from './certificate.ts';
import type { Check } from './check.ts';
import { checkDomain } from './domain.ts';
import { checkHoles } from './holes.ts';
import { checkMetadata } from './metadata.ts';
import { checkOrder } from './order.ts';
import { checkSums } from './sums.ts';
import { checkThreshold } from './threshold.ts';

/** Every check of the audit, in the order of the report. To add one, write its file and name it here. */
export const CHECKS: readonly Check[] = [
  checkCertified,
  checkThreshold,
  checkSums,
  checkOrder,
  checkDomain,
  checkMetadata,
  checkHoles,
];
