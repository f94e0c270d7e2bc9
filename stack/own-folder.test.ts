import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../test/support/new-folder.ts';
import { ownFolder } from './own-folder.ts';

test("a folder that others could read is the owner's alone, and so is a new one", async () => {
  const folder = newFolder();
  await chmod(folder, 0o755);
  for (const path of [folder, join(folder, 'new')]) {
    await ownFolder(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  }
});
