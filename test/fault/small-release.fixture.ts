import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PrivateContext } from '../../activities/private/context.ts';
import type { PublicContext } from '../../activities/public/context.ts';
import { FolderStore } from '../../activities/stores/folder-store.ts';
import { readBytes } from '../../activities/stores/json-objects.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import type { Partition } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Run } from '../../contracts/stages.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { PRIVATE_KINDS } from '../../kinds/private-kinds.ts';
import { PUBLIC_KINDS } from '../../kinds/public-kinds.ts';
import { tapsKind } from '../../kinds/taps/series-kind.ts';
import { SMALL_WINDOW } from '../support/small-series.ts';
import type { SmallSetup } from './small-setup.fixture.ts';

export const STORES = ['source', 'private', 'release', 'publication'] as const;
export type StoreName = (typeof STORES)[number];

/** What differs from run to run: randomness, identifiers, and what a test puts between an activity and its stores. */
export type Surroundings = {
  random: RandomSource;
  newId(): string;
  wrap?: (store: ObjectStore, name: StoreName) => ObjectStore;
};

/** The small series applied to folder stores of its own, without Temporal: activities are called as functions. */
export class SmallRelease {
  readonly root: string;
  readonly setup: SmallSetup;

  constructor(root: string, setup: SmallSetup) {
    this.root = root;
    this.setup = setup;
  }

  static async open(setup: SmallSetup): Promise<SmallRelease> {
    const root = await mkdtemp(join(tmpdir(), 'opaline-release-'));
    for (const name of STORES) await mkdir(join(root, name));
    const release = new SmallRelease(root, setup);
    await applySeries(release.store('release'), setup.loaded);
    return release;
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
    const { series, digest } = this.setup.loaded;
    return { series: series.series, window: SMALL_WINDOW, version, seriesDigest: digest };
  }

  get partitions(): Partition[] {
    const { series } = this.setup.loaded;
    return windowPartitions(series, tapsKind.parts(series), SMALL_WINDOW);
  }

  /** The contexts of a fresh pair of worker processes. Their scratch folder is the machine's, and is kept. */
  contexts({ random, newId, wrap = (store) => store }: Surroundings): {
    private: PrivateContext;
    public: PublicContext;
  } {
    const store = (name: StoreName) => wrap(this.store(name), name);
    const releaseStore = store('release');
    const source = store('source');
    return {
      private: {
        sourceStore: () => source,
        privateStore: store('private'),
        releaseStore,
        scratch: join(this.root, 'scratch-private'),
        memoryMiB: 256,
        random,
        kinds: PRIVATE_KINDS,
        newId,
      },
      public: {
        releaseStore,
        publicationStore: store('publication'),
        scratch: join(this.root, 'scratch-public'),
        kinds: PUBLIC_KINDS,
        build: { sources: 'build-digest', runtime: null },
        newId,
      },
    };
  }

  loseScratch(): Promise<void> {
    return rm(join(this.root, 'scratch-private'), { recursive: true, force: true });
  }

  /** Every object of the stores, by `store/key`, with its bytes, but for the tags of pins: they name the folder's inodes. */
  async objects(names: readonly StoreName[] = ['private', 'release', 'publication']): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const name of names) {
      const store = this.store(name);
      for await (const { key } of store.list(''))
        found.set(`${name}/${key}`, withoutTags(key, (await readBytes(store, key)).toString('latin1')));
    }
    return found;
  }
}

const withoutTags = (key: string, text: string): string =>
  key.startsWith('inventory/') ? text.replace(/"tag":"[^"]*"/g, '"tag":""') : text;

/** Names of what two sets of objects do not have in common: present in one alone, or with other bytes. */
export function differences(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name)).sort();
}

/** A well-formed identifier for a number. */
export const numberedId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
