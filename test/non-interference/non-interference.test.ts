import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import { readCellRows } from '../support/cell-rows.ts';
import { differences, numberedId } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { type Edit, loadSmallSeries, withMargins } from '../support/small-series.ts';
import { type Observed, observe, type Twin, tellsApart, withOneShadow } from './observation.ts';
import { hiding, type World, withRows } from './worlds.ts';

/**
 * C20, end to end over the real activities and folder stores: two worlds that differ in one person's trip, and in the
 * dice so that the noisy counts are the same, cannot be distinguished on the public side.
 */
const BUS = 'bus/2026-03-02';
const FERRY = 'ferry/2026-03-04';

/** One more trip of the morning: a cell for its on and one for its off. */
const TRIP = `bus,2026-03-02 08:05:00,stop-2,2026-03-02 08:35:00,stop-1\n`;
const TRIP_CELLS = ['on 08:00 2001', 'off 08:30 2000'];
const LONE = 'bus,2026-03-02 03:31:00,stop-2,,\n';
const LONE_CELL = ['on 03:30 2001'];
const HEADER = 'mode,on_time,on_stop,off_time,off_stop\n';
const LONE_FERRY = 'ferry,2026-03-04 03:31:00,stop-2,,\n';

/** The small series' own trips, and dice that hide nothing. */
const USUAL: World = {};

/** Pairs of worlds: what differs, the one, the other. `margins`: whether the noise of margins is moved too. */
const pairs = (margins: boolean): [name: string, World, World][] => [
  [
    'one more trip, each of its draws one less',
    USUAL,
    { trips: withRows(BUS, (text) => text + TRIP), noise: { [BUS]: hiding(TRIP_CELLS, -1, margins) } },
  ],
  [
    'a cell that was empty has one tap and is suppressed',
    USUAL,
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

/** How worlds of one series are observed; their made-up tables are drawn once. */
function lookAt(edit: Edit) {
  const setup = loadSmallSeries(edit);
  const shared = withOneShadow();
  const seen = new Map<World, Promise<Observed>>();
  const withTwin = async (world: World, twin: Twin): Promise<Observed> =>
    observe(await setup, world, (activities, release) => twin(shared(activities, release), release));
  return {
    withTwin,
    /** Each world is observed once. */
    observed: (world: World): Promise<Observed> => {
      const before = seen.get(world) ?? withTwin(world, (activities) => activities);
      seen.set(world, before);
      return before;
    },
    /** With a shadow run of its own. */
    alone: async (world: World): Promise<Observed> => observe(await setup, world),
  };
}

const WITHOUT_MARGINS = (yaml: string): string => yaml;
const completeDomain =
  (floors: string) =>
  (yaml: string): string =>
    yaml
      .replace('mechanism: stability-histogram', `mechanism: complete-domain\n  ${floors}`)
      .replace('delta: 1e-6', 'delta: 0');
const COMPLETE = completeDomain('floor: none');
/** So low that noise alone reaches both floors often, with counts of 2 and 3 alike. */
const FLOORS = (yaml: string): string => withMargins(completeDomain('floor: 2\n  hours: { floor: 3 }')(yaml));

describe.each([
  ['stability-histogram with remainder rows', withMargins, true, [3], {}],
  ['stability-histogram with remainder rows', withMargins, true, [0, 1, 2], { tags: 'soak' }],
  ['stability-histogram', WITHOUT_MARGINS, false, [1, 3], { tags: 'soak' }],
  ['complete-domain', COMPLETE, false, [0, 2], { tags: 'soak' }],
  ['complete-domain with floors and remainder rows', FLOORS, true, [0], {}],
  ['complete-domain with floors and remainder rows', FLOORS, true, [1, 2], { tags: 'soak' }],
] as const)('C20 two worlds that are the same to the public side: %s', (_, edit, margins, places, options) => {
  let look: ReturnType<typeof lookAt>;
  beforeAll(() => {
    look = lookAt(edit);
  });

  test.each(places.map((place) => pairs(margins)[place]!))(
    '%s: the same objects, bytes, ledger and status',
    options,
    async (name, one, other) => {
      const isFirst = name === pairs(margins)[places[0]]![0];
      const [a, b] = [await look.observed(one), await (isFirst ? look.alone(other) : look.observed(other))];
      expect(differences(a.objects, b.objects)).toEqual([]);
      expect(b.status).toEqual(a.status);
      // The worlds did differ, and the custodian side knows it.
      expect(differences(a.custodian, b.custodian).some((key) => key.startsWith('private/cells/'))).toBe(true);
      expect(a.objects.size).toBeGreaterThan(20);
    },
  );
});

describe('C20 broken twins are caught', () => {
  const { observed, withTwin } = lookAt(withMargins);
  let base: Observed;
  const [[, , tripWorld], , , [, validWorld, malformedWorld]] = pairs(true) as [
    [string, World, World],
    unknown,
    unknown,
    [string, World, World],
  ];
  beforeAll(async () => {
    base = await observed(USUAL);
  });
  afterAll(() => expect(base.objects.size).toBeGreaterThan(20));

  test('the same dice for one trip more: tables differ', { tags: 'soak' }, async () => {
    const found = tellsApart(base, await observed({ ...tripWorld, noise: {} }));
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
    const [one, other] = [await withTwin(validWorld, tells), await withTwin(malformedWorld, tells)];
    expect(tellsApart(one, other)).toEqual(['release/quality/rejects.json']);

    const sizes: Twin = (activities, release) => ({
      ...activities,
      ingest: async (input) => {
        const answer = await activities.ingest(input);
        const source = await release.store('source').head(`${BUS.split('/')[1]}/bus.csv.gz`);
        return { ...answer, bytes: source?.size };
      },
    });
    expect(tellsApart(await withTwin(USUAL, sizes), await withTwin(tripWorld, sizes))).toEqual(['status']);
  });

  test('an empty partition that is left out', { tags: 'soak' }, async () => {
    const [, , [, empty, single]] = pairs(true) as [unknown, unknown, [string, World, World]];
    const skips: Twin = (activities, release) => ({
      ...activities,
      bin: async (input) => {
        const answer = await activities.bin(input);
        const contexts = release.contexts({ random: seededSource(1), newId: () => numberedId(1) });
        const partitions = input.partitions.filter((one) => partitionPath(one) === FERRY);
        const counts = await readCellRows(contexts.private, input, 0, partitions[0]!);
        if (counts.length > 0) return answer;
        return { faults: [...answer.faults, { object: 'ferry', code: 'OBJECT_MISSING', partitions }] };
      },
    });
    expect(tellsApart(await withTwin(empty, skips), await withTwin(single, skips))).toContain('status');
  });
});
