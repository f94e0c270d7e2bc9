import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../contracts/errors.ts';
import { WORKING_PREFIXES } from '../contracts/names.ts';
import { FolderStore } from '../services/stores/folder-store.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { decideSmall, startSmall } from '../test/support/releases.ts';
import { SMALL_WINDOW, type SmallSeries } from '../test/support/small-series.ts';
import { startSmallStack } from '../test/support/small-stack.ts';
import { reaches, type TestStack } from '../test/support/test-stack.ts';
import { run, start, words } from './process.fixture.ts';

let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
});
afterAll(() => stack?.end());

const file = (side: 'private' | 'public' | 'client') => stack.files.deployment(side);

const opaline = (line: string, changed: { deployment?: string; custodians?: string } = {}) =>
  run(words(line), { cwd: stack.root, deployment: file('client'), custodians: file('private'), ...changed });

/** The deployment of a side, in another namespace. */
async function moved(side: 'private' | 'client', namespace = 'opaline'): Promise<string> {
  const deployment = JSON.parse(await readFile(file(side), 'utf8'));
  const path = join(newFolder(), `${side}.json`);
  await writeFile(path, JSON.stringify({ ...deployment, temporal: { ...deployment.temporal, namespace } }));
  return path;
}

describe('opaline worker', () => {
  test.each(['private', 'public'] as const)('runs the %s side until it is stopped', async (side) => {
    const { child, ending } = start(['worker', side, file(side)], { cwd: stack.root });
    let log = '';
    while (!log.includes('worker is ready')) log += (await once(child.stdout, 'data'))[0];
    child.kill('SIGTERM');
    expect(await ending).toMatchObject({ code: EXIT.done, stderr: '' });
  });

  test('names the file that is not there, on a line of its log, and ends with 2', async () => {
    const { code, stdout } = await opaline('worker private nowhere.json');
    expect(code).toBe(EXIT.badInput);
    expect(JSON.parse(stdout)).toMatchObject({ side: 'private', code: 'CONFIGURATION_INVALID' });
    expect(stdout).toContain('nowhere.json is not there');
  });

  test('takes its file from a variable, and says which field of it is wrong', async () => {
    process.env.OPALINE_TEST_FILE = '{"temporal": {}}';
    const { code, stdout } = await opaline('worker public env:OPALINE_TEST_FILE');
    delete process.env.OPALINE_TEST_FILE;
    expect(code).toBe(EXIT.badInput);
    expect(stdout).toContain('temporal.address');
  });
});

describe('opaline temporal setup', () => {
  test('says what is missing, makes it once, and leaves it so', async () => {
    const deployment = await moved('client');
    const before = await opaline('temporal setup --check', { deployment });
    expect(before).toMatchObject({ code: EXIT.waiting, stderr: '' });
    expect(before.stdout).toContain('There is no namespace opaline: make it, with a retention of 90 days.');
    const made = await opaline('temporal setup --json', { deployment });
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: EXIT.done, stderr: '' });
    expect(JSON.parse(made.stdout)).toMatchObject({ done: [{}, {}].map(() => expect.any(String)), missing: [] });
    const again = await opaline('temporal setup', { deployment });
    expect(again.stdout).toBe(
      'The namespace opaline has what Opaline needs. No build is current yet: the first worker of each side that polls makes its own so, unless another was promoted before.\n',
    );
  }, 240_000);

  test('raises a retention of a day, and names the build that is current', async () => {
    // The embedded stack has done so at its start.
    const { stdout } = await opaline('temporal setup --check');
    expect(stdout).toMatch(/^The namespace default has what Opaline needs\. Build [0-9a-f]{16} takes new/);
    const deployment = await moved('client', 'short');
    const connection = await Connection.connect({ address: stack.address });
    const workflowExecutionRetentionPeriod = { seconds: 86_400 as never };
    await connection.workflowService.registerNamespace({ namespace: 'short', workflowExecutionRetentionPeriod });
    await connection.close();
    const raised = await opaline('temporal setup', { deployment });
    expect(raised.stdout).toMatch(/^Done: the retention was 1 days, and is 90\./);
    expect((await opaline('temporal setup --check', { deployment })).code).toBe(EXIT.done);
  }, 240_000);
});

describe('opaline store', () => {
  test('purge leaves a release that has just ended, takes what an older one left, and the ledger holds', {
    tags: 'soak',
    timeout: 240_000,
  }, async () => {
    const release = await startSmall(stack.client, series, 1);
    await reaches(stack.client, release, ['waiting']);
    const atGate = await opaline('store purge --yes --reports', { custodians: await moved('private') });
    expect(atGate.stdout).toContain(`keeps its objects: its ledger has no end of its charge, so it may go on.`);
    await decideSmall(stack.client, series, release, 'approve');
    await reaches(stack.client, release, ['published']);
    const justEnded = await opaline('store purge --yes');
    expect(justEnded.stdout).toContain('keeps its objects: it is at work, or was a few hours ago.');
    expect(justEnded.stdout).toContain('0 objects of 0 MiB may go.');

    // A namespace that knows nothing of the release: as after its retention.
    const custodians = await moved('private');
    const { stdout: listed } = await opaline('store list private/cells/', { custodians });
    expect(listed).toMatch(/cells\/small\/.*\.parquet$/m);
    const asked = await opaline('store purge', { custodians });
    expect(asked).toMatchObject({ code: EXIT.badInput, stderr: expect.stringContaining('add --yes') });
    const dry = JSON.parse((await opaline('store purge small --dry-run --json', { custodians })).stdout);
    expect(dry).toMatchObject({ removed: false, kept: [] });
    expect((await opaline('store purge other --yes', { custodians })).stdout).toContain('0 objects');
    const gone = JSON.parse((await opaline('store purge --reports --yes --json', { custodians })).stdout);
    expect(gone).toMatchObject({ removed: true, objects: expect.arrayContaining(dry.objects) });
    const store = new FolderStore(stack.files.store('private'));
    for (const prefix of WORKING_PREFIXES) for await (const { key } of store.list(`${prefix}/`)) expect(key).toBe('');
    expect((await opaline('store list private/privatized/small')).stdout.split('\n')).toHaveLength(7);
    expect(await opaline('ledger verify --private')).toMatchObject({ code: EXIT.done, stderr: '' });
    expect(await opaline('doctor --all')).toMatchObject({ code: EXIT.done });
    const entry = await opaline('store get release/ledger/small-riders/000000000001.json');
    expect(JSON.parse(entry.stdout)).toHaveProperty('payload');
  });

  test('names what it does not understand', async () => {
    for (const line of ['store list', 'store get elsewhere/x', 'store setup nowhere.json'])
      expect((await opaline(line)).code).toBe(EXIT.badInput);
    expect((await opaline(`store get release/${SMALL_WINDOW}`)).stderr).toMatch(/^OBJECT_MISSING: /);
  });
});
