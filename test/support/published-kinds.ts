import { join } from 'node:path';
import { commit } from '../../activities/private/commit.ts';
import { decide } from '../../activities/public/decide.ts';
import { retract } from '../../activities/public/retract.ts';
import { updatePages } from '../../activities/public/update-pages.ts';
import { RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { AuditInput, Shadow } from '../../contracts/stages.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { binSmall as binnedRides, HEADER_DOORS, STOPS_PRIVACY } from '../../kinds/occupancy/small-occupancy.fixture.ts';
import { ADDED, binSmall as binnedTrips, TRIPS } from '../../kinds/synthetic/small-synthetic.fixture.ts';
import { type TapsSeries, tapsSeries } from '../../kinds/taps/series.ts';
import { walkLedger } from '../../services/ledger/ledger.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { newestVersion, pinOf } from '../../services/trust/trust-chain.ts';
import { type Binned, binnedDay, type Objects, talliesOf } from './day-release.ts';
import { everyTable } from './every-table.ts';
import { publishRelease } from './publish-release.ts';
import { type Drawn, loadedSeries, numberedId } from './release-bench.ts';
import { seededSource } from './seeded-source.ts';
import { ordered, PRIVATE_BUILD } from './test-custody.ts';
import { DICTIONARY, testDecision, testSeries, testShadow } from './test-release.ts';
import { approverKey, TEST_APPROVER } from './test-trust.ts';
import { publishedStatement, shadowReceiptBytes, TEST_CHAIN } from './trust-files.ts';

/** A small release of each kind with the counts of a day, in folder stores of its own. */
const BINNED = {
  taps: () => binnedTaps(taps, { 'bus.csv': trips('bus'), 'ferry.csv': trips('ferry') }),
  occupancy: () => binnedRides(RIDES, {}, own()),
  synthetic: () => binnedTrips(TRIPS, {}, own()),
};

export type ReleasedKind = keyof typeof BINNED;
export const RELEASED_KINDS = Object.keys(BINNED) as ReleasedKind[];

const DAY = '2026-03-02';

/** Randomness and identifiers of a release that is the same in every run. */
function own(): Partial<PrivateContext> {
  let ids = 0;
  return { random: seededSource(1), newId: () => numberedId(++ids) };
}

const binnedTaps = (series: TapsSeries, objects: Objects) =>
  binnedDay(loadedSeries(series, [DICTIONARY]), DAY, objects, own());

const NAMES = ['mode', 'card', 'on_time', 'on_location', 'off_time', 'off_location'];
const COLUMNS = Object.fromEntries(NAMES.map((name) => [name, name]));

/** Every table, few rows, and all that metadata can hold. */
const taps = testSeries({
  custodians: [],
  source: {
    store: 'raw',
    pattern: '{date}/{mode}.csv',
    format: 'csv',
    rows: 'trips',
    clock: 'local',
    columns: COLUMNS,
    card: 'text',
  },
  day: { starts: '08:00', ends: '09:00' },
  window: { days: 1, firstWeekday: 'monday' },
  bins: { ...testSeries().bins, minutes: 30 },
  privacy: { ...everyTable.privacy, hours: { floor: 30, bins: 2 } },
  gate: { approvers: [{ subject: TEST_APPROVER }], required: 1 },
  publication: {
    title: 'Taps of Exampleton',
    licence: 'CC-BY-4.0',
    attribution: 'Exampleton Transport, 2026.',
    notes: ['Synthetic.'],
    publisher: { name: 'Exampleton Transport', homepage: 'https://transport.example/' },
    contact: 'data@transport.example',
    keywords: ['ferries', 'buses'],
    area: 'Exampleton',
    frequency: 'weekly',
    homepage: 'https://portal.example/taps',
    baseUrl: 'https://data.example/open',
  },
  schedule: { weekday: 'thursday', time: '06:00' },
});

const { privacy } = testSeries();

/** The same with the other mechanism, and a budget for two versions. */
const histogram: TapsSeries = {
  ...taps,
  privacy: {
    ...privacy,
    caps: { block: { epsilon: '16', delta: '1/100000' }, year: { epsilon: '500', delta: '1/10000' } },
  },
};

/** Many cards at one stop, and so few at another that only the hour shows them. */
const trips = (mode: string): string =>
  [
    NAMES.join(),
    ...Array.from({ length: 200 }, (_, n) => `${mode},c${n},${DAY} 08:05:00,1,${DAY} 08:40:00,2`),
    ...Array.from({ length: 36 }, (_, n) => `${mode},d${n},${DAY} 08:${n % 2 === 0 ? '05' : '35'}:00,3,,`),
    '',
  ].join('\n');

const RIDES = {
  'north.csv': `${HEADER_DOORS}\nn1,A,08:00,mini,3,0\nn2,A,09:00,bus,25,0\nn2,B,09:10,bus,1,9\n`,
  'south.csv': `${HEADER_DOORS}\ns1,X,08:00,bus,35,0\n`,
};

/** Releases whose bytes are pinned (test/pins): one of each kind, and of the other mechanisms; one has a hole. */
export const PINNED: Record<string, () => Promise<PublishedKind>> = {
  ...Object.fromEntries(RELEASED_KINDS.map((kind) => [kind, () => publishedKind(kind)])),
  'taps-histogram': () => publishedKind('taps', binnedTaps(histogram, { 'bus.csv': trips('bus') })),
  'occupancy-each-stop': () =>
    publishedKind('occupancy', binnedRides(RIDES, { privacy: STOPS_PRIVACY.replace('6', '4') }, own())),
  'synthetic-add-remove': () => publishedKind('synthetic', binnedTrips(TRIPS, { privacy: ADDED }, own())),
};

/** A release of a kind after its draws, for the public stages. */
export async function drawnKind(
  kind: ReleasedKind,
): Promise<{ root: string; context: PublicContext; input: AuditInput }> {
  const { release, context } = await BINNED[kind]();
  const drawn = await release.through('privatize', context);
  const input = { ...drawn, shadow: await shadowOf(kind, context, drawn) };
  return { root: release.root, context: release.contexts().public, input };
}

/** A full shadow run of taps takes seconds. */
async function shadowOf(kind: ReleasedKind, context: PrivateContext, drawn: Drawn): Promise<Shadow> {
  if (kind !== 'taps') return talliesOf(context, drawn);
  const tallies = testShadow(tapsSeries(await readSeries(context.releaseStore, drawn)));
  const receipt = shadowReceiptBytes({ ...drawn, release: releasePath(drawn) }, tallies);
  await context.releaseStore.putIfAbsent(RELEASE_KEYS.shadowReceipt(drawn, PRIVATE_BUILD), receipt);
  return tallies;
}

/** A series of a kind in stores below `root`; `folder` is the one that is published of it. */
export type PublishedKind = {
  root: string;
  folder: string;
  /** Every object of the stores, by `store/key`. */
  objects(): Promise<Map<string, string>>;
  /** Publishes a version of the one window, and makes the pages. */
  publish(version: number): Promise<void>;
  /** Takes a version back, and makes the pages. */
  takeBack(version: number): Promise<void>;
};

const manager = { subject: TEST_APPROVER, ...approverKey(TEST_APPROVER) };

/** A series of a kind of which nothing is published yet; every release is made by the real stages of both sides. */
export async function publishedKind(
  kind: ReleasedKind,
  binned: Promise<Binned> = BINNED[kind](),
): Promise<PublishedKind> {
  const { release, context } = await binned;
  const { series } = release.loaded;
  const { public: publicContext } = release.contexts();
  const manifests = new Map<number, string>();
  const basis = async () => ({
    trust: pinOf(newestVersion(TEST_CHAIN)),
    ledger: tipOf(await walkLedger(context.releaseStore, series.population)),
    required: 1,
  });

  async function publish(version: number): Promise<void> {
    const run = release.run(version);
    if (version > 1) await ordered(context.releaseStore, run);
    const drawn = await release.through('privatize', context, version);
    const input = { ...drawn, shadow: await shadowOf(kind, context, drawn) };
    manifests.set(version, await publishRelease({ context: publicContext, run, input }, [manager], await basis()));
    await commit(context, { ...run, statement: publishedStatement(run) });
    await updatePages(publicContext, run);
  }

  async function takeBack(version: number): Promise<void> {
    const run = release.run(version);
    const manifestDigest = manifests.get(version)!;
    const terms = { decision: 'retract', reason: 'data-wrong', ...(await basis()) } as const;
    const answer = await decide(publicContext, testDecision(run, manifestDigest, manager, terms));
    if (!answer.accepted) throw new Error(answer.code);
    const retractedAt = '2026-04-01T10:00:00.000Z';
    await retract(publicContext, { ...run, manifestDigest, decisions: [answer.digest], retractedAt });
    await updatePages(publicContext, run);
  }

  const folder = join(release.folder('publication'), series.series);
  return { root: release.root, folder, objects: () => release.objects(), publish, takeBack };
}
