import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { type TapsSeries, tapsSeries } from '../../kinds/taps/series.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { loadedSeries, ReleaseBench } from '../../test/support/release-bench.ts';
import { testPolicy } from '../../test/support/test-custody.ts';
import { widePopulation } from '../../test/support/test-trust.ts';
import { DATA } from '../measuring.ts';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Folder of the real data of the Oyster week, which may not be there. */
export const OYSTER = join(DATA, 'tfl-oyster');
const WINDOW = '2009-11-01';

/** Two ways to draw the week at ε = 8: as the example does, and as it would with a threshold. */
export const WAYS = {
  'stability histogram': ({ floor: _, hours: __, ...privacy }: TapsSeries['privacy']): TapsSeries['privacy'] => ({
    ...privacy,
    mechanism: 'stability-histogram',
    delta: '1/1000000',
    caps: { block: { epsilon: '16', delta: '1/1000' }, year: { epsilon: '16', delta: '1/1000' } },
    split: { cells: '36/5', time: '3/10', location: '1/2' },
  }),
  'complete domain with floors': (privacy: TapsSeries['privacy']): TapsSeries['privacy'] => privacy,
} as const;
export type Way = keyof typeof WAYS;

/** The Oyster week below a folder, to be drawn in one of the ways. */
export async function oysterWeek(root: string, way: Way): Promise<ReleaseBench> {
  const { series, dictionaries } = await loadSeriesFile(file('../../examples/oyster.yaml'));
  const taps = tapsSeries(series);
  const loaded = loadedSeries(
    { ...taps, privacy: WAYS[way](taps.privacy) },
    dictionaries.map(({ bytes }) => bytes),
  );
  const policy = testPolicy({ populations: { [taps.population]: widePopulation([taps.source.store]) } });
  const own = { sourceStore: () => new FolderStore(OYSTER), memoryMiB: 1024, policy };
  return new ReleaseBench(root, loaded, WINDOW, own).prepared();
}
