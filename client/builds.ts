import type { Client } from '@temporalio/client';
import { DRAW_RECEIPT_FORMAT, receiptSchema } from '../contracts/formats/draw-receipt.ts';
import { BUILD_ID_LENGTH, parseReleaseWorkflowId, RELEASE_KEYS, releasePath, TASK_QUEUES } from '../contracts/names.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import { parseDocument } from '../services/signing/signed-objects.ts';
import { keysBelow, readBytes } from '../services/stores/json-objects.ts';
import { deploymentVersions } from '../services/temporal/current-version.ts';

/** A worker asks for work at least once a minute. */
const ALIVE_MS = 90_000;

const ACTIVITY_QUEUE = 2;

type Side = keyof typeof TASK_QUEUES;

/** The builds that poll a queue, with the number of their workers, and the one that its tasks go to; null: none. */
export type LiveBuild = { live: Map<string, number>; current: string | null };

/** The builds of the workers of each side, as the server knows them. */
export async function liveBuilds(client: Client): Promise<Record<Side, LiveBuild>> {
  const [ofPrivate, ofPublic] = await Promise.all([buildsOf(client, 'private'), buildsOf(client, 'public')]);
  return { private: ofPrivate, public: ofPublic };
}

async function buildsOf({ workflowService, options }: Client, side: Side): Promise<LiveBuild> {
  const { namespace } = options;
  const taskQueue = { name: TASK_QUEUES[side] };
  const [{ pollers }, { current }] = await Promise.all([
    workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType: ACTIVITY_QUEUE }),
    deploymentVersions(workflowService, { namespace, side }),
  ]);
  const live = new Map<string, number>();
  for (const { lastAccessTime, deploymentOptions } of pollers ?? []) {
    const build = deploymentOptions?.buildId ?? '';
    if (Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1000 < ALIVE_MS)
      live.set(build, (live.get(build) ?? 0) + 1);
  }
  return { live, current };
}

/** The builds of one side in a sentence for people. */
export function buildsText(side: Side, { live, current }: LiveBuild): string {
  const builds = [...live].map(
    ([build, workers]) =>
      `${build || 'without a build'} (${workers} ${workers === 1 ? 'worker' : 'workers'}${build === current ? ', current' : ''})`,
  );
  return `Builds on ${TASK_QUEUES[side]}: ${builds.join(', ') || 'none'}`;
}

/**
 * Open releases that more than one build has drawn, with the builds that their receipts name. Each of them has a shadow
 * run of its own, or the audit refuses the release: this is for people who look at an upgrade, and no signature is asked.
 */
export async function mixtures({ workflow }: Client, store: ObjectStore) {
  const releases: { release: string; builds: string[] }[] = [];
  for await (const { workflowId } of workflow.list({ query: "ExecutionStatus = 'Running'" })) {
    const release = parseReleaseWorkflowId(workflowId);
    if (!release || (await keysBelow(store, RELEASE_KEYS.shadowReceipts(release))).length < 2) continue;
    const builds = new Set<string>();
    for await (const { key } of store.list(RELEASE_KEYS.allPrivatized(release))) {
      const receipt =
        key.endsWith('.receipt.json') && parseDocument(await readBytes(store, key), receiptSchema)?.document;
      if (receipt && receipt.format === DRAW_RECEIPT_FORMAT) builds.add(receipt.build.slice(0, BUILD_ID_LENGTH));
    }
    if (builds.size > 1) releases.push({ release: releasePath(release), builds: [...builds].sort() });
  }
  return releases;
}
