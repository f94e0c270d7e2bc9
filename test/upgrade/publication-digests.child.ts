import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sha256 } from '../../activities/stores/json-objects.ts';

/**
 * `node test/upgrade/publication-digests.child.ts TREE demo|opal|oyster WINDOW [DATA]` prints the SHA-256 of every file
 * that a release of an example stages under the code of a tree, with a seeded source of randomness: two trees whose
 * lines are equal make the same publication, byte for byte. Any build from 2cdddc0 on can be compared with any other;
 * `opal` and `oyster` need the folder of the real data.
 */
const [tree = '.', name = 'demo', window = '2026-03-02', data = ''] = process.argv.slice(2);

// biome-ignore lint/suspicious/noExplicitAny: the modules of another build have no types here.
const load = (...places: string[]): Promise<any> => {
  const place = places.map((file) => resolve(tree, file)).find((file) => existsSync(file));
  if (place === undefined) throw new Error(`the tree has none of ${places.join(', ')}`);
  return import(place);
};

const { FolderStore } = await load('activities/stores/folder-store.ts');
const { loadSeriesFile } = await load('client/series/series-file.ts', 'client/series-file.ts');
const { applySeries } = await load('client/series/apply-series.ts', 'client/apply-series.ts');
const { createPrivateActivities } = await load('activities/private/activities.ts');
const { createPublicActivities } = await load('activities/public/activities.ts');
const { seededSource } = await load('test/support/seeded-source.ts', 'core/random/seeded-source.ts');
const hasKinds = existsSync(resolve(tree, 'kinds'));
const privateKinds = hasKinds ? (await load('kinds/private-kinds.ts')).PRIVATE_KINDS : undefined;
const publicKinds = hasKinds ? (await load('kinds/public-kinds.ts')).PUBLIC_KINDS : undefined;

const root = await mkdtemp(join(tmpdir(), 'opaline-digests-'));
const made = join(root, 'source');
if (name === 'demo') await (await load('examples/demo/generate.ts')).generateDemo(made);
if (name === 'opal') await (await load('examples/opal/generate.ts')).generateOpal(join(data, 'opal'), made);
const source = name === 'oyster' ? join(data, 'tfl-oyster') : made;

const loaded = await loadSeriesFile(resolve(tree, 'examples', `${name}.yaml`));
const store = (folder: string) => new FolderStore(join(root, folder));
await applySeries(store('release'), loaded);
let ids = 0;
const newId = (): string => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
const common = { releaseStore: store('release'), newId, heartbeat: () => undefined };
const onPrivate = createPrivateActivities({
  ...common,
  sourceStore: () => new FolderStore(source),
  privateStore: store('private'),
  scratch: join(root, 'scratch-private'),
  memoryMiB: 1024,
  random: seededSource(1),
  kinds: privateKinds,
});
const onPublic = createPublicActivities({
  ...common,
  publicationStore: store('publication'),
  scratch: join(root, 'scratch-public'),
  build: hasKinds ? { sources: 'build', runtime: async () => null } : 'build',
  kinds: publicKinds,
});

const run = { series: loaded.series.series, window, version: 1, seriesDigest: loaded.digest };
const { partitions } = await onPublic.plan({ ...run, execution: 'digests' });
await onPrivate.ingest({ ...run, round: 0 });
await onPrivate.bin({ ...run, round: 0, partitions });
const { charge } = await onPublic.reserve({ ...run, partitions });
const draws: unknown[] = [];
for (const partition of partitions) draws.push(await onPrivate.privatize({ ...run, round: 0, partition, charge }));
const staged = { ...run, correction: null, charge, draws, holes: [] };
await onPublic.derive(staged);
await onPublic.audit({ ...staged, shadow: await onPrivate.shadow(run) });

const folder = join(root, 'release', 'staging', run.series, window, 'v1');
for (const file of (await readdir(folder)).sort())
  console.log(`${sha256(await readFile(join(folder, file)))}  ${file}`);
await rm(root, { recursive: true, force: true });
