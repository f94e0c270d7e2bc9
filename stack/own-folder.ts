import { chmod, mkdir } from 'node:fs/promises';

/** Makes a folder the owner's alone, also one that is there already: nobody else reaches what lies below it. */
export async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
}
