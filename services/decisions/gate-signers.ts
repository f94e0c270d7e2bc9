import type { Decision, Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { badSignature, type Failure } from '../../contracts/stages.ts';
import type { Grounds } from '../draws/require-receipts.ts';
import { holdsTip } from '../ledger/ledger-tip.ts';
import { isSameSubject } from '../signing/subjects.ts';
import { readStarter } from '../stores/release-executions.ts';
import { findVersion, newestVersion } from '../trust/trust-chain.ts';
import { type Approver, approversOf, refusesOwn, signerOf } from '../trust/trusted-approvers.ts';
import { isCurrent, isValidAt } from '../trust/trusted-keys.ts';
import { arrivalOf, type DecisionRecord } from './decision-record.ts';

/** What a decision on a release is judged by: what its receipts are, with the population's ledger as it is now. */
export type Gate = Grounds & {
  series: Series;
  /** Entries that the ledger had when the release was charged: whoever decides on it has seen these. */
  chargedAt: number;
  /** Who cannot approve the release because they started it; null when that keeps nobody from approving. */
  startedBy: string | null;
};

/** What decisions on a release are judged by, with who started it where the trust file asks for another to approve. */
export async function gateFor(gate: Omit<Gate, 'startedBy'>, release: ReleaseReference): Promise<Gate> {
  return { ...gate, startedBy: refusesOwn(gate) ? await readStarter(gate.releaseStore, release) : null };
}

/**
 * The approver who signed a decision, or why it does not count: it names a version of the trust file and a tip of the
 * ledger that there are, and its signature is of a key that the newest version has for the subject and that was valid at
 * that tip. What the decision is over is not looked at here.
 *
 * @contract C16
 */
export function judgeSigner(gate: Gate, decision: Decision, envelope: Envelope): Approver | Failure {
  const { predicate } = decision;
  const { series, trust, ledger } = gate;
  if (series.custodians.some((custodian) => isSameSubject(custodian, predicate.subject)))
    return { code: 'SUBJECT_IS_CUSTODIAN', message: 'A custodian of the raw data cannot decide at the gate.' };
  const { startedBy } = gate;
  if (predicate.decision === 'approve' && startedBy !== null && isSameSubject(startedBy, predicate.subject))
    return {
      code: 'OWN_RELEASE',
      message: 'The subject started this release, and the trust file has another approve.',
    };
  const signer = signerOf(approversOf(newestVersion(trust), series), series, decision, envelope);
  if ('code' in signer) return signer;
  if (!findVersion(trust, predicate.trust))
    return badSignature(
      'The decision names a version of the trust file that the worker does not have; sign again with its file.',
    );
  if (predicate.ledger.sequence < gate.chargedAt || !holdsTip(ledger, predicate.ledger))
    return badSignature(
      'The decision names a tip that the ledger has not had since the release was charged; sign again.',
    );
  return signer;
}

type Believing = Pick<Grounds, 'trust' | 'series'>;

/**
 * When a decision came, as a publisher signed it in its record whose key is valid now, or was at the tip that the
 * decision names; null: none has.
 */
export function arrivalAt(
  { trust, series }: Believing,
  { predicate }: Decision,
  record: DecisionRecord,
): string | null {
  const { population } = series;
  const place = { population, sequence: predicate.ledger.sequence };
  const sound = newestVersion(trust).publishers.filter((key) => isCurrent(key, population) || isValidAt(key, place));
  const keys = sound.map(({ key }) => key);
  return arrivalOf(record, keys);
}

/** The same, of a decision that is to count. Throws COPY_DIFFERS: somebody else has put the record there. */
export function requireArrival(gate: Believing, decision: Decision, record: DecisionRecord): string {
  const arrivedAt = arrivalAt(gate, decision, record);
  if (arrivedAt !== null) return arrivedAt;
  throw new OpalineError(
    'COPY_DIFFERS',
    'No publisher of the trust file has signed when a kept decision came; find out who wrote it, take it away, and have it signed again.',
  );
}
