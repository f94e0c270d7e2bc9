import { z } from 'zod';
import type { HeadStatement } from '../../contracts/formats/head.ts';
import { PUBLIC_KEYS, parseReleasePath, releasePath } from '../../contracts/names.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { pointerOf } from '../../services/publication/latest.ts';
import { Mismatch } from '../../services/publication/verification-check.ts';
import { readHead } from '../../services/series-pages/head-file.ts';
import { SERIES_FILES } from '../../services/series-pages/series-files.ts';
import { seriesPages } from '../../services/series-pages/series-pages.ts';
import { readSeriesReleases, type SeriesRelease } from '../../services/series-pages/series-release.ts';
import { keyIdOfPem } from '../../services/signing/keys.ts';
import { jsonBytes, jsonOrNull, readBytesIfPresent } from '../../services/stores/json-objects.ts';
import { findVersion, newestVersion, type TrustChain } from '../../services/trust/trust-chain.ts';
import { isCurrent, keyWithId } from '../../services/trust/trusted-keys.ts';
import { type SeriesPlace, underName } from './place.ts';
import { checkCharges } from './rho-sums.ts';
import { type ReaderCheck, reportOf, type VerificationReport } from './verification-report.ts';

/** What a reader knows besides the folder of a series. */
export type SeriesKnowledge = {
  trust: TrustChain | null;
  /** The bytes of a head.json that was kept before; null: none was. */
  seen: Uint8Array | null;
  /** Today, YYYY-MM-DD. */
  today: string;
};

type Subject = SeriesKnowledge & {
  series: string;
  store: ObjectReader;
  head: HeadStatement;
  publisherKey: string;
  releases: readonly SeriesRelease[];
};

/** A head says what there is now: somebody with a key that was ended could show an old one for ever. @contract C16 */
function checkPublisher({ trust, head, publisherKey, releases }: Subject): string {
  if (!trust) return 'Whose key signed the head, a trust file says; none was named.';
  const { publishers, organisation } = newestVersion(trust);
  const key = keyWithId(publishers, keyIdOfPem(publisherKey));
  if (!key) throw new Mismatch(`The head is not signed by a publisher of ${organisation}.`);
  // A head without releases names no population: a key that is valid in some alone cannot sign it.
  const populations = releases.length > 0 ? releases.map(({ manifest }) => manifest.population) : [''];
  if (!populations.every((population) => isCurrent(key, population)))
    throw new Mismatch(
      'The trust file ends the key that signed the head, or does not name its population, so that the head may be an old one; ask the publisher for a new one.',
    );
  if (!findVersion(trust, head.trust)) {
    const ends = head.trust.number > trust.length ? `; yours ends at ${trust.length}, get the newer file` : '';
    throw new Mismatch(`The head names another version ${head.trust.number} of the trust file than yours${ends}.`);
  }
  return `The head is signed by ${organisation}.`;
}

/** Releases by name, with the digests that a head has of them. */
const digestsOf = (releases: HeadStatement['releases']) =>
  new Map(releases.map(({ release, manifest, tombstone }) => [release, `${manifest} ${tombstone ?? '-'}`]));

/** What is in one of two lists and not in the other, or there with other digests. */
const compare = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] =>
  [...a].filter(([release, digests]) => b.get(release) !== digests).map(([release]) => release);

function checkReleases({ head, releases }: Subject): string {
  const claims = digestsOf(head.releases);
  const files = digestsOf(
    releases.map(({ release, manifestDigest, retraction }) => ({
      release: releasePath(release),
      manifest: manifestDigest,
      tombstone: retraction?.digest ?? null,
    })),
  );
  const gaps = compare(claims, files);
  if (gaps.length > 0) throw new Mismatch(`The head has other files, or a tombstone more or less, of ${gaps[0]}.`);
  const extras = compare(files, claims);
  if (extras.length > 0)
    throw new Mismatch(`The head does not name ${extras[0]}: it is newer, or not its publisher's.`);
  const strange = releases.find(({ hasStrangeTombstone }) => hasStrangeTombstone);
  if (strange)
    throw new Mismatch(
      `Next to ${releasePath(strange.release)} is a tombstone that is not its publisher's and retracts nothing: take it away.`,
    );
  return `All ${claims.size} releases are those of the head, number ${head.generation}.`;
}

