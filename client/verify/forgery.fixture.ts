import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import {
  type AttestationStatement,
  attestationFileSchema,
  attestationStatementSchema,
  RETRACTION_FORMAT,
  type RetractionStatement,
} from '../../contracts/formats/attestation.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, releasePath } from '../../contracts/names.ts';
import type { CountRow } from '../../counts/derive/count-row.ts';
import { rowsOf, tableOf } from '../../counts/derive/count-table.ts';
import type { DayTotal } from '../../counts/readers/shown-taps.ts';
import type { PublishedTable } from '../../counts/tables/tap-tables.ts';
import { totalColumns, totalsOfColumns, totalsTable } from '../../kinds/taps/public/tables.ts';
import { readTable } from '../../services/publication/parquet-columns.ts';
import { Publication } from '../../services/publication/publication.ts';
import { retractionFile } from '../../services/publication/retraction.ts';
import { writeForms } from '../../services/publication/table-parquet.ts';
import type { DecisionRequest } from '../../services/signing/decision-statement.ts';
import { readDocument, signDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { publishRelease } from '../../test/support/publish-release.ts';
import { signDecision } from '../../test/support/sign-decision.ts';
import { csvOf, parquetOf, tableOfParquet } from '../../test/support/table-forms.ts';
import { testRelease } from '../../test/support/test-release.ts';
import { ada, ben, publisherKey } from '../../test/support/trust-files.ts';
import { readFolder } from './folder-files.ts';

/** A publication that only looks right: what was done to it, and all the checks that catch it. */
export type LookAlike = [name: string, expected: string[], forge: (folder: string) => Promise<void>];

/** Test support: publications made by the real stages, and the ways in which somebody can forge them. */

/** A publication made by the real stages. */
export async function publish(...parameters: Parameters<typeof testRelease>): Promise<string> {
  const release = await testRelease(...parameters);
  await publishRelease(release);
  return join(release.folder, 'publication', 'demo', '2026-03-02', 'v1');
}

export const edit = async (folder: string, name: string, change: (text: string) => string) => {
  const text = await readFile(join(folder, name), 'utf8');
  if (change(text) === text) throw new Error(`the edit of ${name} changes nothing`);
  await writeFile(join(folder, name), change(text));
};
export type AttestationFile = z.output<typeof attestationFileSchema>;

/** Changes attestation.json as somebody without keys can. */
export const editAttestation = (folder: string, change: (file: AttestationFile) => void) =>
  edit(folder, 'attestation.json', (text) => {
    const file = attestationFileSchema.parse(JSON.parse(text));
    change(file);
    return jsonBytes(file).toString();
  });

/** What the publisher signed, changed; signed again with this key, or with the signature that was there (null). */
export const editStatement = (
  folder: string,
  change: (statement: AttestationStatement, file: AttestationFile) => void,
  key: typeof publisherKey | null = publisherKey,
) =>
  editAttestation(folder, (file) => {
    const statement = readDocument(file.statement, attestationStatementSchema, 'attestation');
    change(statement, file);
    const envelope = signDocument(statement, (key ?? publisherKey).privateKey);
    file.statement = key ? envelope : { ...envelope, signatures: file.statement.signatures };
    if (key) file.publisherKey = key.publicKey;
  });

/** A decision of a person on the manifest that is there, with changes. */
export async function decide(
  folder: string,
  person: typeof ada,
  change: Partial<DecisionRequest> = {},
): Promise<AttestationFile['approvals'][number]> {
  const { manifest, manifestDigest } = new Publication(await readFolder(folder));
  const request: DecisionRequest = {
    release: manifest,
    manifestDigest,
    subject: person.subject,
    acknowledged: [],
    decision: 'approve',
    reason: 'audit-passed',
    trust: manifest.trust!,
    ledger: manifest.ledger!,
    required: 2,
    elsewhere: 0,
    after: [],
    ...change,
  };
  return { publicKey: person.publicKey, envelope: signDecision(request, person.privateKey) };
}

/** Puts a tombstone beside a publication, with the decisions of these people, signed with a key. */
export async function bury(
  folder: string,
  people: readonly (typeof ada)[],
  key = publisherKey,
  change: Partial<RetractionStatement> = {},
): Promise<void> {
  const { manifest, manifestDigest } = new Publication(await readFolder(folder));
  const [reason = 'data-wrong'] = change.reasons ?? [];
  const retract = { decision: 'retract', reason } as const;
  const approvals = await Promise.all(
    people.map(async (person) => ({ subject: person.subject, ...(await decide(folder, person, retract)) })),
  );
  const statement: RetractionStatement = {
    format: RETRACTION_FORMAT,
    release: releasePath(manifest),
    manifestDigest,
    retractedAt: '2026-04-01T10:00:00.000Z',
    reasons: [reason],
    sentences: [],
    ledger: manifest.ledger!,
    trust: manifest.trust!,
    ...change,
  };
  await writeFile(join(folder, FILES.retraction), jsonBytes(retractionFile(statement, approvals, key.privateKey)));
}

/** Names these decisions in the attestation, which this key signs. */
export async function attest(
  folder: string,
  people: readonly (typeof ada)[],
  approvals: AttestationFile['approvals'],
  change: Partial<AttestationStatement> = {},
  key = publisherKey,
): Promise<void> {
  const { manifestDigest } = new Publication(await readFolder(folder));
  await editStatement(
    folder,
    (statement, file) => {
      Object.assign(statement, { manifestDigest, ...change });
      statement.approvers = people.map(({ subject, keyid }) => ({ subject, keyid }));
      file.approvals = approvals;
    },
    key,
  );
  await sealSums(folder);
}

export async function sealSums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS').sort();
  const lines = await Promise.all(
    names.map(async (name) => `${sha256(await readFile(join(folder, name)))}  ${name}\n`),
  );
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}

