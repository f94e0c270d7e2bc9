import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Puts a file where a folder store wants a folder: whatever writes the key fails, and is repeated for a while. Gives
 * what takes the file away.
 */
export async function block(store: string, key: string): Promise<() => Promise<void>> {
  const path = dirname(join(store, key));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
  return () => rm(path);
}
