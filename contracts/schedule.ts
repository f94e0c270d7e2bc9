import type { Run } from './stages.ts';

/** Argument of scheduledReleaseWorkflow. */
export type ScheduledReleaseInput = { series: string };

/** What one start of a schedule came to; `started` is false when the release was there already. */
export type ScheduledRelease = Run & { started: boolean };

export const scheduleId = (series: string): string => `schedule/${series}`;

/** Temporal appends the scheduled time, so that no two starts share an id. */
export const scheduledReleaseWorkflowId = (series: string): string => `scheduled-release/${series}`;
