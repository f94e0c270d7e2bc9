import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system of its own, in memory, that can really be full. */
export type SmallDisk = {
  folder: string;
  /** Fills it up, except for `bytes` bytes. */
  leave(bytes: number): Promise<void>;
  /** Takes the filling away again. */
  free(): Promise<void>;
  unmount(): Promise<void>;
};

/** Mounts one; null where the process may not, and then nothing can be tested. */
export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk | null> {
  const folder = await mkdtemp(join(tmpdir(), 'opaline-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true });
    return null;
  }
  const filling = join(folder, 'filling');
  return {
    folder,
    async leave(bytes) {
      await rm(filling, { force: true });
      const { bavail, bsize } = await statfs(folder);
      await writeFile(filling, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
    },
    free: () => rm(filling, { force: true }),
    async unmount() {
      await run('umount', [folder]);
      await rm(folder, { recursive: true });
    },
  };
}
