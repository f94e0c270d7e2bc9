export { releaseWorkflow } from './release.workflow.ts';
