import { chmod, cp, link, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { describeConformance, list, racePut } from './conformance.fixture.ts';
import { FolderStore } from './folder-store.ts';
import { jsonBytes, readBytes } from './json-objects.ts';
import { readMutable, swapMutable } from './mutable-json.ts';

const base = newFolder();

async function open() {
  const path = await mkdtemp(join(base, 'store-'));
  const temporary = join(path, '.opaline-store', 'temporary');
  const litter = () => readdir(temporary).catch(() => []);
  return { path, store: new FolderStore(path), again: () => new FolderStore(path), litter };
}

describeConformance(open);

test('the race of the suite catches a store that looks first and renames then', async () => {
  const { path, store } = await open();
  class RenamingStore extends FolderStore {
    override async putIfAbsent(key: string, body: Uint8Array): Promise<'created' | 'exists'> {
      if ((await this.head(key)) !== null) return 'exists';
      await mkdir(dirname(join(path, key)), { recursive: true });
      await writeFile(join(path, key), body);
      return 'created';
    }
  }
  const stores = Array.from({ length: 20 }, () => new RenamingStore(path));
  let several = 0;
  for (let round = 0; round < 10; round++) {
    if ((await racePut(stores, `race/${round}`)).winners.length > 1) several++;
  }
  expect(several).toBeGreaterThan(0);
  expect((await racePut([store, store], 'race/fair')).winners).toHaveLength(1);
});

describe('a crash between claim and visible file', () => {
  const claim = (path: string, key: string, generation: number) =>
    join(path, '.opaline-store', 'generations', key, String(generation));

  test('the claim stands: readers find it, a swap on the generation before is lost, and the file is mended', async () => {
    const { path, store } = await open();
    await swapMutable(store, 'latest.json', null, { to: 'a' });
    const before = await readMutable(store, 'latest.json');
    // What a writer leaves that is killed after its claim.
    await writeFile(claim(path, 'latest.json', 2), jsonBytes({ to: 'b', generation: 2 }));
    expect(await swapMutable(store, 'latest.json', before, { to: 'c' })).toBe(false);
    expect(await readMutable(store, 'latest.json')).toMatchObject({ generation: 2, value: { to: 'b' } });
    expect(JSON.parse(await readFile(join(path, 'latest.json'), 'utf8'))).toEqual({ to: 'b', generation: 2 });
    expect(await swapMutable(store, 'latest.json', await readMutable(store, 'latest.json'), { to: 'c' })).toBe(true);
  });

  test('the first claim stands too', async () => {
    const { path, store } = await open();
    await mkdir(dirname(claim(path, 'a/latest.json', 1)), { recursive: true });
    await writeFile(claim(path, 'a/latest.json', 1), jsonBytes({ to: 'a', generation: 1 }));
    expect(await swapMutable(store, 'a/latest.json', null, { to: 'b' })).toBe(false);
    expect(await readMutable(store, 'a/latest.json')).toMatchObject({ generation: 1, value: { to: 'a' } });
    expect((await readBytes(store, 'a/latest.json')).toString()).toBe('{"generation":1,"to":"a"}\n');
  });

  test('a copy that a sleeping writer put back is mended by whoever reads next', async () => {
    const { path, store } = await open();
    await swapMutable(store, 'latest.json', null, { to: 'a' });
    const old = await readFile(join(path, 'latest.json'));
    for (const to of ['b', 'c'])
      await swapMutable(store, 'latest.json', await readMutable(store, 'latest.json'), { to });
    await writeFile(join(path, 'latest.json'), old);
    expect(await readMutable(store, 'latest.json')).toMatchObject({ generation: 3, value: { to: 'c' } });
    expect((await readBytes(store, 'latest.json')).toString()).toContain('"to":"c"');
  });
});

test('a copy of the folder without its hidden part goes on from the visible files', async () => {
  const { path, store } = await open();
  await swapMutable(store, 'latest.json', null, { to: 'a' });
  const copy = join(base, 'copy');
  await cp(path, copy, { recursive: true, filter: (source) => !source.includes('.opaline-store') });
  const copied = new FolderStore(copy);
  const read = await readMutable(copied, 'latest.json');
  expect(read).toMatchObject({ generation: 1, value: { to: 'a' } });
  expect(await swapMutable(copied, 'latest.json', read, { to: 'b' })).toBe(true);
  expect(await readMutable(copied, 'latest.json')).toMatchObject({ generation: 2, value: { to: 'b' } });
});

test('the tag changes when a file is changed in place', async () => {
  const { path, store } = await open();
  await store.putIfAbsent('a', Buffer.from('old'));
  const before = await store.head('a');
  await writeFile(join(path, 'a'), 'new');
  expect((await store.head('a'))?.tag).not.toBe(before?.tag);
});

test('a list follows links to files, names those that lead nowhere, and passes over hidden files', async () => {
  const { path, store } = await open();
  await writeFile(join(path, 'real'), 'x');
  await link(join(path, 'real'), join(path, 'hard'));
  await symlink(join(path, 'real'), join(path, 'soft'));
  await symlink(join(path, 'absent'), join(path, 'dangling'));
  await writeFile(join(path, '.hidden'), 'x');
  expect((await list(store, '')).map((facts) => facts.key)).toEqual(['dangling', 'hard', 'real', 'soft']);
});

test('a folder that is not there is an empty store, and is made by the first write', async () => {
  const store = new FolderStore(join(base, 'not', 'yet'));
  expect(await list(store, '')).toEqual([]);
  expect(await store.head('a')).toBeNull();
  expect(await store.putIfAbsent('a', Buffer.from('x'))).toBe('created');
});

test('an error of the system is told without the path of the object', async () => {
  const { path, store } = await open();
  await writeFile(join(path, 'file'), 'x');
  const error = await store.putIfAbsent('file/below-secret', Buffer.from('x')).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'OpalineError', code: 'CONFIGURATION_INVALID' });
  expect(error.message).not.toContain('below-secret');
});

