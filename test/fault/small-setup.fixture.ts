import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadedSeries, loadSeriesFile } from '../../client/series/series-file.ts';
import { writeSmallSeries } from '../support/small-series.ts';

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
