import type { Stage } from './names.ts';
import type { PrivateActivities, PublicActivities } from './stages.ts';

/**
 * The stage that an activity belongs to, and what work it is. Heavy ones read and count a source, or compute for seconds
 * and more: each has a process while it runs, and their tasks wait in a queue of their own until a worker has one free.
 * Timed ones do the work of their stage and not only its paperwork.
 */
export type ActivityWork = readonly [stage: Stage, weight: 'heavy' | 'light', timed?: 'timed'];

export const PRIVATE_WORK: Readonly<Record<keyof PrivateActivities, ActivityWork>> = {
  missingObjects: ['ingest', 'light'],
  changedObjects: ['gate', 'light'],
  ingest: ['ingest', 'heavy', 'timed'],
  reingest: ['ingest', 'heavy', 'timed'],
  bin: ['bin', 'heavy', 'timed'],
  reserve: ['privatize', 'light'],
  privatize: ['privatize', 'light', 'timed'],
  abandon: ['privatize', 'light'],
  shadow: ['audit', 'heavy', 'timed'],
  commit: ['publish', 'light'],
  withhold: ['gate', 'light'],
};

export const PUBLIC_WORK: Readonly<Record<keyof PublicActivities, ActivityWork>> = {
  scheduledWindow: ['ingest', 'light'],
  plan: ['ingest', 'light'],
  carry: ['ingest', 'heavy'],
  derive: ['derive', 'heavy', 'timed'],
  audit: ['audit', 'heavy', 'timed'],
  reaudit: ['audit', 'heavy', 'timed'],
  approvers: ['gate', 'light'],
  openGate: ['gate', 'light'],
  decide: ['gate', 'light'],
  publish: ['publish', 'heavy', 'timed'],
  planRetraction: ['gate', 'light'],
  retract: ['publish', 'light'],
  noticeChannels: ['gate', 'light'],
  notify: ['gate', 'light'],
  updatePages: ['publish', 'light'],
};
