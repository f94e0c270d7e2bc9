import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PrivateContext } from '../../activities/private/context.ts';
import type { PublicContext } from '../../activities/public/context.ts';
import { FolderStore } from '../../activities/stores/folder-store.ts';
import { readBytes } from '../../activities/stores/json-objects.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { type LoadedSeries, loadSeriesFile } from '../../client/series/series-file.ts';
import type { Partition } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Run } from '../../contracts/stages.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { tapsKind } from '../../kinds/taps/series-kind.ts';
import { privateContextBelow, publicContextBelow } from '../support/folder-contexts.ts';
import { SMALL_WINDOW, writeSmallSeries } from '../support/small-series.ts';
import { POLICY_KEY } from '../support/test-custody.ts';

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
    await applySeries({ releaseStore: release.store('release'), signingKey: POLICY_KEY.privateKey }, setup.loaded);
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
      private: privateContextBelow(this.root, {
        sourceStore: () => source,
        privateStore: store('private'),
        releaseStore,
        scratch: join(this.root, 'scratch-private'),
        memoryMiB: 256,
        random,
        newId,
      }),
      public: publicContextBelow(this.root, {
        releaseStore,
        publicationStore: store('publication'),
        scratch: join(this.root, 'scratch-public'),
        newId,
      }),
    };
  }

  loseScratch(): Promise<void> {
    return rm(join(this.root, 'scratch-private'), { recursive: true, force: true });
  }

  /** Every object of the stores, by `store/key`, with its bytes, but for the tags of pins: they name inodes. */
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

/** The series file with remainder rows: more noise in every table, so that no two draws are ever the same. */
export const withMargins = (yaml: string): string =>
  yaml.replace('  epsilon: 8\n', '  epsilon: 8\n  split: { cells: 7.2, time: 0.3, location: 0.5 }\n');

/** The small series, loaded once: every release of it in any folder has the same digest and the same approver. */
export type SmallSetup = { loaded: LoadedSeries; privateKey: string };

export async function smallSetup(edit = (yaml: string): string => yaml): Promise<SmallSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'opaline-series-'));
  try {
    const { file, key } = await writeSmallSeries(folder);
    await writeFile(file, edit(await readFile(file, 'utf8')));
    return { loaded: await loadSeriesFile(file), privateKey: key.privateKey };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
