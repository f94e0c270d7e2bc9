import type { RetractionStatement } from '../../contracts/formats/attestation.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { type Summary, summarySchema } from '../../contracts/formats/summary.ts';
import { FILES, newestFirst, PUBLIC_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { mapAtOnce } from '../at-once.ts';
import { type Attestation, readAttestation } from '../publication/attestation-file.ts';
import type { PublicReader } from '../publication/latest.ts';
import { chargePlace, ensurePublisher, ensureTombstone } from '../publication/publication-rules.ts';
import { listPublications } from '../publication/published-releases.ts';
import { readRetraction } from '../publication/retraction.ts';
import { isSignedBy } from '../signing/envelope.ts';
import { readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import type { TrustChain } from '../trust/trust-chain.ts';

/** A publication as the pages of its series see it: its write-once files that are not data. */
export type SeriesRelease = {
  release: ReleaseReference;
  manifest: Manifest;
  manifestDigest: string;
  attestation: Attestation;
  /** What the tombstone says, with the digest of its bytes; null when it was not retracted. */
  retraction: (RetractionStatement & { digest: string }) | null;
  /** A tombstone is there that is not believed: of another release, or not its publisher's. It retracts nothing. */
  hasStrangeTombstone: boolean;
  summary: Summary;
};

/** Publications that are read at once: each is four small objects. */
const AT_ONCE = 8;

/** The bytes of a file of a publication; null unless they are those that its manifest lists. */
export async function readListedFile(
  store: ObjectReader,
  { release, manifest }: Pick<SeriesRelease, 'release' | 'manifest'>,
  file: string,
): Promise<Buffer | null> {
  const bytes = await readBytesIfPresent(store, PUBLIC_KEYS.file(release, file));
  return bytes && manifest.files.some(({ name, sha256: digest }) => name === file && digest === sha256(bytes))
    ? bytes
    : null;
}

/**
 * The publications of a series in the order of window and version, without those that are no good: whose attestation is
 * not about the manifest, whose signature does not hold, or whose publisher is not in the trust file. A tombstone counts
 * when those who decided are believed, too. Without a trust file everybody is. Cost: four small reads for each.
 */
export async function readSeriesReleases(
  store: ObjectReader,
  series: string,
  trust: TrustChain | null,
): Promise<SeriesRelease[]> {
  const references = (await listPublications(store, series)).map(({ release }) => release).sort(newestFirst);
  const releases = await mapAtOnce(references.reverse(), AT_ONCE, (one) => readSeriesRelease(store, one, trust));
  return releases.filter((one) => one !== null);
}

/** The publications of a series for the pointer to the newest of them: the one that it moves to, or all. */
export const publicReader = (store: ObjectReader, series: string, trust: TrustChain): PublicReader => ({
  one: (release) => readSeriesRelease(store, release, trust),
  all: () => readSeriesReleases(store, series, trust),
});

/** One of them; null when it is no good, or not there. */
export async function readSeriesRelease(
  store: ObjectReader,
  release: ReleaseReference,
  trust: TrustChain | null,
): Promise<SeriesRelease | null> {
  const bytesOf = (file: string) => readBytesIfPresent(store, PUBLIC_KEYS.file(release, file));
  const [manifestBytes, attestationBytes, tombstone, summaryBytes] = await Promise.all(
    [FILES.manifest, FILES.attestation, FILES.retraction, FILES.summary].map(bytesOf),
  );
  if (!manifestBytes || !attestationBytes) return null;
  try {
    const manifest = manifestSchema.parse(parseJson(manifestBytes));
    const attestation = readAttestation(parseJson(attestationBytes));
    const manifestDigest = sha256(manifestBytes);
    const entry = manifest.files.find(({ name }) => name === FILES.summary);
    if (!summaryBytes || entry?.sha256 !== sha256(summaryBytes)) return null;
    const summary = summarySchema.parse(parseJson(summaryBytes));
    const alone = { release, manifest, manifestDigest, attestation, summary };
    const one: SeriesRelease = { ...alone, retraction: null, hasStrangeTombstone: false };
    if (!isAbout(one)) return null;
    const place = chargePlace(one, trust);
    if (trust) ensurePublisher(trust, place, attestation.publisher);
    const retraction = tombstone ? retractionOf(tombstone, one, trust) : null;
    return { ...alone, retraction, hasStrangeTombstone: Boolean(tombstone) && retraction === null };
  } catch {
    return null;
  }
}

const parseJson = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'));

/** Manifest and attestation are of this release, and the publisher's signature holds. */
function isAbout({ release, manifest, manifestDigest, attestation }: SeriesRelease): boolean {
  const path = releasePath(release);
  const { publisher } = attestation;
  return (
    releasePath(manifest) === path &&
    attestation.release === path &&
    attestation.manifestDigest === manifestDigest &&
    isSignedBy(publisher.envelope, publisher.publicKey)
  );
}

/** What a tombstone says when it is of this release and believed; null otherwise. */
function retractionOf(bytes: Buffer, one: SeriesRelease, trust: TrustChain | null): SeriesRelease['retraction'] {
  try {
    const retraction = readRetraction(parseJson(bytes));
    ensureTombstone(one, retraction, trust);
    return { ...retraction.publisher.statement, digest: sha256(bytes) };
  } catch {
    return null;
  }
}
