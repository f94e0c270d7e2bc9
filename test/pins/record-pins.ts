import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { PINNED_RELEASES, type Pins, pinnedObjects, pinsOf } from './pins.ts';

/**
 * Writes pins.json. Usage: node test/pins/record-pins.ts [--write FOLDER]. With a folder it records nothing: it puts the
 * objects there, by release, store and key, so that `diff -r` compares those of two commits.
 */
const { write: folder } = parseArgs({ options: { write: { type: 'string' } } }).values;
process.env.TMPDIR = await mkdtemp(join(tmpdir(), 'opaline-pins-'));
const recorded: Record<string, Pins> = {};
for (const release of PINNED_RELEASES) {
  const objects = await pinnedObjects(release);
  recorded[release] = pinsOf(objects);
  for (const [key, bytes] of folder === undefined ? [] : objects) {
    const path = join(folder!, release, key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
  }
}
if (folder === undefined)
  await writeFile(new URL('pins.json', import.meta.url), `${JSON.stringify(recorded, null, 2)}\n`);
await rm(process.env.TMPDIR, { recursive: true, force: true });
