import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { planRun, startRelease } from '../../client/release/plan-run.ts';
import type { Run } from '../../contracts/stages.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { generateDemo } from '../../examples/demo/generate-demo.ts';
import { copyExampleSeries } from '../support/example-series.ts';
import { newFolder } from '../support/new-folder.ts';
import { decideSmall } from '../support/releases.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { reaches } from '../support/test-stack.ts';
import type { Cluster } from './cluster.ts';

/** The series file of the demo and its approver; the source objects of its first window are in the source bucket. */
export async function deliverDemo({ stores }: Cluster): Promise<{ series: SmallSeries; window: string }> {
  const folder = newFolder();
  await generateDemo(folder);
  const source = stores.store('source', 'supplier', 'demo');
  const window = '2026-03-02';
  for (let day = 0; day < 7; day++) {
    const date = addDays(window, day);
    for (const name of await readdir(join(folder, 'trips', date)))
      await source.putIfAbsent(`trips/${date}/${name}`, await readFile(join(folder, 'trips', date, name)));
  }
  return { series: await copyExampleSeries('demo', newFolder()), window };
}

export const startWindow = async (
  { client }: Cluster,
  series: SmallSeries,
  window: string,
  version = 1,
): Promise<Run> => startRelease(client, await planRun(client, series.file, window, version));

/** Waits for the gate of a release, approves it, and waits until it is public. */
export async function publishAtGate({ client }: Cluster, series: SmallSeries, run: Run, seconds = 120): Promise<void> {
  const { attention } = await reaches(client, run, ['waiting'], seconds);
  const answer = await decideSmall(client, series, run, 'approve', attention ?? []);
  if (!answer.accepted) throw new Error(`not approved: ${answer.code} ${answer.message}`);
  await reaches(client, run, ['published'], seconds);
}
