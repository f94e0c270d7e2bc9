import { spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { mountSmallDisk } from '../../test/support/small-disk.ts';
import { withScratchFolder } from './scratch-folder.ts';

let scratch: string;
beforeEach(async () => {
  scratch = join(newFolder(), 'not', 'there');
});

test('the folder is there while the work runs, and gone when it has ended or failed', async () => {
  expect(await withScratchFolder(scratch, () => readdir(scratch))).toHaveLength(1);
  expect(await readdir(scratch)).toEqual([]);
  const failure = new TypeError('not ours');
  await expect(withScratchFolder(scratch, () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await readdir(scratch)).toEqual([]);
});

test('work that finds no room is OUT_OF_SCRATCH, without a path', async () => {
  const failing = (error: Error) => withScratchFolder(scratch, () => Promise.reject(error));
  const full = Object.assign(new Error(`ENOSPC: no space left on device, write '${scratch}/part'`), { code: 'ENOSPC' });
  const error: unknown = await failing(full).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'OpalineError', code: 'OUT_OF_SCRATCH' });
  expect(String(error)).not.toContain(scratch);
  const duckdb = new Error('IO Error: Could not write file "part": No space left on device');
  await expect(failing(duckdb)).rejects.toMatchObject({ code: 'OUT_OF_SCRATCH' });
});

test('a real full disk is OUT_OF_SCRATCH, and nothing stays', async () => {
  const disk = await mountSmallDisk(1);
  if (!disk) return; // this process may not mount one; test/fault/full-disk.test.ts says so in its titles
  try {
    const large = Buffer.alloc(2 ** 21);
    const write = (folder: string) => writeFile(join(folder, 'large'), large);
    await expect(withScratchFolder(disk.folder, write)).rejects.toMatchObject({ code: 'OUT_OF_SCRATCH' });
    expect(await readdir(disk.folder)).toEqual([]);
  } finally {
    await disk.unmount();
  }
});

test('work in a current folder that was removed ends', () => {
  const script = `process.chdir(${JSON.stringify(newFolder())});
    const { withScratchFolder } = await import(${JSON.stringify(new URL('scratch-folder.ts', import.meta.url).href)});
    const { rmdirSync } = await import('node:fs');
    process.cwd();
    rmdirSync(process.cwd());
    await withScratchFolder('below/it', async () => {}).catch(() => {});`;
  const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: 30_000,
  });
  expect({ status, signal }).toEqual({ status: 0, signal: null });
});
