import { createPublicActivities } from '../../activities/public/public-activities.ts';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import { PRIVATE_KEYS } from '../../contracts/names.ts';
import type { AuditResult, DeriveInput, Draw, PrivateActivities, PublicActivities } from '../../contracts/stages.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import { decisionOn } from '../fault/release-steps.fixture.ts';
import { differences, numberedId, type ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { openSmallRelease } from '../support/small-series.ts';
import { PRIVATE_BUILD } from '../support/test-custody.ts';
import { activitiesOf, deliver, type World } from './worlds.ts';

/** What is on the public side after a release, and beside it what is on the custodian side. */
export type Public = { objects: Map<string, string>; status: unknown };
export type Observed = Public & { custodian: Map<string, string> };
/** A change of the registry, for broken twins. */
export type Twin = (activities: PrivateActivities, release: ReleaseBench) => PrivateActivities;

/** One release in a world, over the real activities and folder stores. */
export async function observe(
  setup: LoadedSeries,
  world: World,
  twin: Twin = (activities) => activities,
): Promise<Observed> {
  const release = await openSmallRelease(setup);
  try {
    await deliver(release, world);
    const contexts = release.contexts({ random: seededSource(1), newId: () => numberedId(1) });
    const activities = {
      ...createPublicActivities(contexts.public),
      ...twin(activitiesOf(release, contexts.private, world), release),
    };
    const status = await publishRelease(release, activities);
    return {
      objects: await release.objects(['release', 'publication']),
      custodian: await release.objects(['private']),
      status,
    };
  } finally {
    await release.close();
  }
}

/**
 * Made-up tables are drawn once for worlds of one series: no world has a part in them. Each world's own activity signs
 * them.
 */
export function withOneShadow(): Twin {
  let drawn: Promise<Buffer> | undefined;
  return (activities, release) => ({
    ...activities,
    shadow: async (input) => {
      const store = release.store('private');
      const key = PRIVATE_KEYS.shadow(input, PRIVATE_BUILD);
      if (drawn) await store.putIfAbsent(key, await drawn);
      const made = activities.shadow(input);
      drawn ??= made.then(() => readBytes(store, key));
      return made;
    },
  });
}

/** A release from ingest to its publication; everything that the workflow would have learnt. */
async function publishRelease(
  release: ReleaseBench,
  activities: PrivateActivities & PublicActivities,
): Promise<unknown[]> {
  const run = release.run();
  const heard: unknown[] = [];
  const hear = <T>(answer: T): T => {
    heard.push(answer);
    return answer;
  };
  const { partitions } = hear(await activities.plan({ ...run, correction: null, execution: 'execution-1' }));
  hear(await activities.ingest({ ...run, round: 0 }));
  const { charge } = hear(await activities.reserve({ ...run, partitions }));
  hear(await activities.bin({ ...run, round: 0, partitions }));
  const draws: Draw[] = [];
  for (const partition of partitions)
    draws.push(...hear(await activities.privatize({ ...run, round: 0, partitions: [partition], charge })));
  const staged: DeriveInput = { ...run, correction: null, charge, draws, holes: [] };
  await activities.derive(staged);
  await activities.shadow(run);
  const audit: AuditResult = hear(await activities.audit(staged));
  const decision = hear(await activities.decide(await decisionOn(release, audit, 'approve')));
  if (!decision.accepted) throw new Error(decision.message);
  const publishedAt = '2026-03-20T00:00:00.000Z';
  const { manifestDigest } = audit;
  const { statement } = await activities.publish({ ...run, manifestDigest, decisions: [decision.digest], publishedAt });
  await activities.commit({ ...run, charge, statement });
  await activities.updatePages(run);
  return heard;
}

/** Names of what the public side could tell two worlds apart by. */
export const tellsApart = (a: Public, b: Public): string[] => [
  ...differences(a.objects, b.objects),
  ...(JSON.stringify(a.status) === JSON.stringify(b.status) ? [] : ['status']),
];
