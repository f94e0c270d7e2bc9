import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { intoFirstGeneration, makeTombstone } from '../../client/verify/first-generation.fixture.ts';
import { bury } from '../../client/verify/forgery.fixture.ts';
import { seriesAt } from '../../client/verify/place.ts';
import { remakePages } from '../../client/verify/remake-pages.ts';
import { verifySeries } from '../../client/verify/verify-series.ts';
import { RETRACTION_FORMAT, retractionStatementSchema } from '../../contracts/formats/attestation.ts';
import { FILES, PUBLIC_KEYS, releasePath } from '../../contracts/names.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { readHead } from '../../services/series-pages/head-file.ts';
import { generationOf } from '../../services/series-pages/page-frame.ts';
import { writePages } from '../../services/series-pages/write-pages.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { readDocument, signDocument } from '../../services/signing/signed-document.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonBytes, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { publishRelease } from '../../test/support/publish-release.ts';
import { anotherRelease, type TestRelease, testDecision, testRelease } from '../../test/support/test-release.ts';
import { ada, ben, publisherKey, TEST_CHAIN, trustChain } from '../../test/support/trust-files.ts';
import { decide } from './decide.ts';
import { retract } from './retract.ts';
import { updatePages } from './update-pages.ts';

const sha256Base64 = (text: string): string => createHash('sha256').update(text).digest('base64');

const FIRST = 'demo/2026-03-02/v1';
const SECOND = 'demo/2026-03-02/v2';
const LATER = 'demo/2026-03-09/v1';

/** Two versions of a window, and another window that is retracted; every test copies what it changes. */
let first: TestRelease;
let later: TestRelease;
beforeAll(async () => {
  first = await testRelease();
  await publishRelease(first);
  await updatePages(first.context, first.run);
  await publishRelease(await anotherRelease(first, { version: 2 }));
  later = await anotherRelease(first, { window: '2026-03-09' });
  const manifestDigest = await publishRelease(later);
  await retractRelease(later, manifestDigest);
  await updatePages(first.context, later.run);
});

async function retractRelease(release: TestRelease, manifestDigest: string): Promise<void> {
  const decisions: string[] = [];
  for (const person of [ada, ben]) {
    const terms = { decision: 'retract', reason: 'data-wrong' } as const;
    const answer = await decide(release.context, testDecision(release.run, manifestDigest, person, terms));
    if (!answer.accepted) throw new Error(answer.code);
    decisions.push(answer.digest);
  }
  const retractedAt = '2026-04-01T20:00:00.000Z'; // in Sydney it is the day after
  await retract(release.context, { ...release.run, manifestDigest, decisions, retractedAt });
}

const pageOf = async (page: string, { context }: TestRelease = first): Promise<string> =>
  (await readBytes(context.publicationStore, PUBLIC_KEYS.page('demo', page))).toString('utf8');
const headOf = async () => readHead(Buffer.from(await pageOf('head.json'))).head;

/** All bytes of the series but the folders of its releases, by name. */
async function pagesOf({ context }: TestRelease): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for await (const { key } of context.publicationStore.list('demo/'))
    if (key.split('/').length === 2) pages.set(key, sha256(await readBytes(context.publicationStore, key)));
  return pages;
}

test('the index says of every release which to use, and why one was taken back', async () => {
  const index = await pageOf('index.html');
  const rows = index.split('<tr>').slice(2);
  const stateOf = (row: string): string => row.split('<td>')[2]!.replaceAll(/<[^>]*>/g, '');
  expect(rows.map(stateOf)).toEqual(['retracted (data-wrong)', 'current', 'superseded']);
  expect(JSON.parse(await pageOf('releases.json')).releases).toMatchObject([
    { release: FIRST, state: 'superseded', supersededBy: SECOND },
    { release: SECOND, state: 'current', supersededBy: null },
    { release: LATER, state: 'retracted', retraction: { reasons: ['data-wrong'] } },
  ]);
});

