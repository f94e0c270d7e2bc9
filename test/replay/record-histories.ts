import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { startTestStack, usualDeployments } from '../support/test-stack.ts';
import { TEST_SOURCES, TEST_TRUST, widePopulation } from '../support/test-trust.ts';
import { withoutMachine } from './history-file.ts';
import { OTHER_PATHS } from './other-paths.ts';
import type { Recording } from './recording.ts';
import { RELEASE_PATHS } from './release-paths.ts';

/**
 * Records a history of every path through the workflows, on a real stack, into this folder, over the one that is there.
 * Until v1.0.0 there is one history of each path, of the workflows of today: run it when `replay.test.ts` fails by
 * intent. Usage: node test/replay/record-histories.ts [PATH…]; all paths when none is named. It takes some minutes.
 */
const PATHS = { ...RELEASE_PATHS, ...OTHER_PATHS };
const AT_ONCE = 3;

const named = process.argv.slice(2);
const todo = named.length > 0 ? named : Object.keys(PATHS);
const own = Object.fromEntries(Object.keys(PATHS).map((path) => [path, widePopulation([path])]));
const sources = [...TEST_SOURCES, ...Object.keys(PATHS)];
const trust = { ...TEST_TRUST, populations: { ...TEST_TRUST.populations, ...own } };
const stack = await startTestStack((root) => usualDeployments(root, sources), undefined, trust);
const connection = await Connection.connect({ address: stack.address });
const temporal = new Client({ connection });

const record: Recording['record'] = async (file, { workflowId, runId }, ended) => {
  const handle = temporal.workflow.getHandle(workflowId, runId, { followRuns: false });
  if (ended) await handle.result();
  const history: unknown = JSON.parse(historyToJSON(await handle.fetchHistory()));
  await writeFile(new URL(`./${file}.json`, import.meta.url), `${JSON.stringify(withoutMachine(history))}\n`);
  process.stdout.write(`recorded ${file}\n`);
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
