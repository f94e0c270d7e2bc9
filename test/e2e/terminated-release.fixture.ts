import { setTimeout as delay } from 'node:timers/promises';
import type { OpalineClient } from '../../client/opaline-client.ts';
import { type ReleaseReference, releaseWorkflowId } from '../../contracts/names.ts';

/** Terminates a release in Temporal, as soon as it is there: what nobody should do, and somebody will. */
export async function terminated(client: OpalineClient, release: ReleaseReference, seconds = 60): Promise<void> {
  const handle = client.temporal.workflow.getHandle(releaseWorkflowId(release));
  for (let waited = 0; ; waited++) {
    try {
      await handle.terminate('not by Opaline');
      return;
    } catch (error) {
      if (waited >= seconds * 10) throw error;
      await delay(100);
    }
  }
}
