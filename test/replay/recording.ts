import { join } from 'node:path';
import { releaseWorkflowId } from '../../contracts/names.ts';
import type { ReleaseState } from '../../contracts/release-state.ts';
import type { ReleaseStatus, Run } from '../../contracts/stages.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import {
  type Edit,
  type SmallSeries,
  smallTrips,
  writeSmallSeries,
  writeSmallTrips,
  writeTrips,
} from '../support/small-series.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

/** Seconds until a release is where it is waited for; several are recorded at once. */
const PATIENCE = 200;

/** One path through a workflow while it is recorded: its own series, people and source objects on a shared stack. */
export type Recording = {
  stack: TestStack;
  /** Name of the path; the series and the folder of its source objects are named the same. */
  path: string;
  source: string;
  /** Keeps the history of a workflow as it is now; `ended` waits for its end first. */
  record(name: string, execution: { workflowId: string; runId?: string }, ended: boolean): Promise<void>;
};

/** Makes a series read its objects from the folder of its path. */
export const ownSource =
  ({ path }: Recording): Edit =>
  (yaml) =>
    yaml.replace('pattern: "', `pattern: "${path}/`);

/** The small series of a path, with its objects. */
export async function smallOf(recording: Recording, edit: Edit = (yaml) => yaml): Promise<SmallSeries> {
  const { stack, path, source } = recording;
  await writeSmallTrips(source);
  const changes = { series: path, population: path };
  const own = ownSource(recording);
  return writeSmallSeries(join(stack.root, 'series', path), changes, (yaml) => edit(own(yaml)));
}

/** Starts the release of a series, and says how it goes on. */
export async function releaseOf({ stack, path, source, record }: Recording, series: SmallSeries, version = 1) {
  const run: Run = await startSmall(stack.client, series, version);
  return {
    run,
    at: (state: ReleaseState): Promise<ReleaseStatus> => reaches(stack.client, run, [state], PATIENCE),
    decide: (decision: Parameters<typeof decideSmall>[3]) => decideSmall(stack.client, series, run, decision),
    ask: (action: Parameters<typeof stack.client.ask>[1]) =>
      stack.client.ask(run, action, { subject: 'test', partitions: [] }),
    deliver: (day: string) => writeTrips(source, day, 'bus', smallTrips(day, 'bus')),
    record: (ended = true) => record(path, { workflowId: releaseWorkflowId(run) }, ended),
  };
}
