import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { provideTool } from '../infra/provision/tools.mjs';
import { newFolder } from '../test/support/new-folder.ts';
import { usualDeployments } from '../test/support/test-stack.ts';
import { TEST_TRUST } from '../test/support/test-trust.ts';
import { locateFiles } from './embedded-files.ts';
import { ownFolder, startStack } from './stack.ts';

let root: string;
beforeEach(() => {
  root = newFolder();
});

test('a start that fails half-way leaves neither its server nor its lock behind', async () => {
  const files = locateFiles(root);
  // The server is up when the deployment files are written, and one cannot be.
  await mkdir(files.deployment('private'), { recursive: true });
  const start = async () =>
    startStack({
      root,
      temporalCli: await provideTool('temporal-cli'),
      deployments: usualDeployments(root),
      trust: TEST_TRUST,
    });
  await expect(start()).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(readFile(files.lock)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readFile(files.log('temporal'), 'utf8')).not.toBe('');
  // Not "a stack is running here already": nothing is.
  await expect(start()).rejects.toMatchObject({ code: 'EISDIR' });
}, 240_000);

test('a worker that does not start is told with what it said last', async () => {
  const usual = usualDeployments(root);
  const webhooks = [{ url: 'https://example.org/', secret: { env: 'OPALINE_NOT_SET' } }];
  const deployments = { ...usual, public: { ...usual.public, notices: { webhooks } } };
  const start = startStack({ root, temporalCli: await provideTool('temporal-cli'), deployments, trust: TEST_TRUST });
  const message = await start.then(String, (error: Error) => error.message);
  expect(message).toMatch(/^The public worker did not start; .*public\.log\. It ended with CONFIGURATION_INVALID: /);
}, 240_000);

test("a folder that others could read is the owner's alone, and so is a new one", async () => {
  const folder = newFolder();
  await chmod(folder, 0o755);
  for (const path of [folder, join(folder, 'new')]) {
    await ownFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  }
});