test('C13: correction and retraction are on the page of the release, in the changes and in the feed', async () => {
  expect(await pageOf('2026-03-02-v1.html')).toContain('There is a newer version of these days.');
  expect(await pageOf('2026-03-02-v2.html')).not.toContain('class="banner');
  expect(await pageOf('2026-03-09-v1.html')).toContain('was retracted on 2026-04-02. Do not use it.');
  for (const page of ['changes.html', 'feed.atom'])
    expect([page, (await pageOf(page)).includes(`${LATER} was retracted (data-wrong).`)]).toEqual([page, true]);
  const feed = await pageOf('feed.atom');
  expect(feed.match(/<entry>/g)).toHaveLength(4);
  expect(new Set(feed.match(/urn:uuid:[0-9a-f-]{36}/g)).size).toBe(5);
});

test('the page of a release has its figures, downloads with digests, a citation, and how to read and check it', async () => {
  const page = await pageOf('2026-03-02-v2.html');
  const manifest = await readBytes(first.context.publicationStore, `${SECOND}/${FILES.manifest}`);
  const { files } = JSON.parse(manifest.toString());
  for (const { name, sha256: digest } of files) {
    expect(page).toContain(`href="2026-03-02/v2/${name}"`);
    expect(page).toContain(digest);
  }
  expect(page).toContain('A cell that is not listed is not a zero.');
  expect(page).toContain('the true count lies between');
  expect(page).toContain('Charged before, for the same window: version 1.');
  expect(page).toContain(sha256(manifest));
  expect(page.match(/<svg/g)).toHaveLength(2);
});

