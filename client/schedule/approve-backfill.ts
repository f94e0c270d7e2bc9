import type { BackfillWindow } from '../../contracts/backfill.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import type { Answer } from '../../contracts/stages.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { signJointDecision } from '../../services/signing/decision-statement.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { decisionBasis, requireApprovable } from '../release/decision-basis.ts';
import { backfillStatus } from './backfills.ts';

/** A window of a back-fill as people see it before they approve. */
export type BackfillVerdict = Awaited<ReturnType<typeof verdictOf>>;

/** The state of every window of a back-fill, asked of the releases themselves. Throws RELEASE_UNKNOWN. */
export async function backfillVerdicts(client: OpalineClient, id: string): Promise<BackfillVerdict[]> {
  const { series, windows } = await backfillStatus(client, id);
  return mapAtOnce(windows, 1, ({ window, state }) => verdictOf(client, { series, window, version: 1 }, state));
}

/**
 * `to-do`: not started yet; `forgotten`: it ended so long ago that the server knows it no more; `ended-outside`: it was
 * ended in Temporal, and not by Opaline.
 */
async function verdictOf(client: OpalineClient, release: ReleaseReference, report: BackfillWindow['state']) {
  const none = <State extends string>(state: State) => ({ release, state, verdict: null, attention: [] as string[] });
  if (report === 'to-do' || report === 'ended-outside') return none(report);
  try {
    const { state, verdict, attention } = await client.status(release);
    return { release, state, verdict, attention };
  } catch (error) {
    const code = error instanceof OpalineError ? error.code : null;
    if (code === 'RELEASE_UNKNOWN') return none('forgotten');
    if (code === 'RELEASE_ENDED_OUTSIDE') return none('ended-outside');
    throw error;
  }
}

/** Those that can be approved together: at the gate, and nothing in the audit asks for attention. */
export const approvable = (verdicts: readonly BackfillVerdict[]): ReleaseReference[] =>
  verdicts.filter(({ state, verdict }) => state === 'waiting' && verdict === 'pass').map(({ release }) => release);

/**
 * Signs one statement over the manifests of all the releases, and hands it in at each of their gates. The digests are
 * those of the audited manifests. Throws SUBJECT_UNKNOWN, and COPY_DIFFERS or VERIFICATION_FAILED when one of them is not
 * what was audited.
 */
export async function approveTogether(
  client: OpalineClient,
  releases: readonly ReleaseReference[],
  { privateKey, note }: { privateKey: string; note: string },
): Promise<{ release: ReleaseReference; answer: Answer }[]> {
  if (releases.length === 0) return [];
  const bases = await mapAtOnce(releases, 1, async (release) => {
    const { manifestDigest, manifest } = await requireApprovable(client, release);
    const basis = await decisionBasis(client, { ...manifest, manifestDigest, gate: 'publication' }, { privateKey });
    return { ...basis, release, manifestDigest };
  });
  const terms = {
    ...bases[0]!,
    required: Math.max(...bases.map(({ required }) => required)),
    elsewhere: Math.max(...bases.map(({ elsewhere }) => elsewhere)),
    after: [...new Set(bases.flatMap(({ after }) => after))],
    ...({ decision: 'approve', reason: 'audit-passed', acknowledged: [] } as const),
  };
  const envelope = signJointDecision(bases, terms, privateKey);
  return mapAtOnce(releases, 1, async (release) => ({
    release,
    answer: await client.ask(release, 'approve', { envelope, note }),
  }));
}