/** Names in the metadata the digests that files have now. */
async function sealMetadata(folder: string): Promise<void> {
  const { files } = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
  for (const metadata of [FILES.dataPackage, FILES.catalogue, FILES.schemaOrg]) {
    let text = await readFile(join(folder, metadata), 'utf8').catch(() => null);
    if (text === null) continue;
    for (const { name, sha256: before } of files) {
      const bytes = await readFile(join(folder, name)).catch(() => null);
      if (bytes) text = text.replaceAll(before, sha256(bytes));
    }
    await writeFile(join(folder, metadata), text);
  }
}

/** What an intruder can repair without keys: the checksums, the metadata and the manifest. */
export async function sealManifest(
  folder: string,
  change: (manifest: Manifest) => Partial<Manifest> = () => ({}),
): Promise<string> {
  await sealMetadata(folder);
  const outside = ['manifest.json', 'attestation.json', 'SHA256SUMS'];
  const names = (await readdir(folder)).filter((name) => !outside.includes(name)).sort();
  const files = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return { name, sha256: sha256(bytes), bytes: bytes.length };
    }),
  );
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
  const bytes = jsonBytes({ ...manifest, files, ...change(manifest) });
  await writeFile(join(folder, 'manifest.json'), bytes);
  await sealSums(folder);
  return sha256(bytes);
}

/** What approvers and publisher together could do: sign whatever is there. */
export async function sealAll(folder: string, change?: (manifest: Manifest) => Partial<Manifest>): Promise<void> {
  await sealManifest(folder, change);
  await attest(folder, [ada, ben], [await decide(folder, ada), await decide(folder, ben)]);
}

export const swap = async (folder: string, a: string, b: string) => {
  await rename(join(folder, a), join(folder, 'swap'));
  await rename(join(folder, b), join(folder, a));
  await rename(join(folder, 'swap'), join(folder, b));
};
export const flipByte = async (folder: string, name: string) => {
  const bytes = await readFile(join(folder, name));
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(join(folder, name), bytes);
};
/** Changes the rows of a table as Parquet. */
export async function editParquet(
  folder: string,
  name: PublishedTable,
  change: (rows: CountRow[]) => void,
): Promise<void> {
  const path = join(folder, FILES.table(name, 'parquet'));
  const rows = [...rowsOf(await tableOfParquet(name, await readFile(path)))];
  change(rows);
  await writeFile(path, await parquetOf(newFolder(), name, tableOf(rows)));
}

/** Writes rows as both forms of a table. */
export async function writeTables(folder: string, name: PublishedTable, rows: readonly CountRow[]): Promise<void> {
  await writeFile(join(folder, FILES.table(name)), csvOf(name, tableOf(rows)));
  await writeFile(join(folder, FILES.table(name, 'parquet')), await parquetOf(newFolder(), name, tableOf(rows)));
}

/** Changes the totals of a publication without margins, in both forms. */
export async function editTotals(folder: string, change: (total: DayTotal) => DayTotal): Promise<void> {
  const table = totalsTable({ threshold: 9, marginScales: {} });
  const columns = readTable(table, await readFile(join(folder, 'totals.parquet')), 1e6);
  const totals = totalsOfColumns(columns).map(change);
  for (const [name, bytes] of await writeForms(newFolder(), table, totalColumns(table, totals)))
    await writeFile(join(folder, name), bytes);
}
