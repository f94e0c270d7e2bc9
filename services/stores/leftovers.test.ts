import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { FolderStore } from './folder-store.ts';
import { ownPrefix, removeLeftovers } from './leftovers.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const nameOf = (pid: number): string => ownPrefix('job').replace(`-${process.pid}-`, `-${pid}-`);

test('removes what a killed process left, and nothing of a living one, of this process, or of another name', async () => {
  const living = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
  const dead = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
  const ended = once(dead, 'exit');
  dead.kill('SIGKILL');
  await ended;
  const kept = [`${nameOf(living.pid!)}a`, `${ownPrefix('job')}b`, 'objects'];
  for (const name of [...kept, `${nameOf(dead.pid!)}c`])
    await mkdir(join(folder, name, 'temporary'), { recursive: true });
  expect(await removeLeftovers(folder, 'job')).toBe(1);
  expect((await readdir(folder)).sort()).toEqual(kept.sort());
  living.kill('SIGKILL');
});

test('what another machine left goes after a day', async () => {
  for (const name of ['job-elsewhere-1-old', 'job-elsewhere-1-new']) await writeFile(join(folder, name), '');
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  await utimes(join(folder, 'job-elsewhere-1-old'), twoDaysAgo, twoDaysAgo);
  await removeLeftovers(folder, 'job');
  expect(await readdir(folder)).toEqual(['job-elsewhere-1-new']);
});

test('a folder that is not there is no error', async () => {
  expect(await removeLeftovers(join(folder, 'nowhere'), 'job')).toBe(0);
});

test('a temporary file that a killed writer left in a folder store is in no listing, and is swept', async () => {
  const store = new FolderStore(folder);
  await store.putIfAbsent('a/b', Buffer.from('x'));
  const temporary = join(folder, '.opaline-store', 'temporary');
  await writeFile(join(temporary, ownPrefix('part').replace(`-${process.pid}-`, '-4194304-')), 'half');
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  expect(keys).toEqual(['a/b']);
  await store.removeLeftovers();
  expect(await readdir(temporary)).toEqual([]);
});
