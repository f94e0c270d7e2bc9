import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit } from '../../activities/public/audit.ts';
import { decide } from '../../activities/public/decide.ts';
import { derive } from '../../activities/public/derive.ts';
import { publish } from '../../activities/public/publish.ts';
import { attestationSchema } from '../../activities/publication/attestation.ts';
import { signDecision } from '../../activities/signing/decision.ts';
import { jsonBytes, sha256 } from '../../activities/stores/json-objects.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { readParquet, writeParquet } from '../../kinds/taps/public/parquet.ts';
import { ada, ben, type TestRelease, testDecision, testRelease } from '../../test/support/test-release.ts';

/** Test support: publications made by the real stages, and the ways in which somebody can forge them. */
const opened: TestRelease[] = [];
export const scratch = await mkdtemp(join(tmpdir(), 'opaline-verify-'));

/** Removes everything that the tests of this file made. */
export async function removeAll(): Promise<void> {
  await rm(scratch, { recursive: true });
  for (const release of opened) await release.remove();
}

/** A publication made by the real stages. */
export async function published(...parameters: Parameters<typeof testRelease>): Promise<string> {
  const release = await testRelease(...parameters);
  opened.push(release);
  await derive(release.context, release.input);
  const { manifestDigest, verdict, attention } = await audit(release.context, release.input);
  const decisions: string[] = [];
  for (const person of [ada, ben]) {
    const signed = { acknowledged: attention };
    const input = testDecision(release.run, manifestDigest, person, signed, { verdict, attention });
    const answer = await decide(release.context, input);
    if (answer.accepted) decisions.push(answer.digest);
  }
  await publish(release.context, { ...release.run, manifestDigest, decisions, publishedAt: '2026-03-20T01:02:03Z' });
  return join(release.folder, 'publication', 'demo', '2026-03-02', 'v1');
}

export const edit = async (folder: string, name: string, change: (text: string) => string) => {
  const text = await readFile(join(folder, name), 'utf8');
  if (change(text) === text) throw new Error(`the edit of ${name} changes nothing`);
  await writeFile(join(folder, name), change(text));
};
export const editAttestation = (
  folder: string,
  change: (attestation: ReturnType<typeof attestationSchema.parse>) => void,
) =>
  edit(folder, 'attestation.json', (text) => {
    const attestation = attestationSchema.parse(JSON.parse(text));
    change(attestation);
    return jsonBytes(attestation).toString();
  });

export async function sealSums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS').sort();
  const lines = await Promise.all(
    names.map(async (name) => `${sha256(await readFile(join(folder, name)))}  ${name}\n`),
  );
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}

/** What an intruder can repair without keys: the checksums and the manifest. */
export async function sealManifest(
  folder: string,
  change: (manifest: Manifest) => Partial<Manifest> = () => ({}),
): Promise<string> {
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

/** What the approvers themselves could do: sign whatever lies there. */
export async function sealAll(folder: string, change?: (manifest: Manifest) => Partial<Manifest>): Promise<void> {
  const digest = await sealManifest(folder, change);
  await editAttestation(folder, (attestation) => {
    attestation.subject[0]!.digest.sha256 = digest;
    const release = { series: 'demo', window: '2026-03-02', version: 1 };
    for (const approval of attestation.predicate.approvals) {
      const person = approval.subject === ada.subject ? ada : ben;
      const request = { release, manifestDigest: digest, subject: person.subject, acknowledged: [] };
      const signed = { ...request, decision: 'approve', reason: 'audit-passed' } as const;
      approval.envelope = signDecision(signed, person.privateKey);
    }
  });
  await sealSums(folder);
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
export const editParquet = async (folder: string, change: (rows: Awaited<ReturnType<typeof readParquet>>) => void) => {
  const rows = await readParquet(join(folder, 'taps.parquet'));
  change(rows);
  await writeParquet(join(folder, 'taps.parquet'), rows);
};
