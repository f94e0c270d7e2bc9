import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { expect, test } from 'vitest';
import { workflowBundle } from '../../worker/workflow-bundle.ts';

// A worker of each replay would say five times what state it is in.
const filter = { core: 'ERROR', other: 'ERROR' } as const;
Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter, forward: {} } } });

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const histories = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

const read = (file: string) => JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8'));

const replay = async (history: unknown) =>
  Worker.runReplayHistory({ workflowBundle: { codePath: await workflowBundle() } }, history);

test.each(histories)('the workflow code of today replays %s', async (file) => {
  await replay(read(file));
});

test('a history that the code would not have made is refused: a breaking change would be caught', async () => {
  const history = read('published.json');
  const scheduled = history.events.find(
    (event: { activityTaskScheduledEventAttributes?: unknown }) => event.activityTaskScheduledEventAttributes,
  );
  scheduled.activityTaskScheduledEventAttributes.activityType.name = 'another';
  await expect(replay(history)).rejects.toThrow(DeterminismViolationError);
});
