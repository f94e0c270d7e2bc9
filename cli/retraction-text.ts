import { reportAbsence } from '../client/release/publications.ts';
import type { ReleaseLine, Retractable } from '../client/release/retractions.ts';
import { releasePath } from '../contracts/names.ts';
import type { ReleaseStatus, Stall } from '../contracts/stages.ts';
import { lines } from '../core/text/paragraphs.ts';

/** Is it public already, and held up by nothing but the ledger's entry that says so? */
export const isPublic = (stall: Stall | null | undefined): boolean => stall?.activity === 'commit';

/** State of a release in the list: with what it is stalled by, the reason of its retraction, or that one waits. */
export function stateText({ state, retraction, stall, publication }: ReleaseLine): string {
  if (publication?.isThere === false) return `${state}, and not there`;
  if (stall && isPublic(stall)) return `published; its ledger entry waits (${stall.code})`;
  if (stall) return `${state} at ${stall.stage} (${stall.code})`;
  if (!retraction) return state;
  const reasons = retraction.reasons.length > 0 ? ` (${retraction.reasons.join(', ')})` : '';
  return state === 'retracted' ? `${state}${reasons}` : `${state}, retraction ${retraction.state}${reasons}`;
}

/** What became of a publication, for the page of one release; null when nothing did. */
export function retractionText(status: Retractable<ReleaseStatus>): string | null {
  const { retraction, publication } = status;
  if (publication?.isThere === false)
    return `${reportAbsence(status, publication)}\nopaline retry ${releasePath(status)} publishes it, at no cost.`;
  if (!retraction) return null;
  const reasons = retraction.reasons.join(', ') || 'nobody has signed yet';
  if (status.state === 'retracted')
    return `Retracted (${reasons}): its files stay, with a signed tombstone, and are not to be used.`;
  const { state, signed, required, stall } = retraction;
  const name = releasePath(status);
  return lines(
    `A retraction of it is ${state}: ${signed} of ${required} approvals (${reasons}).`,
    stall && [`${stall.code}: ${stall.message}`, `Mend the cause, then: opaline retry ${name}`],
    state === 'waiting' && `Sign it: opaline retract ${name} --reason CODE --key KEY.pem`,
    (state === 'waiting' || state === 'expired') && `Give it up: opaline retract ${name} --withdraw --key KEY.pem`,
  );
}
