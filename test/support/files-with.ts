import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file below a folder that holds one of the words, or has it in its name: `WORD in PATH`. */
export async function filesWith(folder: string, words: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'latin1');
    for (const word of words)
      if (text.includes(word) || path.includes(word)) found.push(`${word} in ${path.slice(folder.length)}`);
  }
  return found;
}
