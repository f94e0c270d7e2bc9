import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { abandon } from '../../activities/private/abandon.ts';
import { bin } from '../../activities/private/bin.ts';
import { ingest } from '../../activities/private/ingest.ts';
import { privatize } from '../../activities/private/privatize.ts';
import { reserve } from '../../activities/private/reserve.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import type { PopulationPolicy } from '../../contracts/formats/policy.ts';
import { kindOf } from '../../contracts/kind.ts';
import { type Partition, partitionPath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { type Series, seriesSchema } from '../../contracts/series.ts';
import type { DeriveInput, ObjectFault, Run } from '../../contracts/stages.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { PRIVATE_KINDS } from '../../kinds/private-kinds.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonBytes, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { privateContextBelow, publicContextBelow } from './folder-contexts.ts';
import { seededSource } from './seeded-source.ts';
import { POLICY_KEY, testPolicy } from './test-custody.ts';
import { TEST_TRUST, widePopulation } from './test-trust.ts';

export const STORES = ['source', 'private', 'release', 'publication'] as const;
export type StoreName = (typeof STORES)[number];

/** What differs from run to run: randomness, identifiers, and what a test puts between an activity and its stores. */
export type Surroundings = {
  random?: RandomSource;
  newId?(): string;
  wrap?: (store: ObjectStore, name: StoreName) => ObjectStore;
};

/** What derive is asked with, and the faults that made holes. */
export type Drawn = DeriveInput & { faults: ObjectFault[] };

/** A series that no file was written for. */
export function loadedSeries(series: object, lists: readonly Buffer[] = []): LoadedSeries {
  const seriesBytes = jsonBytes(series);
  const dictionaries = lists.map((bytes) => ({ digest: sha256(bytes), bytes }));
  return {
    series: seriesSchema.parse(series),
    seriesBytes,
    digest: sha256(seriesBytes),
    dictionaries,
    signature: null,
  };
}

/**
 * A series applied to folder stores of its own, and the releases of one window of it, without Temporal: the activities
 * of both sides are called as functions. Every test that wants a release without a server begins here, whatever the kind
 * of its series.
 */
export class ReleaseBench {
  readonly root: string;
  readonly loaded: LoadedSeries;
  readonly window: string;
  readonly #own: Partial<PrivateContext>;

  /** Below `root` there may be a release already, of another process; `own` is what a test has otherwise. */
  constructor(root: string, loaded: LoadedSeries, window: string, own: Partial<PrivateContext> = {}) {
    this.root = root;
    this.loaded = loaded;
    this.window = window;
    this.#own = own;
  }

  /** The bench with its stores, where the series is applied and signed. */
  async prepared(): Promise<this> {
    for (const name of STORES) await mkdir(this.folder(name), { recursive: true });
    await applySeries({ releaseStore: this.store('release'), signingKey: POLICY_KEY.privateKey }, this.loaded);
    return this;
  }

  close(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }

  folder(name: StoreName): string {
    return join(this.root, name);
  }

  store(name: StoreName): FolderStore {
    return new FolderStore(this.folder(name));
  }

  run(version = 1): Run {
    const { series, digest } = this.loaded;
    return { series: series.series, window: this.window, version, seriesDigest: digest };
  }

  get partitions(): Partition[] {
    const { series } = this.loaded;
    return windowPartitions(series, kindOf(PRIVATE_KINDS, series).terms(series).parts, this.window);
  }

  /** The contexts of a fresh pair of worker processes. Their scratch folder is the machine's, and is kept. */
  contexts({ random = seededSource(1), newId = randomUUID, wrap = (store) => store }: Surroundings = {}): {
    private: PrivateContext;
    public: PublicContext;
  } {
    const store = (name: StoreName) => wrap(this.store(name), name);
    const releaseStore = store('release');
    const source = store('source');
    return {
      private: privateContextBelow(this.root, {
        sourceStore: () => source,
        privateStore: store('private'),
        releaseStore,
        random,
        newId,
        policy: testPolicy({ populations: populationsWith(this.loaded.series) }),
        ...this.#own,
      }),
      public: publicContextBelow(this.root, { releaseStore, publicationStore: store('publication') }),
    };
  }

  /** Writes or replaces a source object. */
  async deliver(key: string, content: string | Uint8Array): Promise<void> {
    const path = join(this.folder('source'), key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  /** Charges, reads, counts and draws a version, each stage once, up to this one; partitions at fault are holes. */
  async through(stage: 'bin' | 'privatize', context = this.contexts().private, version = 1): Promise<Drawn> {
    const run = this.run(version);
    const { partitions } = this;
    const { charge } = await reserve(context, { ...run, partitions });
    await ingest(context, { ...run, round: 0 });
    const { faults } = await bin(context, { ...run, round: 0, partitions });
    const held = new Map(faults.flatMap((fault) => fault.partitions.map((one) => [partitionPath(one), one])));
    const drawn: Drawn = { ...run, correction: null, charge, draws: [], holes: [], faults };
    if (stage === 'bin') return drawn;
    drawn.holes.push(...(await abandon(context, { ...run, partitions: [...held.values()] })));
    for (const partition of partitions)
      if (!held.has(partitionPath(partition)))
        drawn.draws.push(...(await privatize(context, { ...run, round: 0, partitions: [partition], charge })));
    return drawn;
  }

  loseScratch(): Promise<void> {
    return rm(join(this.root, 'scratch'), { recursive: true, force: true });
  }

  /** Every object of the stores, by `store/key`, with its bytes, except for the tags of pins: they name inodes. */
  async objects(names: readonly StoreName[] = ['private', 'release', 'publication']): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const name of names) {
      const store = this.store(name);
      for await (const { key } of store.list(''))
        found.set(`${name}/${key}`, withoutTags(key, (await readBytes(store, key)).toString('latin1')));
    }
    return found;
  }

  /** Everything that the release store holds, for a search of canaries. */
  releaseStoreText(): Promise<string> {
    return textOf(this.folder('release'));
  }

  diagnostics(): Promise<string> {
    return textOf(join(this.folder('private'), 'diagnostics'));
  }
}

/** The populations of the tests; another one is allowed whatever its series asks for. */
function populationsWith(series: Series) {
  const { population, source } = series;
  const { unit, neighbours, mechanism } = kindOf(PRIVATE_KINDS, series).terms(series);
  const terms = { unit, neighbours: neighbours as PopulationPolicy['neighbours'], mechanisms: [mechanism] };
  return { [population]: widePopulation([source.store], terms), ...TEST_TRUST.populations };
}

async function textOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

function withoutTags(key: string, text: string): string {
  if (key.startsWith('inventory/')) return text.replace(/"tag":"[^"]*"/g, '"tag":""');
  // The record of a draw names its inventory by digest.
  return key.startsWith('draws/') ? text.replace(/"inventory":"[^"]*"/, '"inventory":""') : text;
}

/** Names of what two sets of objects do not have in common: present in one alone, or with other bytes. */
export function differences(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name)).sort();
}

/** A well-formed identifier for a number. */
export const numberedId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
