import { beforeEach, expect, test } from 'vitest';
import { FILES, PUBLIC_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { FolderStore } from '../stores/folder-store.ts';
import { jsonBytes, putOnce } from '../stores/json-objects.ts';
import { readMutable } from '../stores/mutable-json.ts';
import { moveLatest, moveLatestFrom, type PublicReader } from './latest.ts';
import { listPublications } from './published-releases.ts';

let folder: string;
let store: ObjectStore;
beforeEach(async () => {
  folder = newFolder();
  store = new FolderStore(folder);
});

const release = (window: string): ReleaseReference => ({ series: 'taps', window, version: 1 });
const [first, second, third] = [release('2026-03-02'), release('2026-03-09'), release('2026-03-16')] as const;

async function publish(one: ReleaseReference): Promise<void> {
  for (const file of [FILES.manifest, FILES.checksums])
    await putOnce(store, PUBLIC_KEYS.file(one, file), jsonBytes({}));
  await moveLatest(store, one, 'digest', read);
}
/** What is public by its names alone; that only what is signed counts, the tests of its callers show. */
const all: PublicReader['all'] = async () =>
  (await listPublications(store, 'taps'))
    .map(({ release: one, retracted }) => ({
      release: one,
      manifestDigest: 'digest',
      retraction: retracted ? {} : null,
    }))
    .sort((a, b) => (releasePath(a.release) < releasePath(b.release) ? -1 : 1));
const read: PublicReader = {
  all,
  one: async (wanted) => (await all()).find((one) => releasePath(one.release) === releasePath(wanted)) ?? null,
};
const bury = (one: ReleaseReference) => putOnce(store, PUBLIC_KEYS.file(one, FILES.retraction), jsonBytes({}));
const shown = async () => (await readMutable(store, PUBLIC_KEYS.latest('taps')))?.value;

/** The store, with something that another worker does just before the pointer is swapped for the first time. */
function interrupted(meanwhile: () => Promise<void>): ObjectStore {
  let done = false;
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name !== 'swapPage') return member.bind(target);
      return async (...values: unknown[]) => {
        if (!done) {
          done = true;
          await meanwhile();
        }
        return member.apply(target, values);
      };
    },
  });
}

test('the pointer shows the newest window, whatever is published late', async () => {
  for (const one of [second, third, first]) await publish(one);
  expect(await shown()).toMatchObject({ window: third.window });
});

test('of two retractions at once, the pointer does not rest at either', async () => {
  for (const one of [first, second, third]) await publish(one);
  await bury(third);
  // The other retraction sees a pointer that does not show its release yet, and leaves it alone.
  const meanwhile = async () => {
    await bury(second);
    await moveLatestFrom(store, second, read);
  };
  await moveLatestFrom(interrupted(meanwhile), third, read);
  expect(await shown()).toMatchObject({ window: first.window });
});

test('a publication that is retracted while the pointer moves to it does not keep the pointer', async () => {
  await publish(first);
  for (const file of [FILES.manifest, FILES.checksums])
    await putOnce(store, PUBLIC_KEYS.file(second, file), jsonBytes({}));
  const meanwhile = async () => {
    await bury(second);
    await moveLatestFrom(store, second, read);
  };
  await moveLatest(interrupted(meanwhile), second, 'digest', read);
  expect(await shown()).toMatchObject({ window: first.window });
});

test('when all is retracted the pointer shows nothing', async () => {
  await publish(first);
  await bury(first);
  await moveLatestFrom(store, first, read);
  expect(await shown()).toMatchObject({ window: null });
});

test('the pointer moves to the newest publication that is complete and not retracted, and forward again', async () => {
  const again = { ...second, version: 2 };
  for (const one of [first, second, again]) await publish(one);
  await putOnce(store, PUBLIC_KEYS.file(third, FILES.manifest), jsonBytes({})); // half of one
  const take = async (one: ReleaseReference) => {
    await bury(one);
    await moveLatestFrom(store, one, read);
    return (await shown())?.path;
  };
  expect(await take(first)).toBe(releasePath(again));
  expect(await take(again)).toBe(releasePath(second));
  expect(await take(second)).toBeNull();
  await publish({ ...first, version: 2 });
  expect((await shown())?.path).toBe(releasePath({ ...first, version: 2 }));
});
