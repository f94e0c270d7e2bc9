import { OpalineError } from '../../contracts/errors.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { AuditResult, ReauditInput } from '../../contracts/stages.ts';
import { type FieldChange, fieldChanges } from '../../core/json/field-changes.ts';
import type { Grounds } from '../../services/draws/require-receipts.ts';
import { auditInputs, readAudit, readAudits, type SignedAudit } from '../../services/draws/stage-receipt.ts';
import { seriesSignatures } from '../../services/orders/series-signature.ts';
import {
  auditable,
  auditNow,
  buildFacts,
  putAudited,
  resultOf,
  textFacts,
} from '../../services/release/audited-files.ts';
import { requireDrawn } from '../../services/release/drawn-release.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { findSigners } from '../../services/signing/signed-document.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';

/**
 * Attacks a release a second time, under a corrected declaration of what everybody can know: the `audit` of another
 * series file, in which nothing else may differ. The first audit stays, with its verdict and its page. Beside it come the
 * second, a statement that reports both, and a manifest over all of it. The data files and the draws are the same.
 * Throws SERIES_INVALID when the other file differs elsewhere, or in nothing, SERIES_UNSIGNED when no key of the policy
 * has signed it, and COPY_DIFFERS for what others have staged.
 *
 * Safe to run twice: its receipt is written first and at once, and each file if absent; the first second audit is kept,
 * as the first audit is.
 *
 * @contract C15 Both verdicts are kept; nothing but the declaration is corrected, and no noise is drawn.
 * @contract safe-to-retry
 */
export async function reaudit(context: PublicContext, input: ReauditInput): Promise<AuditResult> {
  const { releaseStore } = context;
  const { series, grounds, release: drawn } = await requireDrawn(context, input);
  const revision = await readSeries(releaseStore, { series: input.series, seriesDigest: input.declaration });
  const fields = diffFields(series, revision);
  const first = await readAudit(grounds, input, auditInputs(drawn, input.seriesDigest));
  if (!first) throw new OpalineError('ACTION_NOT_OFFERED', `${releasePath(input)} was never audited by this build.`);
  const release = await auditable(context, drawn, series, [revision, input.declaration]);
  const before = await readAudit(grounds, input, release.inputs);
  if (!before && (await readAudits(grounds, input)).some(({ report }) => report.corrected))
    throw new OpalineError(
      'ACTION_NOT_OFFERED',
      `${releasePath(input)} was audited a second time already, under another file; a release is audited again once.`,
    );
  const auditAgain = async (): Promise<SignedAudit> => {
    const by = await signerOf(grounds, input);
    const facts = { texts: textFacts(grounds, series, drawn), build: await buildFacts(context) };
    const corrected = { declaration: input.declaration, by, fields };
    return auditNow(context, grounds, release, { ...first.manifest, ...facts }, { first: first.report, corrected });
  };
  const second = before ?? (await auditAgain());
  const { manifest, manifestBytes, report } = second;
  const keyOf = (name: string): string =>
    release.data.has(name) || OF_FIRST.includes(name)
      ? RELEASE_KEYS.staged(input, manifest.build.sources, name)
      : RELEASE_KEYS.reaudited(input, name);
  await putAudited(releaseStore, keyOf, release, [first.report, report], second);
  return resultOf(sha256(manifestBytes), report);
}

/** The first verdict and its page stay; the statement is one that reports both. */
const OF_FIRST: readonly string[] = [FILES.audit, FILES.auditPage];

/**
 * Whose key signed the corrected file: one that may sign series files, as the newest policy in the ledger says. Throws
 * SERIES_UNSIGNED.
 */
async function signerOf({ releaseStore, ledger }: Grounds, { series, declaration }: ReauditInput): Promise<string> {
  const policy = ledger.entries.findLast((entry) => entry.kind === 'policy');
  const signatures = await seriesSignatures(releaseStore, { series, digest: declaration });
  const isSignedBy = ({ key }: { key: string }) =>
    signatures.some(({ envelope }) => findSigners(envelope, [key]).size > 0);
  const signer = policy?.signers.find(isSignedBy);
  if (signer) return signer.name;
  throw new OpalineError(
    'SERIES_UNSIGNED',
    `No key of the policy has signed the corrected file of ${series}; \`opaline series sign\` does.`,
  );
}

/** What the corrected file declares otherwise. Throws SERIES_INVALID. */
function diffFields(series: Series, revision: Series): FieldChange[] {
  const changes = fieldChanges(series, revision);
  const other = changes.find(({ field }) => field.split('.')[0] !== 'audit');
  if (other)
    throw new OpalineError(
      'SERIES_INVALID',
      `The corrected file differs in ${other.field} too; an audit is run again with nothing but \`audit\` corrected.`,
    );
  if (changes.length > 0) return changes;
  throw new OpalineError('SERIES_INVALID', 'The corrected file declares what the release was audited under.');
}
