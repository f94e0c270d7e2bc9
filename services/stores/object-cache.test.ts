import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { FolderStore } from './folder-store.ts';
import { readBytes } from './json-objects.ts';
import { remember } from './object-cache.ts';

test('an object is read once for each store, and a read that failed is tried again', async () => {
  const folder = newFolder();
  let reads = 0;
  const read = remember(async (store, key) => {
    reads += 1;
    return (await readBytes(store, key)).toString('utf8');
  });
  const [one, other] = [new FolderStore(join(folder, 'one')), new FolderStore(join(folder, 'other'))];
  await expect(read(one, 'a')).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
  await one.putIfAbsent('a', Buffer.from('of one'));
  await other.putIfAbsent('a', Buffer.from('of the other'));
  expect(await Promise.all([read(one, 'a'), read(one, 'a'), read(other, 'a')])).toEqual([
    'of one',
    'of one',
    'of the other',
  ]);
  expect(await read(one, 'a')).toBe('of one');
  expect(reads).toBe(3);
});
