import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from './own-folder.ts';

test("a folder that others could read is the owner's alone, and so is a new one", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opaline-own-'));
  try {
    await chmod(folder, 0o755);
    for (const path of [folder, join(folder, 'new')]) {
      await ownFolder(path);
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
