import { beforeAll, expect, test } from 'vitest';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { openStore } from '../../services/stores/open-store.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { requireApplied } from './applied-series.ts';
import { applySeries } from './apply-series.ts';
import { loadSeriesFile } from './series-file.ts';

const folder = newFolder();
let store: ObjectStore;
beforeAll(async () => {
  store = openStore({ kind: 'folder', path: folder });
});

const refusal = (name: string) => requireApplied(store, name).catch(({ code, message }) => `${code}: ${message}`);

test('a series that was never applied is a wrong use, with the command that applies one', async () => {
  expect(await refusal('demo-taps')).toBe(
    'USAGE: No series "demo-taps" was applied; `opaline schedule apply` applies a series file.',
  );
});

test('an applied series is found; a misspelt name is told the names that are near', async () => {
  const loaded = await loadSeriesFile('examples/demo.yaml');
  await applySeries({ releaseStore: store, signingKey: null }, loaded);
  await store.putIfAbsent(RELEASE_KEYS.series('begun', 'digest'), new Uint8Array());
  expect(await requireApplied(store, 'demo-taps')).toMatchObject({ digest: loaded.digest });
  for (const name of ['demo-tap', '../demo-taps', 'begun', ''])
    expect(await refusal(name)).toMatch(/^USAGE: No series .* Near: demo-taps\.$/);
});
