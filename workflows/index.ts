export { backfillWorkflow } from './backfill.workflow.ts';
export { releaseWorkflow, sourceCheckWorkflow } from './release.workflow.ts';
export { retractWorkflow } from './retract.workflow.ts';
export { scheduledReleaseWorkflow } from './schedule.workflow.ts';
