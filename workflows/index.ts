export { backfillWorkflow } from './backfill.workflow.ts';
export { releaseWorkflow } from './release.workflow.ts';
export { retractWorkflow } from './retract.workflow.ts';
export { scheduledReleaseWorkflow } from './scheduled-release.workflow.ts';
export { sourceCheckWorkflow } from './source-check.workflow.ts';
