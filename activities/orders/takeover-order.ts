import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerTip } from '../../contracts/formats/common.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import type { Order } from '../../contracts/formats/order.ts';
import type { PopulationPolicy } from '../../contracts/formats/policy.ts';
import { FILES, parseReleasePath, RELEASE_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { walkLedger } from '../ledger/ledger.ts';
import { tablesDigest, tablesOf } from '../ledger/stored-tables.ts';
import { readBytesIfPresent } from '../stores/json-objects.ts';
import { everyAppliedSeries, readApplied } from '../stores/series-objects.ts';

/** What a takeover order says, but for what every order has. */
export type TakeoverDraft = Omit<Extract<Order, { kind: 'ledger' }>, 'format' | 'id'>;

/**
 * What a policy key has to sign so that the ledger of a population goes on from what the release store holds: the end of
 * its copies; of releases of an earlier build the series file and the tables that lie there; and tables that no entry
 * explains, charged at the greatest that the policy allows. It believes the release store: a person looks at it first.
 * Throws LEDGER_BROKEN.
 *
 * @contract C12
 */
export async function planTakeover(
  store: ObjectStore,
  population: string,
  rules: Pick<PopulationPolicy, 'release'>,
  mark: LedgerTip | null,
): Promise<TakeoverDraft> {
  const { entries, tip } = await walkLedger(store, population);
  const releases: TakeoverDraft['releases'] = [];
  for (const entry of entries) {
    if (entry.kind !== 'reserve' || entry.series !== null) continue;
    const release = parseReleasePath(entry.release);
    const seriesDigest = release && (await seriesDigestOf(store, release));
    if (seriesDigest)
      releases.push({ release: entry.release, seriesDigest, draws: tablesDigest(await tablesOf(store, release)) });
  }
  return {
    kind: 'ledger',
    population,
    tip: tip === null ? null : { sequence: entries.length, digest: tip },
    mark,
    releases,
    unexplained: await unexplainedOf(store, population, rules, entries),
  };
}

/** The series file that a release ran under: as its manifest says, or the newest one when it has none yet. */
async function seriesDigestOf(store: ObjectStore, release: ReleaseReference): Promise<string | null> {
  const manifest = await readBytesIfPresent(store, RELEASE_KEYS.staged(release, FILES.manifest));
  if (manifest) return manifestSchema.parse(JSON.parse(manifest.toString('utf8'))).seriesDigest;
  try {
    return (await readApplied(store, release.series)).digest;
  } catch (error) {
    if (error instanceof OpalineError && error.code === 'OBJECT_MISSING') return null;
    throw error;
  }
}

/** Tables of the population's series that no charge is for. */
async function unexplainedOf(
  store: ObjectStore,
  population: string,
  { release: greatest }: Pick<PopulationPolicy, 'release'>,
  entries: readonly LedgerEntry[],
): Promise<TakeoverDraft['unexplained']> {
  const explained = new Set(entries.flatMap((entry) => (entry.kind === 'reserve' ? [entry.release] : [])));
  const found: TakeoverDraft['unexplained'] = [];
  for (const { name, series } of await everyAppliedSeries(store)) {
    if (series.population !== population) continue;
    for (const release of await releasesWithTables(store, name)) {
      const path = releasePath(release);
      if (explained.has(path)) continue;
      const blocks = (await tablesOf(store, release)).map(({ partition }) => ({ ...partition, ...greatest }));
      if (blocks.length > 0) found.push({ release: path, blocks });
    }
  }
  return found;
}

async function releasesWithTables(store: ObjectStore, series: string): Promise<ReleaseReference[]> {
  const paths = new Set<string>();
  for await (const { key } of store.list(RELEASE_KEYS.privatizedOf(series)))
    paths.add(key.split('/').slice(1, 4).join('/'));
  return [...paths].flatMap((path) => parseReleasePath(path) ?? []);
}