function checkSeen({ seen, head, publisherKey, series }: Subject): string {
  if (seen === null) return 'No earlier head was named to compare it with; keep a copy of this one.';
  const before = readHead(seen);
  if (before.head.series !== series) throw new Mismatch('The earlier head is of another series.');
  if (before.head.generation > head.generation)
    throw new Mismatch(`The head is older than yours: ${head.generation}, and yours is ${before.head.generation}.`);
  const now = new Map(head.releases.map((one) => [one.release, one]));
  for (const { release, manifest, tombstone } of before.head.releases) {
    const entry = now.get(release);
    if (entry?.manifest !== manifest) throw new Mismatch(`${release} of your head is gone, or is another one now.`);
    if (tombstone !== null && entry.tombstone !== tombstone)
      throw new Mismatch(`The retraction of ${release} in your head is gone, or is another one now.`);
  }
  const same = before.publisherKey === publisherKey ? '' : ' It is signed with another key; a trust file says whose.';
  return `Everything in your head, number ${before.head.generation}, is in this one.${same}`;
}

function checkDue({ head: { nextExpected }, today }: Subject): string {
  if (nextExpected === null) return 'The series says of no day when more is to be expected.';
  if (today > nextExpected)
    throw new Mismatch(
      `More should have been public by ${nextExpected}: the list is withheld, or the publisher is late.`,
    );
  return `More should be public by ${nextExpected}.`;
}

/** The generation of the pointer counts its moves, which nothing else shows. */
async function checkLatest({ store, series, releases }: Subject): Promise<string> {
  const bytes = await readBytesIfPresent(store, PUBLIC_KEYS.latest(series));
  const newest = releases.findLast(({ retraction }) => !retraction);
  const due = pointerOf(series, newest);
  const own = z.object({ generation: z.int().nonnegative() }).safeParse(jsonOrNull(`${bytes}`)).data;
  if (!own || !bytes?.equals(jsonBytes({ ...due, generation: own.generation })))
    throw new Mismatch(
      `latest.json does not name ${due.path ?? 'that all is retracted'}, the newest that is not retracted.`,
    );
  return `latest.json names ${due.path ?? 'no release: all are retracted'}.`;
}

/** What is next to the releases, and is no page: the head and the pointer, which have checks of their own. */
const BESIDE: readonly string[] = [SERIES_FILES.head, 'latest.json'];

async function checkPages({ store, series, releases }: Subject): Promise<string> {
  const pages = seriesPages(series, releases);
  const prefix = PUBLIC_KEYS.series(series);
  for await (const { key } of store.list(prefix)) {
    const name = key.slice(prefix.length);
    if (!parseReleasePath(key.slice(0, key.lastIndexOf('/'))) && !pages.has(name) && !BESIDE.includes(name))
      throw new Mismatch(`Next to the releases is something that does not follow from them, take it away: ${name}.`);
  }
  const wrong: string[] = [];
  for (const [page, bytes] of pages)
    if (!(await readBytesIfPresent(store, PUBLIC_KEYS.page(series, page)))?.equals(bytes)) wrong.push(page);
  if (wrong.length > 0)
    throw new Mismatch(
      `Not as they follow from the releases, or made by another build: ${wrong.slice(0, 5).join(', ')}. \`opaline site\` makes them again.`,
    );
  return `All ${pages.size} pages follow from the releases.`;
}

/** In the order of the report. */
const CHECKS: readonly ReaderCheck<Subject>[] = [
  { id: 'head-publisher', check: checkPublisher },
  { id: 'head-releases', check: checkReleases },
  { id: 'head-seen', check: checkSeen },
  { id: 'head-due', check: checkDue },
  { id: 'charges', check: ({ store, releases }) => checkCharges(store, releases) },
  { id: 'latest', check: checkLatest },
  { id: 'pages', check: checkPages },
];

/**
 * Checks a series, a folder offline or an address of the web: that its signed head names every release, that nothing
 * of an earlier head is gone, that nothing is overdue, that charges of ρ are those of the certificates, and that pointer
 * and pages follow from the releases. It does not check the releases themselves; verifyPublication does. Of the web it
 * sees the releases that the head names, and no other. Throws STORE_UNAVAILABLE.
 */
export async function verifySeries(
  { folder, head: bytes }: SeriesPlace,
  knowledge: SeriesKnowledge,
): Promise<VerificationReport> {
  const { trust } = knowledge;
  let subject: Subject | undefined;
  const checkHead = async (): Promise<string> => {
    const { head, publisherKey } = readHead(bytes);
    const { series } = head;
    const store = underName(series, folder);
    const releases = await readSeriesReleases(store, series, trust);
    subject = { ...knowledge, series, store, head, publisherKey, releases };
    return 'The head is signed with the key that it names.';
  };
  const own = await reportOf(trust, [{ id: 'head', check: checkHead }], null);
  if (!subject) return own;
  const others = await reportOf(trust, CHECKS, subject);
  return { ...others, checks: [...own.checks, ...others.checks] };
}
