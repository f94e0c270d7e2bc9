import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { AuditSubject } from '../subject.ts';
import { checkFittedTotal } from './fitted-total.ts';
import { checkPublishedTaps } from './published-taps.ts';
import { checkUnknownShare } from './unknown-share.ts';
import { checkUsualProfile } from './usual-profile.ts';
import { checkUsualTaps } from './usual-taps.ts';

/** What hints at a mistake of the delivery: never a failure, at most a point that approvers have to acknowledge. */
export type Warning = (subject: AuditSubject) => AuditCheck;

/**
 * Warnings of released rows, in the order of the report. They look at what is published and cost no ε; a release without
 * a warning may lack rows all the same.
 */
export const WARNINGS: readonly Warning[] = [
  checkPublishedTaps,
  checkUsualTaps,
  checkUsualProfile,
  checkUnknownShare,
  checkFittedTotal,
];
