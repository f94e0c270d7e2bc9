import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { startTestStack } from '../support/test-stack.ts';
import { withoutMachine } from './history-file.ts';
import { OTHER_PATHS } from './other-paths.ts';
import type { Recording } from './recording.ts';
import { RELEASE_PATHS } from './release-paths.ts';

/**
 * Records a history of every way through the workflows, on a real stack, into this folder. Run it when a release of
 * Opaline is made, and keep the older files: gates outlive deployments, so the code has to replay them.
 * Usage: node test/replay/record-histories.ts NAME [PATH…], where NAME says which version recorded them; all paths when
 * none is named.
 */
const PATHS = { ...RELEASE_PATHS, ...OTHER_PATHS };
const AT_ONCE = 3;

const [name, ...named] = process.argv.slice(2);
if (!name) throw new Error('name the version that records, such as v1');
const todo = named.length > 0 ? named : Object.keys(PATHS);
const stack = await startTestStack();
const connection = await Connection.connect({ address: stack.address });
const temporal = new Client({ connection });

const record: Recording['record'] = async (file, { workflowId, runId }, ended) => {
  const handle = temporal.workflow.getHandle(workflowId, runId, { followRuns: false });
  if (ended) await handle.result();
  const history: unknown = JSON.parse(historyToJSON(await handle.fetchHistory()));
  await writeFile(new URL(`./${name}-${file}.json`, import.meta.url), `${JSON.stringify(withoutMachine(history))}\n`);
  process.stdout.write(`recorded ${name}-${file}\n`);
};

async function lane(): Promise<void> {
  for (let path = todo.shift(); path; path = todo.shift())
    try {
      await PATHS[path]!({ stack, path, source: join(stack.source, path), record });
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(`${path} is not recorded: ${error instanceof Error ? error.stack : error}\n`);
    }
}

try {
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
} finally {
  await connection.close();
  await stack.end();
}
