import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { attest, decide, sealManifest, sealSums } from '../../client/verify/forgery.fixture.ts';
import { seriesAt } from '../../client/verify/place.ts';
import type { VerificationReport } from '../../client/verify/verification-report.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { verifySeries } from '../../client/verify/verify-series.ts';
import { TEXTS_FORM } from '../../contracts/formats/manifest.ts';
import { FILES } from '../../contracts/names.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { PRIVATE_KINDS } from '../../kinds/private-kinds.ts';
import { PUBLIC_KINDS } from '../../kinds/public-kinds.ts';
import { KIND_VERIFICATION } from '../../kinds/verification.ts';
import { AUDITED_NAMES } from '../../services/publication/release-texts.ts';
import { formsBelow } from '../forms/forms.ts';
import { newFolder } from '../support/new-folder.ts';
import { publishedKind, RELEASED_KINDS } from '../support/published-kinds.ts';
import { ada, TEST_CHAIN } from '../support/trust-files.ts';

const FORMS = new URL('../forms/forms.json', import.meta.url);

/** A series of a kind with one publication, with a second version of it, and with that one taken back. */
type Told = { early: string; honest: string; retracted: string; forms: Record<string, string> };

async function told(kind: (typeof RELEASED_KINDS)[number], root: string): Promise<Told> {
  const made = await publishedKind(kind);
  const name = made.folder.slice(made.folder.lastIndexOf('/') + 1);
  const copy = async (as: string): Promise<string> => {
    const folder = join(root, kind, as, name);
    await cp(made.folder, folder, { recursive: true });
    return folder;
  };
  await made.publish(1);
  const early = await copy('early');
  await made.publish(2);
  const honest = await copy('honest');
  await made.takeBack(2);
  const retracted = await copy('retracted');
  return { early, honest, retracted, forms: await formsBelow(made.root) };
}

const ofVersion = (folder: string, version: number): string => join(folder, '2026-03-02', `v${version}`);

/** What was not right: the ids of the checks, and what they say. */
function wrongIn({ checks }: VerificationReport): { ids: string[]; text: string } {
  const wrong = checks.filter(({ ok }) => !ok);
  return { ids: wrong.map(({ id }) => id), text: wrong.map(({ sentence }) => sentence).join(' ') };
}

/** Without a head there is no series to verify. */
async function inSeries(folder: string, seen: Buffer | null = null) {
  const place = await seriesAt(folder);
  if (!place) return { ids: ['head'], text: '' };
  return wrongIn(await verifySeries(place, { trust: TEST_CHAIN, seen, today: '2026-03-10' }));
}

/** What is checked of every publication, whatever its kind, names whatever was changed. */
const OF_NO_KIND = Object.fromEntries(
  Object.entries(KIND_VERIFICATION).map(([kind, { texts }]) => [kind, { checks: [], texts }]),
);
const inPublication = async (folder: string) => wrongIn(await verifyPublication(folder, TEST_CHAIN, OF_NO_KIND));

/** Does something to a file of a folder, looks, and puts the file back. */
async function whileChanged<T>(path: string, change: () => Promise<void>, look: () => Promise<T>): Promise<T> {
  const before = await readFile(path);
  await change();
  try {
    return await look();
  } finally {
    await writeFile(path, before);
  }
}

/** One bit of the byte at this fraction of the file: 0 is the first byte, 1 the last. */
async function flip(path: string, at: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[Math.round((bytes.length - 1) * at)]! ^= 1;
  await writeFile(path, bytes);
}

const OF_ANOTHER = 'of another version';
/** Nobody else can name their digests. */
const SIGNED: readonly string[] = ['manifest.json', 'attestation.json'];

/** Everything that can be done to a file without a key, `other` being the same file of another version. */
const TAMPERED: Readonly<Record<string, (path: string, other: string) => Promise<void>>> = {
  'its last byte changed': (path) => flip(path, 1),
  'a byte changed': (path) => flip(path, 0.5),
  'taken away': (path) => rm(path),
  [OF_ANOTHER]: (path, other) => cp(other, path),
};

