import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, PUBLIC_KEYS, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Run } from '../../contracts/stages.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { dataFiles } from '../../services/release/audited-files.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { readBytes, readJson, sha256 } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { publicContextBelow } from './folder-contexts.ts';
import { newFolder } from './new-folder.ts';

/** What a published release must look like, whatever went wrong while it was made. An empty list says that it does. */
export type Places = { release: ObjectStore; publication: ObjectStore; population: string };

/** Ledger faults: a broken chain, or anything but one reserve and one commit of this release. */
export async function ledgerErrors({ release, population }: Places, run: Run): Promise<string[]> {
  const { entries } = await readLedger(release, population);
  const kinds = entries
    .filter((entry) => 'release' in entry && entry.release === releasePath(run))
    .map(({ kind }) => kind);
  return kinds.join() === 'reserve,commit' ? [] : [`${releasePath(run)}: ${kinds.join()}`];
}

/**
 * Files that differ from a run without faults that had the same draws: the draws are those that the manifest names, all
 * data files are derived again from them on stores of their own, and the publication is compared with what was staged.
 */
export async function differingOutputs({ release, publication }: Places, run: Run): Promise<string[]> {
  const manifest = await readJson(publication, PUBLIC_KEYS.file(run, FILES.manifest), manifestSchema);
  const build = manifest.build.sources;
  const draws = manifest.partitions.flatMap(({ privatizedTable: digest, part, day }) =>
    digest === null ? [] : [{ partition: { part, day }, digest }],
  );
  const { entries } = await readLedger(release, manifest.population);
  const reserve = entries.find((entry) => entry.kind === 'reserve' && entry.release === releasePath(run));
  const charge = reserve?.kind === 'reserve' ? reserve.charge : '';
  const folder = newFolder();
  const again = new FolderStore(join(folder, 'release'));
  for (const prefix of ['series/', 'dictionaries/', `privatized/${releasePath(run)}/`])
    for await (const { key } of release.list(prefix)) await again.putIfAbsent(key, await readBytes(release, key));
  const context = publicContextBelow(folder);
  const series = await readSeries(again, run);
  const input = { ...run, correction: null, charge, draws, holes: [] };
  for (const [name, bytes] of await dataFiles(context, input, series))
    await again.putIfAbsent(RELEASE_KEYS.staged(run, build, name), bytes);
  const differing: string[] = [];
  const expectEqual = async (name: string, a: [ObjectStore, string], b: [ObjectStore, string]) => {
    if (!(await readBytes(...a)).equals(await readBytes(...b))) differing.push(name);
  };
  const derived: string[] = [];
  const prefix = RELEASE_KEYS.staged(run, build, '');
  for await (const { key } of again.list(prefix)) derived.push(key.slice(prefix.length));
  for (const name of derived)
    await expectEqual(
      name,
      [again, RELEASE_KEYS.staged(run, build, name)],
      [release, RELEASE_KEYS.staged(run, build, name)],
    );
  for (const { name, sha256: digest } of [...manifest.files]) {
    const published = await readBytes(publication, PUBLIC_KEYS.file(run, name));
    if (sha256(published) !== digest) differing.push(`published ${name}`);
  }
  await expectEqual(
    'published manifest',
    [publication, PUBLIC_KEYS.file(run, FILES.manifest)],
    [release, RELEASE_KEYS.staged(run, build, FILES.manifest)],
  );
  return derived.length > 0 ? differing : ['nothing was derived'];
}

/** Files and folders below scratch, except for the empty folder of copies. */
export async function scratchLeftovers(scratch: string): Promise<string[]> {
  const names = await readdir(scratch, { recursive: true }).catch(() => []);
  return names.filter((name) => name !== 'objects').sort();
}
