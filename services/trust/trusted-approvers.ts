import type { Decision, Envelope } from '../../contracts/decision.ts';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import type { Series } from '../../contracts/series.ts';
import { badSignature, type Failure } from '../../contracts/stages.ts';
import { isSignedWith } from '../signing/credential.ts';
import { subjectKey } from '../signing/subjects.ts';
import {
  bindingVersion,
  coolingOf,
  elsewhereOf,
  newestVersion,
  quorumOfTrust,
  type TrustChain,
} from './trust-chain.ts';
import { isCurrent, isValidAt } from './trusted-keys.ts';

/** What of a series file concerns the gate: it narrows the approvers of the trust file, and names no keys. */
export type GateOfSeries = Pick<Series, 'series' | 'population' | 'custodians' | 'gate'>;

/** Somebody who may decide, with one of the keys or passkeys that they may sign with. */
export type Approver = TrustVersion['approvers'][number];

/**
 * Who may decide on a series: approvers of the trust file for it who are no custodians (C16), and of those the ones that
 * the series file names where it names any.
 */
export function approversOf(version: TrustVersion, { series, custodians, gate }: GateOfSeries): Approver[] {
  const exclusions = new Set(custodians.map(subjectKey));
  const names = gate.approvers && new Set(gate.approvers.map(({ subject }) => subjectKey(subject)));
  return approversOfSeries(version, series).filter(({ subject }) => {
    const key = subjectKey(subject);
    return !exclusions.has(key) && (names?.has(key) ?? true);
  });
}

/** The approvers of a trust file for a series, whatever its file says. */
export const approversOfSeries = ({ approvers }: TrustVersion, name: string): Approver[] =>
  approvers.filter(({ series }) => series?.includes(name) ?? true);

/** Those of approvers who may sign now for a population. */
export const present = (approvers: readonly Approver[], population: string): Approver[] =>
  approvers.filter((one) => isCurrent(one, population));

/**
 * Approvals that a release needs which was charged at an entry of its ledger: as many as the newest version asks for, or
 * the one that bound it then, or the series file, whichever is most.
 *
 * @contract C16
 */
export const quorumAt = ({ trust, series: { gate, population }, chargedAt }: ChargedSeries): number =>
  Math.max(newestVersion(trust).required, quorumOfTrust(trust, { population, sequence: chargedAt }), gate.required);

/**
 * Of these, how many no single host may have had in hand: what the newest version asks for, or the one that bound it
 * then, whichever is more. Where a version does not say, it is one as soon as two are required; `quorum`: as many as
 * are.
 *
 * @contract C16
 */
export const elsewhereAt = (release: ChargedSeries, quorum = quorumAt(release)): number =>
  Math.max(...versionsAt(release).map((version) => elsewhereOf(version, quorum)));

/**
 * Hours that a release waits after its last approval: what the newest version asks for, or the one that bound it when it
 * was charged, whichever is more.
 *
 * @contract C16
 */
export const coolingAt = (release: ChargedSeries): number => Math.max(...versionsAt(release).map(coolingOf));

/** Is an approval refused of whoever started the release? As the newest version says, or the one that bound it then. */
export const refusesOwn = (release: ChargedSeries): boolean =>
  versionsAt(release).some(({ ownReleases }) => ownReleases === 'refused');

const versionsAt = ({ trust, series: { population }, chargedAt }: ChargedSeries): TrustVersion[] => [
  newestVersion(trust),
  bindingVersion(trust, { population, sequence: chargedAt }),
];

/** `chargedAt`: entries that the ledger had when the release was charged. */
type ChargedSeries = { trust: TrustChain; series: Pick<Series, 'gate' | 'population'>; chargedAt: number };

/**
 * The approver who signed a decision, or why it does not count. One signature, of a key of the subject that was valid at
 * the ledger's tip that the decision names.
 */
export function signerOf(
  approvers: readonly Approver[],
  { population }: Pick<Series, 'population'>,
  { predicate }: Decision,
  envelope: Envelope,
): Approver | Failure {
  const own = approvers.filter(({ subject }) => subjectKey(subject) === subjectKey(predicate.subject));
  if (own.length === 0)
    return {
      code: 'SUBJECT_UNKNOWN',
      message: 'The subject is no approver of the series in the trust file; ask who is.',
    };
  const signer = own.find((one) => isSignedWith(envelope, one));
  if (!signer) return badSignature('The signature is not of a key that the trust file names for the subject.');
  if (!isValidAt(signer, { population, sequence: predicate.ledger.sequence }))
    return badSignature(`The key of the subject is not valid at entry ${predicate.ledger.sequence} of the ledger.`);
  return signer;
}

/** Is the envelope signed with a key that the trust file names for the subject, whether or not it may decide here? */
export const isSignedByApprover = ({ approvers }: TrustVersion, { predicate }: Decision, envelope: Envelope): boolean =>
  approvers.some((one) => subjectKey(one.subject) === subjectKey(predicate.subject) && isSignedWith(envelope, one));