// The superuser may write anywhere, so there is nothing to refuse.
test.skipIf(process.getuid?.() === 0)('a folder without permission is CONFIGURATION_INVALID', async () => {
  const { path, store } = await open();
  await chmod(path, 0o500);
  await expect(store.putIfAbsent('a', Buffer.from('x'))).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' });
});

describe('links that leave the store', () => {
  /** A store with a link to a file and one to a folder, both of which are beside it. */
  async function withLinks() {
    const { path, store } = await open();
    const outside = await mkdtemp(join(base, 'outside-'));
    await writeFile(join(outside, 'secret'), 'secret');
    await symlink(join(outside, 'secret'), join(path, 'file'));
    await symlink(outside, join(path, 'folder'));
    return { path, store, outside };
  }

  test.each(['file', 'folder/secret'])(
    '%s is neither read nor described, where a plain read gives it away',
    async (key) => {
      const { path, store } = await withLinks();
      await expect(store.get(key)).rejects.toMatchObject({ code: 'OBJECT_UNREADABLE' });
      await expect(store.head(key)).rejects.toMatchObject({ code: 'OBJECT_UNREADABLE' });
      expect(await readFile(join(path, key), 'utf8')).toBe('secret');
    },
  );

  test('a list names the file without its size, and goes into no folder by a link', async () => {
    const { store } = await withLinks();
    expect(await list(store, '')).toEqual([{ key: 'file', size: 0, tag: 'link' }]);
  });

  test('nothing is written through them', async () => {
    const { store, outside } = await withLinks();
    await expect(store.putIfAbsent('folder/planted', Buffer.from('x'))).rejects.toMatchObject({
      code: 'OBJECT_UNREADABLE',
    });
    await expect(swapMutable(store, 'folder/pointer', null, {})).rejects.toThrow();
    expect(await readdir(outside)).toEqual(['secret']);
  });

  test('the root of a store may be a link', async () => {
    const { path, store } = await open();
    await store.putIfAbsent('a', Buffer.from('x'));
    await symlink(path, `${path}-link`);
    expect((await readBytes(new FolderStore(`${path}-link`), 'a')).toString()).toBe('x');
  });
});
