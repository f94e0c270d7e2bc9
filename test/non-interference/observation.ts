import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { createPublicActivities } from '../../activities/public/public-activities.ts';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import { PRIVATE_KEYS } from '../../contracts/names.ts';
import type { AuditResult, DeriveInput, Draw, PrivateActivities, PublicActivities } from '../../contracts/stages.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { readBytes } from '../../services/stores/json-objects.ts';
import { decisionOn } from '../fault/release-steps.fixture.ts';
import { differences, numberedId, type ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { openSmallRelease } from '../support/small-series.ts';
import { PRIVATE_BUILD } from '../support/test-custody.ts';
import { activitiesOf, deliver, type World } from './worlds.ts';

/** What is on the public side after a release, and what Temporal was sent; beside it what is on the custodian side. */
export type Public = { objects: Map<string, string>; status: unknown };
export type Observed = Public & { /** Before the first draw. */ undrawn: Public; custodian: Map<string, string> };
/** A change of the registry, for broken twins. */
export type Twin = (activities: PrivateActivities, release: ReleaseBench) => PrivateActivities;

/** One release in a world, over the real activities and folder stores. */
export async function observe(setup: LoadedSeries, world: World, twin?: Twin): Promise<Observed> {
  const release = await openSmallRelease(setup);
  try {
    return await observeRelease(release, world, twin);
  } finally {
    await release.close();
  }
}

/**
 * A release of a bench that may hold earlier ones. `dice`: a source of randomness in place of the world's own noise, with
 * the number of the release's identifiers.
 */
export async function observeRelease(
  release: ReleaseBench,
  world: World,
  twin: Twin = (activities) => activities,
  dice?: { random: RandomSource; id: number },
): Promise<Observed> {
  await deliver(release, world);
  const contexts = release.contexts({ random: seededSource(1), newId: () => numberedId(dice?.id ?? 1) });
  const ofPrivate = dice
    ? createPrivateActivities({ ...contexts.private, random: dice.random })
    : activitiesOf(release, contexts.private, world);
  const calls: string[] = [];
  const hear = (call: unknown) => calls.push(JSON.stringify(call).replaceAll(release.root, ''));
  const activities = overheard({ ...createPublicActivities(contexts.public), ...twin(ofPrivate, release) }, hear);
  const seen = async (): Promise<Public> => ({
    objects: await release.objects(['release', 'publication']),
    status: [...calls],
  });
  let undrawn: Public | undefined;
  await publishRelease(release, activities, async () => {
    undrawn = await seen();
  });
  return { ...(await seen()), undrawn: undrawn!, custodian: await release.objects(['private']) };
}

/** What activities are sent and what they answer, as Temporal and the workflow learn it. */
function overheard<Activities extends object>(activities: Activities, hear: (call: unknown) => void): Activities {
  const heard = Object.entries(activities).map(([name, activity]) => [
    name,
    async (sent: unknown) => {
      const answer = await activity(sent);
      hear([name, sent, answer]);
      return answer;
    },
  ]);
  return Object.fromEntries(heard);
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

/** A release from ingest to its publication. */
async function publishRelease(
  release: ReleaseBench,
  activities: PrivateActivities & PublicActivities,
  beforeDraws: () => Promise<void>,
): Promise<void> {
  const run = release.run();
  const { partitions } = await activities.plan({ ...run, correction: null, execution: 'execution-1' });
  await activities.ingest({ ...run, round: 0 });
  const { charge } = await activities.reserve({ ...run, partitions });
  await activities.bin({ ...run, round: 0, partitions });
  await beforeDraws();
  const draws: Draw[] = [];
  for (const partition of partitions)
    draws.push(...(await activities.privatize({ ...run, round: 0, partitions: [partition], charge })));
  const staged: DeriveInput = { ...run, correction: null, charge, draws, holes: [] };
  await activities.derive(staged);
  await activities.shadow(run);
  const audit: AuditResult = await activities.audit(staged);
  const decision = await activities.decide(await decisionOn(release, audit, 'approve'));
  if (!decision.accepted) throw new Error(decision.message);
  const publishedAt = '2026-03-20T00:00:00.000Z';
  const { manifestDigest } = audit;
  const { statement } = await activities.publish({ ...run, manifestDigest, decisions: [decision.digest], publishedAt });
  await activities.commit({ ...run, charge, statement });
  await activities.updatePages(run);
}

/** Names of what the public side could distinguish two worlds by. */
export const tellsApart = (a: Public, b: Public): string[] => [
  ...differences(a.objects, b.objects),
  ...(JSON.stringify(a.status) === JSON.stringify(b.status) ? [] : ['status']),
];
