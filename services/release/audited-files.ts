import type { AuditReport } from '../../contracts/audit-report.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { MANIFEST_FORMAT, type Manifest, manifestSchema, TEXTS_FORM } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { publishedWords, type Series } from '../../contracts/series.ts';
import type { AuditResult, DeriveInput } from '../../contracts/stages.ts';
import { windowVersions } from '../../core/ledger/window-versions.ts';
import { attentionPoints, foldVerdicts } from '../../core/verdict/verdict.ts';
import { mapAtOnce } from '../at-once.ts';
import { dueDayAfter } from '../calendar/due-day.ts';
import { type DrawingBuild, type Grounds, reserveOfCharge } from '../draws/require-receipts.ts';
import { auditInputs, putAudit, requireShadows, type SignedAudit } from '../draws/stage-receipt.ts';
import { frequencyOf } from '../metadata/data-description.ts';
import { AUDITED_NAMES, type Audits, fileFacts, releaseTexts } from '../publication/release-texts.ts';
import type { ReleaseFiles } from '../publication/staged-files.ts';
import { fileDigest, keysBelow, putOnce, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import { newestVersion } from '../trust/trust-chain.ts';
import { approversOf, elsewhereAt } from '../trust/trusted-approvers.ts';
import type { PublicContext } from './public-context.ts';

/** What a hostile host of a page for signing could do, where no approval has to be made out of its reach. */
const ONE_HOST =
  'It may have been approved on pages of one server alone: whoever runs that server could have shown an approver one release and had another one signed, one for each signature.';

/**
 * What the texts of a release say in the words of its series, by the ledger up to the charge of the release, and of the
 * people who approve it. The manifest keeps it.
 */
export function textFacts(
  { trust, ledger }: Pick<Grounds, 'trust' | 'ledger'>,
  series: Series,
  input: DeriveInput,
): Manifest['texts'] {
  const { entries } = ledger;
  const own = reserveOfCharge({ entries }, input.charge)?.sequence ?? 0;
  const signsInBrowser = approversOf(newestVersion(trust), series).some((one) => 'passkey' in one);
  const isOneHost = signsInBrowser && elsewhereAt({ trust, series, chargedAt: own }) === 0;
  const notes = [...series.publication.notes, ...(isOneHost ? [ONE_HOST] : [])];
  return {
    form: TEXTS_FORM,
    publication: publishedWords.strip().parse({ ...series.publication, notes, frequency: frequencyOf(series) }),
    versions: windowVersions(entries.slice(0, own), input),
    nextExpected: dueDayAfter(series, input.window),
  };
}

/** What a manifest says of the build that made the files. */
export const buildFacts = async ({ build }: PublicContext): Promise<Manifest['build']> => ({
  sources: build.sources,
  runtime: await build.runtime(),
});

/** All data files of a release, made from its receipted tables and public parameters (C9). */
export const dataFiles = async (context: PublicContext, input: DeriveInput, series: Series): Promise<ReleaseFiles> =>
  new Map(Object.values(await kindOf(context.kinds, series).derive(context, input, series)).flat());

/** Puts the data files of a release where its build stages them, each if absent. */
export async function stage({ releaseStore, build }: PublicContext, input: DeriveInput, data: ReleaseFiles) {
  for (const [name, bytes] of data) await putOnce(releaseStore, RELEASE_KEYS.staged(input, build.sources, name), bytes);
}

/**
 * Refuses data files of this build that are not those that it has just made again, byte for byte: a file with other
 * bytes, one that is missing, and one too many. What another build has staged is not looked at; when there is nothing of
 * this one, it is staged first. Throws COPY_DIFFERS.
 *
 * @contract C15
 */
export async function requireStaged(context: PublicContext, input: DeriveInput, data: ReleaseFiles) {
  const { releaseStore, build } = context;
  const keyOf = (name: string): string => RELEASE_KEYS.staged(input, build.sources, name);
  const names = await listNames(releaseStore, keyOf(''));
  if (names.every((name) => AUDITED_NAMES.includes(name))) await stage(context, input, data);
  for (const [name, bytes] of data)
    if (!(await readBytesIfPresent(releaseStore, keyOf(name)))?.equals(bytes)) throw otherStaged(name);
  await refuseStrays(releaseStore, keyOf(''), [...data.keys(), ...AUDITED_NAMES]);
}

/** A release that is to be audited under a declaration, with what its data files give to say. */
export type Auditable = Awaited<ReturnType<typeof auditable>>;

/**
 * `declared`: the series as it is declared for this audit, in the file of this digest: the same, unless the declaration
 * was corrected. `inputs`: digest of what the verdict is on.
 */
export async function auditable(
  context: PublicContext,
  input: DeriveInput,
  series: Series,
  [declared, declaration]: readonly [Series, digest: string],
) {
  const data = await dataFiles(context, input, series);
  const texts = await kindOf(context.kinds, series).texts(data);
  return { input, series, declared, inputs: auditInputs(input, declaration), texts, data };
}

/**
 * Comes to a verdict and signs it with the manifest; gives the one that counts, which another process may have signed
 * first. A second audit has the first one, and what was corrected for it.
 */
export async function auditNow(
  context: PublicContext,
  grounds: Grounds & { drawnBy: readonly DrawingBuild[] },
  { input, series, declared, inputs, texts, data }: Auditable,
  facts: Omit<Manifest, 'format' | 'files'>,
  second: { first: AuditReport; corrected: AuditReport['corrected'] } | null = null,
): Promise<SignedAudit> {
  const shadows = await requireShadows(grounds, input, grounds.drawnBy);
  await requireStaged(context, input, data);
  const { audit } = kindOf(context.kinds, series);
  const reports = await mapAtOnce(shadows, 1, (shadow) => audit(context, { ...input, shadow }, declared, data));
  // Of the audits under the shadow run of each build that drew, the one with the worst verdict.
  const worst = foldVerdicts(reports);
  const base = reports.find(({ verdict }) => verdict === worst)!;
  const report = second ? { ...base, corrected: second.corrected } : base;
  const entries = fileFacts(data);
  const own = await releaseTexts(facts, texts, second ? [second.first, report] : [report], entries);
  const files = [...entries, ...fileFacts(own)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const manifest = manifestSchema.parse({ ...facts, format: MANIFEST_FORMAT, files });
  return putAudit(grounds, { inputs, manifest, report }, context.publisherKey);
}

const listNames = async (store: ObjectStore, prefix: string): Promise<string[]> =>
  (await keysBelow(store, prefix)).map((key) => key.slice(prefix.length));

/** Throws COPY_DIFFERS when a folder of staged files holds one of another name. */
export async function refuseStrays(store: ObjectStore, prefix: string, names: readonly string[]): Promise<void> {
  const stray = (await listNames(store, prefix)).find((name) => !names.includes(name));
  if (stray !== undefined) throw otherStaged(stray);
}

/**
 * Puts the files of a release under its audits, the second one if it has two, if absent; what is there has to be what
 * the manifest lists. Throws COPY_DIFFERS.
 */
export async function putAudited(
  store: ObjectStore,
  keyOf: (name: string) => string,
  { texts, data }: Pick<Auditable, 'texts' | 'data'>,
  audits: Audits,
  { manifest, manifestBytes }: SignedAudit,
): Promise<void> {
  const entries = manifest.files.filter(({ name }) => data.has(name));
  const own = await releaseTexts(manifest, texts, audits, entries);
  const files = new Map([...data, ...own, [FILES.manifest as string, manifestBytes]]);
  for (const { name, sha256: listed } of [...manifest.files, { name: FILES.manifest, sha256: sha256(manifestBytes) }]) {
    const bytes = files.get(name);
    // The texts of another build have other words: those of the build that signed are not put over by these.
    const isListed = bytes !== undefined && fileDigest(bytes) === listed;
    const copy = isListed ? await putOnce(store, keyOf(name), bytes) : await readBytesIfPresent(store, keyOf(name));
    if (!copy || !((isListed && copy.equals(bytes)) || sha256(copy) === listed)) throw otherStaged(name);
  }
}

/** What a release comes to its gate with. */
export const resultOf = (manifestDigest: string, report: AuditReport): AuditResult => ({
  manifestDigest,
  verdict: report.verdict,
  attention: attentionPoints(report),
});

/** What others have staged, or taken away. */
const otherStaged = (name: string): OpalineError =>
  new OpalineError(
    'COPY_DIFFERS',
    `The staged file ${name} is missing, or is not the one that the draws give; find out who changed it, take away what is there, and retry.`,
  );
