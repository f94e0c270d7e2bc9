import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tamperFindings } from '../../client/tampering/tampering.ts';
import { releaseWorkflowId } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { type SmallSeries, writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';

/**
 * Whoever has the credential of the namespace polls the private task queue in the worker's place, and writes the release
 * store: every answer is theirs. They charge nothing, publish nothing and learn nothing. They stop the release: that is
 * denial of service, and is named so in docs/security.md.
 */
let stack: TestStack;
let series: SmallSeries;
let first: Run;

beforeAll(async () => {
  const program = (path: string) => new URL(path, import.meta.url);
  const workers = { private: program('impostor.child.ts'), public: program('../../worker/public.ts') };
  stack = await startTestStack(undefined, workers);
  series = await writeSmallSeries(join(stack.root, 'small'));
  await writeSmallTrips(stack.source);
});
afterAll(async () => {
  await stack?.end();
});

const keysOf = async (folder: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of new FolderStore(folder).list('')) keys.push(key);
  return keys;
};

test('C11 C12 C16: invented answers to every stage charge nothing and publish nothing', async () => {
  first = await startSmall(stack.client, series);
  const { stage, ending } = await reaches(stack.client, first, ['failed'], 90);
  expect(ending).toMatchObject({ code: 'VERIFICATION_FAILED' });
  expect(stage).toBe('derive');
  expect(await keysOf(stack.files.store('private'))).toEqual([]);
  expect(await keysOf(stack.files.publication)).toEqual(expect.not.arrayContaining([expect.stringMatching(/^small/)]));
  expect((await readLedger(stack.client.releaseStore, 'small-riders')).entries).toEqual([]);
  // The tables are there, and the doctor says what they are.
  const found = await tamperFindings(stack.client.releaseStore, await stack.client.trust(), { thorough: false });
  expect(found.map(({ sentence }) => sentence)).toContainEqual(expect.stringContaining('somebody planted them'));
});

test('when they are gone, the release ends without a charge, and the next version is published', async () => {
  await writeFile(`${stack.files.deployment('private')}.attacker-gone`, '');
  process.kill(stack.workers().private!, 'SIGKILL');
  // The real worker says that there is no charge to withhold.
  await stack.client.temporal.workflow.result(releaseWorkflowId(first));
  const next = await startSmall(stack.client, series, 2);
  await reaches(stack.client, next, ['waiting'], 120);
  expect(await decideSmall(stack.client, series, next, 'approve')).toMatchObject({ accepted: true });
  await reaches(stack.client, next, ['published'], 60);
  const { entries } = await readLedger(stack.client.releaseStore, 'small-riders');
  expect(entries.map(({ kind }) => kind)).toEqual(['policy', 'reserve', 'commit']);
});
