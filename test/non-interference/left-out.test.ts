import { beforeAll, describe, expect, test } from 'vitest';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import { partitionPath } from '../../contracts/names.ts';
import { differences } from '../support/release-bench.ts';
import { loadSmallSeries, smallTrips } from '../support/small-series.ts';
import { type Observed, observe, tellsApart, withOneShadow } from './observation.ts';
import { type HeldTaps, heldTaps, hidingAll, type World } from './worlds.ts';

/**
 * C20 where taps in no cell are counted: two worlds in which one card made other trips, or one trip could not be read,
 * with noise that hides what became of counted and of left-out taps, look the same from the public side.
 */
const BUS = 'bus/2026-03-02';

const ofCards = (yaml: string): string =>
  yaml
    .replace('population: small-riders', 'population: small-cards')
    .replace('minutes: 15', 'minutes: 60')
    .replace('columns: { mode: mode,', 'card: text\n  columns: { mode: mode, card: card,')
    .replace('mechanism: stability-histogram', 'mechanism: complete-domain\n  floor: 4')
    .replace('unit: trip', 'unit: card-day\n  maxTaps: 2\n  clamp: 3')
    .replace('  epsilon: 8\n  delta: 1e-6', '  epsilon: 8\n  delta: 0\n  split: { bounded: 1 }');

const withLimits = (yaml: string): string =>
  yaml
    .replace('minutes: 15', 'minutes: 60')
    .replace('mechanism: stability-histogram', 'mechanism: complete-domain\n  floor: 4')
    .replace('  epsilon: 8\n  delta: 1e-6', '  epsilon: 8\n  delta: 0\n  split: { checks: 1 }\n  rejects: { bus: 90 }');

/** The small series' trips, each of a card of its own, and in one partition the further trips of one card. */
const withTrips =
  (more: readonly string[]): NonNullable<World['trips']> =>
  (partition) => {
    const [header, ...rows] = smallTrips(partition.day, partition.part).trimEnd().split('\n');
    const own = partitionPath(partition) === BUS ? more.map((trip) => `${trip},busy`) : [];
    const cards = rows.map((row, card) => `${row},${partition.part}-${card}`);
    return `${[`${header},card`, ...cards, ...own].join('\n')}\n`;
  };
const tripAt = (hour: string): string => `bus,2026-03-02 ${hour}:05:00,stop-2,2026-03-02 ${hour}:35:00,stop-1`;
/** Two taps are counted of eight, and three of the others; then of ten, some of them elsewhere. */
const ONE: World = { trips: withTrips(['09', '09', '10', '11'].map(tripAt)) };
const OTHER: World = { trips: withTrips(['09', '10', '12', '13', '14'].map(tripAt)) };

describe('C20 two worlds whose cards differ, with left-out taps', () => {
  let setup: LoadedSeries;
  let hidden: Record<string, number>;
  let base: Observed;
  const shared = withOneShadow();
  beforeAll(async () => {
    setup = await loadSmallSeries(ofCards);
    const [one, other] = [await heldTaps(setup, ONE), await heldTaps(setup, OTHER)];
    hidden = hidingAll(one, other)[BUS]!;
    const leftOut = (held: HeldTaps) => [...held.get(BUS)!].filter(([key]) => key.startsWith('leftOut'));
    expect([one, other].map((held) => leftOut(held).reduce((sum, [, taps]) => sum + taps, 0))).toEqual([3, 3]);
    base = await observe(setup, ONE, shared);
  });

  test('the same objects, bytes, ledger and status', async () => {
    const [a, b] = [base, await observe(setup, { ...OTHER, noise: { [BUS]: hidden } })];
    expect(differences(a.objects, b.objects)).toEqual([]);
    expect(b.status).toEqual(a.status);
    expect(differences(a.custodian, b.custodian).some((key) => key.startsWith('private/cells/'))).toBe(true);
    expect([...a.objects.keys()].some((key) => key.endsWith('left-out.csv'))).toBe(true);
  });

  test('broken twin: dice that hide one left-out tap too many are seen', async () => {
    const noise = { [BUS]: { ...hidden, 'leftOut on': (hidden['leftOut on'] ?? 0) - 1 } };
    const found = tellsApart(base, await observe(setup, { ...OTHER, noise }, shared));
    expect(found.some((key) => key.endsWith('left-out.csv'))).toBe(true);
  });
});

test('C20 a trip that could not be read, with limits of rejects: the same objects, bytes, ledger and status', {
  tags: 'soak',
}, async () => {
  const setup = await loadSmallSeries(withLimits);
  const [read, unread]: World[] = [
    { trips: withTrips([tripAt('09')]) },
    { trips: withTrips(['bus,soon,stop-2,later,stop-1']) },
  ];
  const [one, other] = [await heldTaps(setup, read!), await heldTaps(setup, unread!)];
  expect(['leftOut on', 'leftOut off'].map((key) => other.get(BUS)!.get(key))).toEqual([1, 1]);
  const noise = hidingAll(one, other);
  const [a, b] = [await observe(setup, read!), await observe(setup, { ...unread!, noise })];
  expect(differences(a.objects, b.objects)).toEqual([]);
  expect(b.status).toEqual(a.status);
  expect(differences(a.custodian, b.custodian).some((key) => key.startsWith('private/rejects/'))).toBe(true);
});
