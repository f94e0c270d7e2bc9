import { proxyActivities } from '@temporalio/workflow';
import type { Draw, DrawInput } from '../../contracts/stages.ts';

/** What a partition costs before anything is done for it: one activity that does nothing, with the real payloads. */
export type TrivialActivities = { nothing(input: DrawInput): Promise<Draw> };

const { nothing } = proxyActivities<TrivialActivities>({
  taskQueue: 'trivial-activities',
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds', maximumAttempts: 5 },
});

/** Fans out as a release does when it comes to privatize. */
export async function trivialWorkflow(inputs: DrawInput[]): Promise<number> {
  const draws = await Promise.all(inputs.map((input) => nothing(input)));
  return draws.length;
}
