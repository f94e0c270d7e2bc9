import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPublicActivities } from '../../activities/public/activities.ts';
import { partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { AuditResult, DeriveInput, Draw, PrivateActivities, PublicActivities } from '../../contracts/stages.ts';
import { readCells } from '../../kinds/taps/private/cells.ts';
import { decisionOn } from '../fault/release-steps.fixture.ts';
import { differences, numberedId, SmallRelease } from '../fault/small-release.fixture.ts';
import { type SmallSetup, smallSetup, withMargins } from '../fault/small-setup.fixture.ts';
import { seededSource } from '../support/seeded-source.ts';
import { activitiesOf, deliver, hiding, type World, withRows } from './worlds.ts';

/**
 * C20, end to end over the real activities and folder stores: two worlds that differ in one person's trip, and in the
 * dice so that the noisy counts are the same, cannot be told apart on the public side.
 */
type Public = { objects: Map<string, string>; status: unknown };
type Observed = Public & { custodian: Map<string, string> };
/** A change of the registry, for broken twins. */
type Twin = (activities: PrivateActivities, release: SmallRelease) => PrivateActivities;

const BUS = 'bus/2026-03-02';
const FERRY = 'ferry/2026-03-04';

async function observe(setup: SmallSetup, world: World, twin: Twin = (activities) => activities): Promise<Observed> {
  const release = await SmallRelease.open(setup);
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

/** A release from ingest to its publication; everything that the workflow would have learnt. */
async function publishRelease(
  release: SmallRelease,
  activities: PrivateActivities & PublicActivities,
): Promise<unknown[]> {
  const run = release.run();
  const heard: unknown[] = [];
  const hear = <T>(answer: T): T => {
    heard.push(answer);
    return answer;
  };
  const { partitions } = hear(await activities.plan({ ...run, execution: 'execution-1' }));
  hear(await activities.ingest({ ...run, round: 0 }));
  hear(await activities.bin({ ...run, round: 0, partitions }));
  const { charge } = hear(await activities.reserve({ ...run, partitions }));
  const draws: Draw[] = [];
  for (const partition of partitions)
    draws.push(hear(await activities.privatize({ ...run, round: 0, partition, charge })));
  const staged: DeriveInput = { ...run, correction: null, charge, draws, holes: [] };
  await activities.derive(staged);
  const audit: AuditResult = hear(await activities.audit({ ...staged, shadow: hear(await activities.shadow(run)) }));
  const decision = hear(await activities.decide(decisionOn(release, audit, 'approve')));
  if (!decision.accepted) throw new Error(decision.message);
  const publishedAt = '2026-03-20T00:00:00.000Z';
  const { manifestDigest } = audit;
  await activities.publish({ ...run, manifestDigest, decisions: [decision.digest], publishedAt });
  await activities.commit({ ...run, charge });
  return heard;
}

/** One more trip of the morning: a cell for its on and one for its off. */
const TRIP = `bus,2026-03-02 08:05:00,stop-2,2026-03-02 08:35:00,stop-1\n`;
const TRIP_CELLS = ['on 08:00 2001', 'off 08:30 2000'];
const LONE = 'bus,2026-03-02 03:31:00,stop-2,,\n';
const LONE_CELL = ['on 03:30 2001'];
const HEADER = 'mode,on_time,on_stop,off_time,off_stop\n';
const LONE_FERRY = 'ferry,2026-03-04 03:31:00,stop-2,,\n';

/** Pairs of worlds: what differs, the one, the other. `margins`: whether the noise of margins is moved too. */
const pairs = (margins: boolean): [name: string, World, World][] => [
  [
    'one more trip, each of its draws one less',
    {},
    { trips: withRows(BUS, (text) => text + TRIP), noise: { [BUS]: hiding(TRIP_CELLS, -1, margins) } },
  ],
  [
    'a cell that was empty has one tap and is suppressed',
    {},
    { trips: withRows(BUS, (text) => text + LONE), noise: { [BUS]: hiding(LONE_CELL, -1, margins) } },
  ],
  [
    'an empty partition and one with a single suppressed trip',
    { trips: withRows(FERRY, () => HEADER) },
    { trips: withRows(FERRY, () => HEADER + LONE_FERRY), noise: { [FERRY]: hiding(LONE_CELL, -1, margins) } },
  ],
  [
    'a valid row turned malformed',
    { trips: withRows(BUS, (text) => text + TRIP) },
    {
      trips: withRows(BUS, (text) => text + TRIP.replaceAll('2026-03-02 08', 'eight')),
      noise: { [BUS]: hiding(TRIP_CELLS, 1, margins) },
    },
  ],
];

const WITHOUT_MARGINS = (yaml: string): string => yaml;
const COMPLETE = (yaml: string): string =>
  yaml.replace('mechanism: stability-histogram', 'mechanism: complete-domain').replace('delta: 1e-6', 'delta: 0');

describe.each([
  ['stability-histogram with remainder rows', withMargins, true, [0, 1, 2, 3]],
  ['stability-histogram', WITHOUT_MARGINS, false, [1, 3]],
  ['complete-domain', COMPLETE, false, [0, 2]],
] as const)('C20 two worlds that are the same to the public side: %s', (_, edit, margins, places) => {
  let setup: SmallSetup;
  beforeAll(async () => {
    setup = await smallSetup(edit);
  });

  test.each(places.map((place) => pairs(margins)[place]!))(
    '%s: the same objects, bytes, ledger and status',
    async (_name, one, other) => {
      const [a, b] = [await observe(setup, one), await observe(setup, other)];
      expect(differences(a.objects, b.objects)).toEqual([]);
      expect(b.status).toEqual(a.status);
      // The worlds did differ, and the custodian side knows it.
      expect(differences(a.custodian, b.custodian).some((key) => key.startsWith('private/cells/'))).toBe(true);
      expect(a.objects.size).toBeGreaterThan(20);
    },
  );
});

describe('C20 broken twins are caught', () => {
  let setup: SmallSetup;
  let base: Observed;
  const [[, , tripWorld], , , [, validWorld, malformedWorld]] = pairs(true) as [
    [string, World, World],
    unknown,
    unknown,
    [string, World, World],
  ];
  const differs = (a: Public, b: Public): string[] => [
    ...differences(a.objects, b.objects),
    ...(JSON.stringify(a.status) === JSON.stringify(b.status) ? [] : ['status']),
  ];
  beforeAll(async () => {
    setup = await smallSetup(withMargins);
    base = await observe(setup, {});
  });
  afterAll(() => expect(base.objects.size).toBeGreaterThan(20));

  test('the same dice for one trip more: tables differ', async () => {
    const found = differs(base, await observe(setup, { ...tripWorld, noise: {} }));
    expect(found).toContain(
      `release/${RELEASE_KEYS.privatized({ series: 'small', window: '2026-03-02', version: 1 }, { part: 'bus', day: '2026-03-02' })}`,
    );
  });

  test('a public file with the number of rejects, and an answer with the number of rows', async () => {
    const tells: Twin = (activities, release) => ({
      ...activities,
      bin: async (input) => {
        const answer = await activities.bin(input);
        let rejects = 0;
        for await (const object of release.store('private').list('rejects/')) rejects += object.size;
        await release.store('release').putIfAbsent('quality/rejects.json', Buffer.from(String(rejects)));
        return answer;
      },
    });
    const [one, other] = [await observe(setup, validWorld, tells), await observe(setup, malformedWorld, tells)];
    expect(differs(one, other)).toEqual(['release/quality/rejects.json']);

    const sizes: Twin = (activities, release) => ({
      ...activities,
      ingest: async (input) => {
        const answer = await activities.ingest(input);
        const source = await release.store('source').head(`${BUS.split('/')[1]}/bus.csv.gz`);
        return { ...answer, bytes: source?.size };
      },
    });
    expect(differs(await observe(setup, {}, sizes), await observe(setup, tripWorld, sizes))).toEqual(['status']);
  });

  test('an empty partition that is left out', async () => {
    const [, , [, empty, single]] = pairs(true) as [unknown, unknown, [string, World, World]];
    const skips: Twin = (activities, release) => ({
      ...activities,
      bin: async (input) => {
        const answer = await activities.bin(input);
        const contexts = release.contexts({ random: seededSource(1), newId: () => numberedId(1) });
        const partitions = input.partitions.filter((one) => partitionPath(one) === FERRY);
        const counts = await readCells(contexts.private, input, 0, partitions[0]!);
        if (counts.length > 0) return answer;
        return { faults: [...answer.faults, { object: 'ferry', code: 'OBJECT_MISSING', partitions }] };
      },
    });
    expect(differs(await observe(setup, empty, skips), await observe(setup, single, skips))).toContain('status');
  });
});