const root = newFolder();

test('the tables of kinds have the same ones, and each of them is tried here', () => {
  for (const table of [PRIVATE_KINDS, PUBLIC_KINDS, CLIENT_KINDS, KIND_VERIFICATION])
    expect(Object.keys(table)).toEqual(RELEASED_KINDS);
});

describe.each(RELEASED_KINDS)('%s', (kind) => {
  let series: Told;
  beforeAll(async () => {
    series = await told(kind, root);
  }, 240_000);

  test('what is stored has the form in the file of forms; test/forms/record-forms.ts writes another one', async () => {
    expect(series.forms).toEqual(JSON.parse(await readFile(FORMS, 'utf8'))[kind]);
  });

  test('the README of a publication says what every file beside it is', async () => {
    const folder = ofVersion(series.honest, 2);
    const readme = await readFile(join(folder, 'README.md'), 'utf8');
    const untold = (files: string[]) => files.filter((file) => !readme.includes(`\`${file}\``));
    expect(untold(await readdir(folder))).toEqual(['README.md']);
    expect(untold(['notes.txt'])).toEqual(['notes.txt']);
  });

  test.each([
    ['every file of a publication, whatever is done to it, is named', async () => undefined],
    ['and so it is when the checksums are made to fit', sealSums],
  ])('%s', async (_, seal) => {
    const folder = ofVersion(series.honest, 2);
    const sums = await readFile(join(folder, 'SHA256SUMS'));
    const isSealed = seal === sealSums;
    const missed: string[] = [];
    // One byte is as good as another here: it is a digest that shows the change.
    for (const file of (await readdir(folder)).filter((name) => !isSealed || name !== 'SHA256SUMS'))
      for (const [what, tamper] of Object.entries(TAMPERED).slice(1)) {
        const [path, other] = [join(folder, file), join(ofVersion(series.honest, 1), file)];
        if (what === OF_ANOTHER && (await readFile(path)).equals(await readFile(other))) continue;
        const change = async () => {
          await tamper(path, other);
          await seal(folder);
        };
        const { ids, text } = await whileChanged(path, change, () => inPublication(folder));
        if (isSealed) await writeFile(join(folder, 'SHA256SUMS'), sums);
        const [check, isNamed] = !isSealed
          ? ['checksums', file === 'SHA256SUMS' || text.includes(file)]
          : SIGNED.includes(file)
            ? ['attestation', true]
            : ['manifest', text.includes(file)];
        if (!isNamed || !ids.includes(check)) missed.push(`${file} ${what}: ${ids}`);
      }
    expect(missed).toEqual([]);
    expect((await inPublication(folder)).ids).toEqual([]);
  });

  // Those of taps have most texts, and are drawn: the others hold the same.
  const worded = { tags: kind === 'taps' ? ['soak' as const] : [] };
  test('every text, one byte of it changed, is named though people and publisher have signed it', worded, async () => {
    const honest = ofVersion(series.honest, 2);
    const folder = join(root, kind, 'worded');
    const report = async (change: () => Promise<void>, form = TEXTS_FORM) => {
      await rm(folder, { recursive: true, force: true });
      await cp(honest, folder, { recursive: true });
      await change();
      await sealManifest(folder, ({ texts }) => ({ texts: { ...texts, form } }));
      await attest(folder, [ada], [await decide(folder, ada, { required: 1 })]);
      return verifyPublication(folder);
    };
    const texts = (await readdir(honest)).filter((name) => AUDITED_NAMES.includes(name));
    for (const file of texts.filter((name) => name !== FILES.manifest && name !== FILES.audit)) {
      const changed = async () => {
        const text = await readFile(join(folder, file), 'latin1');
        const at = /"(?:title|dct:title|name)":"(?=[A-Z])/.exec(/json/.test(file) ? text : '');
        const place = at ? at.index + at[0].length : text.length >> 1;
        const byte = text[place] === 'x' ? 'y' : 'x';
        await writeFile(join(folder, file), `${text.slice(0, place)}${byte}${text.slice(place + 1)}`, 'latin1');
      };
      const { ids, text } = wrongIn(await report(changed));
      expect([file, ids, text.includes(file)]).toEqual([file, ['texts'], true]);
      expect(wrongIn(await report(changed, TEXTS_FORM + 1)).ids).toEqual([]);
    }
    expect(texts).toEqual(expect.arrayContaining([FILES.statement, FILES.readme, FILES.guarantee, FILES.citation]));
    const { checks } = await report(async () => undefined, TEXTS_FORM + 1);
    expect(checks.at(-1)!.sentence).toBe(
      `Words not compared: they are of form ${TEXTS_FORM + 1}, and this verifier makes form ${TEXTS_FORM}.`,
    );
    expect(wrongIn(await report(async () => undefined)).ids).toEqual([]);
  });

  test('every page and list of a series, whatever is done to it, is named; so is an older one', async () => {
    const missed: string[] = [];
    const files = (await readdir(series.honest)).filter((name) => name.includes('.'));
    expect(files).toEqual(expect.arrayContaining(['head.json', 'latest.json', 'releases.json', 'feed.atom']));
    for (const file of files)
      for (const [what, tamper] of Object.entries(TAMPERED)) {
        const [path, older] = [join(series.honest, file), join(series.early, file)];
        // The page of a release that came later has no older form: it takes that of the other release.
        const other = await readFile(older).then(
          () => older,
          () => join(series.honest, '2026-03-02-v1.html'),
        );
        if (what === OF_ANOTHER && (await readFile(path)).equals(await readFile(other))) continue;
        const { ids, text } = await whileChanged(
          path,
          () => tamper(path, other),
          () => inSeries(series.honest),
        );
        const isNamed = file === 'head.json' ? ids.some((id) => id.startsWith('head')) : text.includes(file);
        if (!isNamed) missed.push(`${file} ${what}: ${ids} ${text}`);
      }
    expect(missed).toEqual([]);
    expect((await inSeries(series.honest)).ids).toEqual([]);
  });

  test('releases that are swapped, set back, or have lost their tombstone are named', async () => {
    const folder = join(root, kind, 'changed', series.honest.slice(series.honest.lastIndexOf('/') + 1));
    const changed = async (from: string, change: () => Promise<void>, seen: Buffer | null = null) => {
      await rm(folder, { recursive: true, force: true });
      await cp(from, folder, { recursive: true });
      await change();
      return inSeries(folder, seen);
    };
    const put = (from: string, version: number) => async () => {
      await rm(ofVersion(folder, version), { recursive: true });
      await cp(from, ofVersion(folder, version), { recursive: true });
    };
    const tombstone = join(ofVersion(folder, 2), 'RETRACTED.json');
    const newest = await readFile(join(series.retracted, 'head.json'));
    expect((await changed(series.retracted, async () => undefined)).ids).toEqual([]);
    expect((await changed(series.honest, put(ofVersion(series.honest, 1), 2))).text).toContain('/v2');
    expect((await changed(series.honest, put(ofVersion(series.honest, 2), 1))).text).toContain('/v1');
    expect((await changed(series.honest, () => rm(ofVersion(folder, 2), { recursive: true }))).text).toContain('/v2');
    for (const tamper of [() => rm(tombstone), () => flip(tombstone, 0.5), () => writeFile(tombstone, '{}')])
      expect((await changed(series.retracted, tamper)).text).toContain('/v2');
    for (const older of [series.early, series.honest])
      expect((await changed(older, async () => undefined, newest)).ids).toEqual(['head-seen']);
    const planted = () => writeFile(join(folder, '2026-03-09-v1.html'), 'all is well');
    expect((await changed(series.honest, planted)).text).toContain('2026-03-09-v1.html');
  });
});