test('no page loads anything, and none runs anything but the script that its policy names', async () => {
  for (const key of (await pagesOf(first)).keys()) {
    const text = (await readBytes(first.context.publicationStore, key)).toString('utf8');
    expect([key, /<img|<iframe|\son\w+=|\ssrc=|@import|url\(/i.test(text)]).toEqual([key, false]);
    const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => sha256Base64(script!));
    expect(scripts).toHaveLength([...text.matchAll(/<script/gi)].length);
    expect([...text.matchAll(/'sha256-([^']+)'/g)].map(([, digest]) => digest)).toEqual(scripts);
  }
});

test('the head is signed, and has the digest of every manifest and tombstone, and their number', async () => {
  const head = await headOf();
  const digestOf = async (key: string) => sha256(await readBytes(first.context.publicationStore, key));
  expect(head.generation).toBe(4);
  expect(head.releases).toEqual([
    { release: FIRST, manifest: await digestOf(`${FIRST}/manifest.json`), tombstone: null },
    { release: SECOND, manifest: await digestOf(`${SECOND}/manifest.json`), tombstone: null },
    {
      release: LATER,
      manifest: await digestOf(`${LATER}/manifest.json`),
      tombstone: await digestOf(`${LATER}/RETRACTED.json`),
    },
  ]);
});

test('safe-to-retry: a second run changes no byte', async () => {
  const before = await pagesOf(first);
  await updatePages(first.context, first.run);
  expect(await pagesOf(first)).toEqual(before);
});

test('anyone makes the same pages from the folders of the releases, but for the head', async () => {
  const copy = join(first.folder, 'copy');
  await cp(join(first.folder, 'publication', 'demo'), join(copy, 'demo'), { recursive: true });
  for (const page of (await pagesOf(first)).keys()) await rm(join(copy, page));
  const { pages } = await remakePages('demo', { publication: copy, out: copy, trust: TEST_CHAIN });
  expect(pages.sort()).toEqual(
    [...(await pagesOf(first)).keys()]
      .map((key) => key.slice('demo/'.length))
      .filter((page) => page !== 'head.json' && page !== 'latest.json')
      .sort(),
  );
  for (const page of pages)
    expect([page, await readFile(join(copy, 'demo', page), 'utf8')]).toEqual([page, await pageOf(page)]);
});

test('a writer that has seen less never writes over one that has seen more', async () => {
  const store = new FolderStore(join(first.folder, 'race'));
  const page = (generation: number, text: string) =>
    new Map([['index.html', Buffer.from(`<!-- opaline-generation: ${generation} -->${text}`)]]);
  /** Publishes, and makes the page of what was there then; a writer that looks again sees what is there by now. */
  let published = 0;
  const write = (generation: number) => {
    published = Math.max(published, generation);
    return writePages(store, 'demo', page(generation, `of ${generation}`), async () =>
      page(published, `of ${published}`),
    );
  };
  const shown = async () => (await readBytes(store, 'demo/index.html')).toString();
  await write(7);
  expect(await write(6)).toEqual([]);
  expect(await shown()).toContain('of 7');
  await Promise.all([9, 8, 12, 10, 11].map(write));
  expect(await shown()).toContain('of 12');
  // Broken twin: a page of no publication keeps nobody out, whatever it claims.
  await writePages(store, 'demo', page(999_999_999_999_999, 'Do not use it'), async () => page(0, ''));
  expect(await shown()).toContain('Do not use it');
  expect(await write(13)).toEqual(['index.html']);
  expect(await shown()).toContain('of 13');
});

test('of releases that are published at once, the last to make the pages sees all of them', async () => {
  const release = await testRelease();
  try {
    await publishRelease(release);
    const others = ['2026-03-09', '2026-03-16'].map((window) => anotherRelease(release, { window }));
    const started = await Promise.all([release, ...(await Promise.all(others))].map((one) => Promise.resolve(one)));
    await Promise.all(
      started.map(async (one, place) => {
        if (place > 0) await publishRelease(one);
        await updatePages(one.context, one.run);
      }),
    );
    const { head } = readHead(Buffer.from(await pageOf('head.json', release)));
    expect(head.releases.map((one) => one.release)).toEqual(started.map(({ run }) => releasePath(run)));
    expect(generationOf(Buffer.from(await pageOf('index.html', release)))).toBe(3);
  } finally {
  }
});

/** A copy of the publication store, in which something can be put beside what is there. */
async function copied(name: string) {
  const folder = join(first.folder, name);
  await cp(join(first.folder, 'publication'), folder, { recursive: true });
  const publicationStore = new FolderStore(folder);
  return { folder, context: { ...first.context, publicationStore } };
}

test('C16: a tombstone that its publisher did not sign is in no head, index or feed, whatever its form', async () => {
  const named = async (context: TestRelease['context']) => {
    await updatePages(context, first.run);
    const pages = ['index.html', 'changes.html', 'feed.atom', 'head.json'];
    const texts = pages.map(
      async (page) => `${await readBytes(context.publicationStore, PUBLIC_KEYS.page('demo', page))}`,
    );
    return (await Promise.all(texts)).map((text) => text.includes('privacy-in-doubt'));
  };
  const { folder, context } = await copied('tombstones');
  const own = await readFile(join(folder, LATER, 'RETRACTED.json'), 'utf8');
  const file = JSON.parse(own);
  const { manifestDigest, ledger, trust, sentences } = readDocument(
    file.statement,
    retractionStatementSchema,
    'retraction',
  );
  const statement = {
    format: RETRACTION_FORMAT,
    release: SECOND,
    retractedAt: '2026-04-01T20:00:00.000Z',
    manifestDigest: sha256(await readFile(join(folder, SECOND, 'manifest.json'))),
    reasons: ['privacy-in-doubt'],
    ledger,
    trust,
    sentences,
  };
  expect(manifestDigest).not.toBe(statement.manifestDigest);
  const stranger = signDocument(statement, generateSigningKey().privateKey);
  const path = join(folder, SECOND, 'RETRACTED.json');
  await bury(join(folder, SECOND), [ada, ben], publisherKey, { reasons: ['privacy-in-doubt'] });
  const whole = JSON.parse(await readFile(join(folder, SECOND, 'RETRACTED.json'), 'utf8'));
  for (const bytes of [await makeTombstone(join(folder, SECOND)), jsonBytes({ ...whole, statement: stranger })]) {
    await writeFile(path, bytes);
    expect(await named(context)).toEqual([false, false, false, false]);
    const { checks } = await verifySeries((await seriesAt(join(folder, 'demo')))!, {
      trust: TEST_CHAIN,
      seen: null,
      today: '2026-04-01',
    });
    expect(checks.find(({ id }) => id === 'head-releases')).toMatchObject({ ok: false });
  }
  // Broken twin: with the key of the publisher it is believed.
  await writeFile(path, jsonBytes(whole));
  expect((await named(context)).slice(0, 3)).toEqual([true, true, true]);
});

test('C16: anyone who makes the pages with a trust file lists no release that its publishers did not sign', async () => {
  const { folder } = await copied('listed');
  const { releases } = await remakePages('demo', { publication: folder, out: folder, trust: TEST_CHAIN });
  expect(releases).toBe(3);
  const forged = join(folder, 'demo', '2026-03-16', 'v1');
  await cp(join(folder, SECOND), forged, { recursive: true });
  const edit = async (name: string) =>
    writeFile(
      join(forged, name),
      (await readFile(join(forged, name), 'utf8'))
        .replaceAll(SECOND, 'demo/2026-03-16/v1')
        .replace('"window":"2026-03-02"', '"window":"2026-03-16"')
        .replace('"version":2', '"version":1'),
    );
  await edit('manifest.json');
  await intoFirstGeneration(forged, ada);
  const again = () => remakePages('demo', { publication: folder, out: folder, trust: TEST_CHAIN });
  expect((await again()).releases).toBe(3);
  // Nor one of a stranger in the form of today.
  const strange = trustChain({ publishers: [{ key: generateSigningKey().publicKey, valid: 'everywhere' }] });
  await expect(remakePages('demo', { publication: folder, out: folder, trust: strange })).rejects.toMatchObject({
    code: 'USAGE',
  });
});

/** The first release under another trust file, in a copy of its store: those who share the store would be behind. */
async function contextUnder(chain: TrustChain): Promise<PublicContext> {
  const copy = newFolder();
  await cp(join(first.folder, 'release'), copy, { recursive: true });
  return { ...first.context, releaseStore: new FolderStore(copy), trust: async () => chain };
}

test('C16: a key that the newest version ends signs no head any more, though it was valid at the tip', async () => {
  const ended = { key: publisherKey.publicKey, valid: { 'demo-people': { until: 99 } } };
  const context = await contextUnder(trustChain({}, { publishers: [ended] }));
  await expect(updatePages(context, first.run)).rejects.toMatchObject({ code: 'TRUST_BEHIND' });
});

test('C16: what the publisher of the trust file did not sign is on no page', async () => {
  const stranger = generateSigningKey();
  const under = await contextUnder(trustChain({}, { publishers: [{ key: stranger.publicKey, valid: 'everywhere' }] }));
  const folder = join(first.folder, 'stranger');
  await mkdir(folder);
  const publicationStore = new FolderStore(folder);
  const { publicationStore: real } = first.context;
  for await (const { key } of real.list(`${FIRST}/`))
    await publicationStore.putIfAbsent(key, await readBytes(real, key));
  const context = { ...under, publicationStore, publisherKey: stranger.privateKey };
  await updatePages(context, first.run);
  const { head } = readHead(await readBytes(publicationStore, 'demo/head.json'));
  expect(head).toMatchObject({ releases: [], generation: 0 });
  const known = { ...first.context, publicationStore };
  await updatePages(known, first.run);
  expect(readHead(await readBytes(publicationStore, 'demo/head.json')).head.releases).toHaveLength(1);
});
