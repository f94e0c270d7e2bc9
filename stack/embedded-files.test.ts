import { readFile, writeFile } from 'node:fs/promises';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '../test/support/new-folder.ts';
import { folderDeployments, locateFiles, withKept, writeDeployments } from './embedded-files.ts';

let root: string;
beforeEach(() => {
  root = newFolder();
});

/** Starts once more with these sources, and gives the private deployment file. */
async function startedWith(sources: Record<string, string>, address: string) {
  const files = locateFiles(root);
  await writeDeployments(files, await withKept(files, folderDeployments(files, sources)), address);
  return JSON.parse(await readFile(files.deployment('private'), 'utf8'));
}

test('what people have written into a deployment file stays at the next start, but for where Temporal is', async () => {
  const first = await startedWith({ demo: 'demo' }, 'here:1');
  const mine = { kind: 's3', bucket: 'taps' };
  const edited = { ...first, memoryMiB: 2048, sources: { ...first.sources, mine } };
  await writeFile(locateFiles(root).deployment('private'), JSON.stringify(edited));
  const second = await startedWith({ demo: 'elsewhere' }, 'here:2');
  expect(second).toEqual({
    ...edited,
    temporal: { address: 'here:2' },
    sources: { demo: { kind: 'folder', path: 'elsewhere' }, mine },
  });
});

test('a deployment file that cannot be read is written anew', async () => {
  const first = await startedWith({ demo: 'demo' }, 'here:1');
  await writeFile(locateFiles(root).deployment('private'), '{');
  expect(await startedWith({ demo: 'demo' }, 'here:1')).toEqual(first);
});
