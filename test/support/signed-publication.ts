import type { Envelope } from '../../contracts/decision.ts';
import {
  ATTESTATION_FORMAT,
  type AttestationStatement,
  RETRACTION_FORMAT,
} from '../../contracts/formats/attestation.ts';
import { entrySchema, LEDGER_FORMAT } from '../../contracts/formats/ledger-entry.ts';
import { MANIFEST_FORMAT, TEXTS_FORM } from '../../contracts/formats/manifest.ts';
import { SUMMARY_FORMAT } from '../../contracts/formats/summary.ts';
import { FILES, PUBLIC_KEYS, parseReleasePath, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Run } from '../../contracts/stages.ts';
import { approversOfApprovals, attestationFile } from '../../services/publication/attestation-file.ts';
import { retractionFile } from '../../services/publication/retraction.ts';
import type { Approval } from '../../services/publication/signed-file.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { numberedId } from './release-bench.ts';
import { signDecision } from './sign-decision.ts';
import { RESERVE_TERMS } from './test-custody.ts';
import { ANY_BASIS, ada, ledgerKey } from './trust-files.ts';

const AT = '2026-03-20T00:00:00.000Z';

function approvalOf(release: string, manifestDigest: string): Approval {
  const terms = { subject: ada.subject, decision: 'retract', reason: 'other', acknowledged: [] } as const;
  const request = { release: parseReleasePath(release)!, manifestDigest, ...terms, ...ANY_BASIS };
  return { subject: ada.subject, publicKey: ada.publicKey, envelope: signDecision(request, ada.privateKey) };
}

const summaryOf = (run: Run): Buffer =>
  jsonBytes({
    format: SUMMARY_FORMAT,
    release: releasePath(run),
    kind: 'taps',
    title: 'T',
    description: 'D',
    frequency: 'F',
    publisher: { name: 'P', homepage: null },
    contact: null,
    homepage: null,
    address: null,
    area: null,
    licence: 'L',
    attribution: null,
    citation: 'C',
    nextExpected: null,
    versions: [],
    figures: [],
    tables: [],
    places: null,
    days: { first: run.window, last: run.window, timeZone: 'UTC' },
    files: [],
    opening: { missing: ['N'], purpose: 'P', notes: [], tables: [], lines: null },
    reading: { missing: 'M', interval: 'I', others: [] },
  });

/** The ledger's entry that charged a release, the first one. */
const reserveOf = (release: string, day: string): Envelope =>
  signDocument(
    entrySchema.parse({
      format: LEDGER_FORMAT,
      population: 'small-riders',
      sequence: 1,
      previous: null,
      kind: 'reserve',
      charge: numberedId(1),
      release,
      ...RESERVE_TERMS,
      blocks: [{ part: 'bus', day, epsilon: '1', delta: '0' }],
      caps: { block: { epsilon: '8', delta: '0' }, year: { epsilon: '8', delta: '0' } },
    }),
    ledgerKey.privateKey,
  );

/** Of what a publisher signs: the trust file and the ledger that it went by. */
const { trust, ledger, required } = ANY_BASIS;
const ANY_TIP = { trust, ledger };

const WORDS = { title: 'T', licence: 'L', notes: [], frequency: 'weekly' };

/** How a publication was charged, and what its publisher went by. */
export type PublishedUnder = Pick<AttestationStatement, 'trust' | 'ledger'> & {
  population: string;
  charge: string;
  reserve: Envelope;
};

const anyCharge = (run: Run): PublishedUnder => ({
  ...ANY_TIP,
  population: 'small-riders',
  charge: numberedId(1),
  reserve: reserveOf(releasePath(run), run.window),
});

/** Puts a publication of these files, as this key signs one; gives the digest of its manifest, and what was signed. */
export async function putPublication(
  store: ObjectStore,
  run: Run,
  data: ReadonlyMap<string, Buffer>,
  { privateKey }: { privateKey: string },
  { population, charge, reserve, ...tip }: PublishedUnder = anyCharge(run),
): Promise<{ manifestDigest: string; statement: AttestationStatement }> {
  const { series, window, version, seriesDigest } = run;
  const all = new Map([...data, [FILES.summary, summaryOf(run)]]);
  const manifest = jsonBytes({
    format: MANIFEST_FORMAT,
    series,
    window,
    version,
    seriesDigest,
    population,
    charge,
    correction: null,
    kind: 'taps',
    publicLists: {},
    texts: { form: TEXTS_FORM, publication: WORDS, versions: [], nextExpected: null },
    partitions: [],
    build: { sources: 'x', runtime: null },
    policyDigest: 'ab'.repeat(32),
    ...tip,
    files: [...all].map(([name, bytes]) => ({ name, sha256: sha256(bytes), bytes: bytes.length })),
  });
  const release = releasePath(run);
  const manifestDigest = sha256(manifest);
  const approvals = [approvalOf(release, manifestDigest)];
  const statement: AttestationStatement = {
    format: ATTESTATION_FORMAT,
    release,
    manifestDigest,
    publishedAt: AT,
    approvers: approversOfApprovals(approvals),
    seriesDigest,
    policyDigest: 'ab'.repeat(32),
    required,
    ...tip,
  };
  const attestation = jsonBytes(attestationFile(statement, approvals, reserve, privateKey));
  all.set(FILES.manifest, manifest).set(FILES.attestation, attestation).set(FILES.checksums, manifest);
  for (const [name, bytes] of all) await store.putIfAbsent(PUBLIC_KEYS.file(run, name), bytes);
  return { manifestDigest, statement };
}

/** The same of a release of nowhere; gives the digest of its manifest. */
export const putSigned = async (...[store, run, data, key]: Parameters<typeof putPublication>): Promise<string> =>
  (await putPublication(store, run, data, key)).manifestDigest;

/** The tombstone of a publication, as this key (PKCS#8 PEM) signs one. */
export function tombstoneOf(release: string, manifestDigest: string, privateKey: string): Buffer {
  const about = { release, manifestDigest, reasons: ['other' as const], sentences: [], retractedAt: AT };
  const approvals = [approvalOf(release, manifestDigest)];
  return jsonBytes(retractionFile({ format: RETRACTION_FORMAT, ...about, ...ANY_TIP }, approvals, privateKey));
}
