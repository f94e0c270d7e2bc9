import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sha256 } from '../../activities/stores/json-objects.ts';

/**
 * `node test/upgrade/publication-digests.child.ts TREE demo|opal|oyster|fortnight WINDOW [DATA]` prints the SHA-256 of
 * every file that a release of an example stages under the code of a tree, with a seeded source of randomness, and on
 * the error channel the seconds of each stage: two trees whose lines are equal make the same publication, byte for byte.
 * Any build from 8cf715d on can be compared with any other; `opal` and `oyster` need the folder of the real data.
 */
const [tree = '.', name = 'demo', window = '2026-03-02', data = ''] = process.argv.slice(2);

// biome-ignore lint/suspicious/noExplicitAny: the modules of another build have no types here.
const load = (file: string): Promise<any> => import(resolve(tree, file));

const { FolderStore } = await load('activities/stores/folder-store.ts');
const { loadSeriesFile } = await load('client/series/series-file.ts');
const { applySeries } = await load('client/series/apply-series.ts');
const { createPrivateActivities } = await load('activities/private/activities.ts');
const { createPublicActivities } = await load('activities/public/activities.ts');
const { privateContextBelow, publicContextBelow } = await load('test/support/folder-contexts.ts');
const { POLICY_KEY, testPolicy } = await load('test/support/test-custody.ts');
const { windowPartitions } = await load('core/calendar/window.ts');
const { widePopulation } = await load('test/support/test-trust.ts');

/** Trips of the made-up fortnight. */
const FORTNIGHT_TRIPS = 300_000;

const root = await mkdtemp(join(tmpdir(), 'opaline-digests-'));
const made = join(root, 'source');
let seriesFile = resolve(tree, 'examples', `${name}.yaml`);
if (name === 'demo') await (await load('examples/demo/generate.ts')).generateDemo(made);
if (name === 'opal') await (await load('examples/opal/generate.ts')).generateOpal(join(data, 'opal'), made);
if (name === 'fortnight') {
  const { writeFortnightSeries, writeFortnightTrips } = await load('test/scale/fortnight.fixture.ts');
  seriesFile = (await writeFortnightSeries(join(root, 'series'))).file;
  await writeFortnightTrips(made, FORTNIGHT_TRIPS);
}
const source = name === 'oyster' ? join(data, 'tfl-oyster') : made;

const loaded = await loadSeriesFile(seriesFile);
const { population, privacy, source: from } = loaded.series;
const people = widePopulation([from.store], { unit: privacy.unit, neighbours: privacy.neighbours });
let ids = 0;
const newId = (): string => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
const privateContext = privateContextBelow(root, {
  newId,
  sourceStore: () => new FolderStore(source),
  memoryMiB: 1024,
  policy: testPolicy({ populations: { [population]: people } }),
});
const publicContext = publicContextBelow(root, { newId });
await applySeries({ releaseStore: privateContext.releaseStore, signingKey: POLICY_KEY.privateKey }, loaded);
const onPrivate = createPrivateActivities(privateContext);
const onPublic = createPublicActivities(publicContext);

const run = { series: loaded.series.series, window, version: 1, seriesDigest: loaded.digest };

/** Tells how long a stage took. */
async function timed<Answer>(stage: string, work: () => Promise<Answer>): Promise<Answer> {
  const start = performance.now();
  const answer = await work();
  console.error(`${stage} ${((performance.now() - start) / 1000).toFixed(2)} s`);
  return answer;
}

const partitions = windowPartitions(loaded.series, loaded.series.modes, window);
await timed('ingest', () => onPrivate.ingest({ ...run, round: 0 }));
const { charge } = await onPrivate.reserve({ ...run, partitions });
await timed('bin', () => onPrivate.bin({ ...run, round: 0, partitions }));
const draws: unknown[] = [];
await timed('privatize', async () => {
  for (const partition of partitions) draws.push(await onPrivate.privatize({ ...run, round: 0, partition, charge }));
});
const staged = { ...run, correction: null, charge, draws, holes: [] };
await timed('derive', () => onPublic.derive(staged));
const shadow = await timed('shadow', () => onPrivate.shadow(run));
await timed('audit', () => onPublic.audit({ ...staged, shadow }));

const folder = join(root, 'release', 'staging', run.series, window, 'v1');
// The manifest names keys of this process.
for (const file of (await readdir(folder)).filter((one) => one !== 'manifest.json').sort())
  console.log(`${sha256(await readFile(join(folder, file)))}  ${file}`);
await rm(root, { recursive: true, force: true });
