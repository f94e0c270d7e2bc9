import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLedger } from '../../activities/ledger/ledger.ts';
import { readBytes, sha256 } from '../../activities/stores/json-objects.ts';
import { releasePath, releaseWorkflowId } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { type SmallStack, smallPlaces, startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

/**
 * Temporal restored from a dump of before a publication: the release is at its gate again, and public. What people decide
 * now is a second execution of it.
 */
let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  const small: SmallStack = await startSmallStack();
  ({ stack, series } = small);
});
afterAll(() => stack?.end());

const at = (run: Run, ...states: Parameters<typeof reaches>[2]) => reaches(stack.client, run, states, 120);

/** Puts a workflow back to before its first decision, as an older dump does; its decisions are forgotten. */
async function setBack(run: Run): Promise<void> {
  const { connection, options, workflow } = stack.client.temporal;
  const workflowId = releaseWorkflowId(run);
  const { events } = await workflow.getHandle(workflowId).fetchHistory();
  const decided = events!.findIndex((event) => event.workflowExecutionUpdateAcceptedEventAttributes);
  const task = events!.slice(0, decided - 1).findLast((event) => event.workflowTaskCompletedEventAttributes)!;
  await connection.workflowService.resetWorkflowExecution({
    namespace: options.namespace,
    workflowExecution: { workflowId },
    reason: 'restored',
    requestId: `restored-${releasePath(run)}`,
    workflowTaskFinishEventId: task.eventId!,
    resetReapplyExcludeTypes: [1, 2],
  });
}

async function entriesOf(run: Run): Promise<string[]> {
  const { entries } = await readLedger(stack.client.releaseStore, 'small-riders');
  return entries.flatMap((entry) => ('release' in entry && entry.release === releasePath(run) ? entry.kind : []));
}

async function publicFiles(): Promise<Map<string, string>> {
  const { publication } = smallPlaces(stack);
  const files = new Map<string, string>();
  for await (const { key } of publication.list('')) files.set(key, sha256(await readBytes(publication, key)));
  return files;
}

test.each(['approve', 'reject'] as const)(
  'C12: a release that is public stays so when Temporal is restored and people %s it once more',
  async (decision) => {
    const run = await startSmall(stack.client, series, decision === 'approve' ? 1 : 2);
    await at(run, 'waiting');
    expect(await decideSmall(stack.client, series, run, 'approve')).toMatchObject({ accepted: true });
    await at(run, 'published');
    const before = await publicFiles();
    await setBack(run);
    await at(run, 'waiting');
    expect(await decideSmall(stack.client, series, run, decision)).toMatchObject({ accepted: true });
    expect(await at(run, 'published', 'failed')).toMatchObject({ state: 'published', ending: null });
    expect(await entriesOf(run)).toEqual(['reserve', 'commit']);
    expect(await publicFiles()).toEqual(before);
  },
  300_000,
);
