import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '../../core/json/canonical.ts';
import { signEnvelope } from '../../services/signing/envelope.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import type { ada } from '../../test/support/trust-files.ts';
import { sealSums } from './forgery.fixture.ts';

/** What the builds of the first generation called things: names that nothing has now (test/forms/retired-names.ts). */
const MANIFEST = 'opaline-manifest/1';
const ATTESTATION = 'https://opaline.example/attestation/v1';
const DECISION = 'https://opaline.example/decision/v1';
const STATEMENT = 'https://in-toto.io/Statement/v1';

/**
 * Makes of a publication one in the form of the first generation, whole and consistent, that one person signed alone and
 * no publisher; with the key of an approver that is all that it took.
 */
export async function intoFirstGeneration(folder: string, person: typeof ada): Promise<void> {
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
  const {
    kind: _,
    publicLists,
    partitions,
    build,
    trust: __,
    policyDigest: ___,
    ledger: ____,
    ...rest
  } = await read('manifest.json');
  const modes = partitions.map(({ part, ...one }: { part: string }) => ({ mode: part, ...one }));
  const manifest = jsonBytes({
    ...rest,
    format: MANIFEST,
    dictionaries: publicLists,
    partitions: modes,
    build: build.sources,
  });
  await writeFile(join(folder, 'manifest.json'), manifest);
  const release = `${rest.series}/${rest.window}/v${rest.version}`;
  const subject = [{ name: `${release}/manifest.json`, digest: { sha256: sha256(manifest) } }];
  const decision = {
    _type: STATEMENT,
    subject,
    predicateType: DECISION,
    predicate: {
      releases: [release],
      subject: person.subject,
      decision: 'approve',
      reason: 'audit-passed',
      acknowledged: [],
      basis: 'decided on the release folder alone',
    },
  };
  const envelope = signEnvelope(Buffer.from(canonicalJson(decision)), person.privateKey);
  const { seriesDigest } = rest;
  const approvals = [{ subject: person.subject, publicKey: person.publicKey, seriesDigest, envelope }];
  const predicate = { release, publishedAt: '2026-03-20T01:02:03.000Z', seriesDigest, required: 1, approvals };
  const attestation = { _type: STATEMENT, subject, predicateType: ATTESTATION, predicate };
  await writeFile(join(folder, 'attestation.json'), jsonBytes(attestation));
  await rm(join(folder, 'RETRACTED.json'), { force: true });
  await sealSums(folder);
}

/** A tombstone in the form of the first generation, which nobody signed. */
export async function makeTombstone(folder: string): Promise<Buffer> {
  const bytes = await readFile(join(folder, 'manifest.json'));
  const { series, window, version } = JSON.parse(bytes.toString('utf8'));
  return jsonBytes({
    format: 'opaline-retraction/1',
    release: `${series}/${window}/v${version}`,
    manifestDigest: sha256(bytes),
    retractedAt: '2026-03-21T01:02:03.000Z',
    reasons: ['privacy-in-doubt'],
    approvals: [],
  });
}
