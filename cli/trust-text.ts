import type { Policy } from '../contracts/formats/policy.ts';
import { EVERYWHERE, type TrustVersion } from '../contracts/formats/trust.ts';
import { type ChargedText, isRho } from '../core/accounting/charged-amount.ts';
import { epsilonOfRho } from '../core/accounting/epsilon-of-rho.ts';
import { upperText } from '../core/rational/amount-text.ts';
import { parseRational } from '../core/rational/rational.ts';
import { plainLine } from '../core/text/plain-text.ts';
import { type Credential, passkeyFingerprint } from '../services/signing/credential.ts';
import { keyIdOfPem } from '../services/signing/keys.ts';
import { mixtureIn } from '../services/signing/subjects.ts';
import { coolingOf, elsewhereOf } from '../services/trust/trust-chain.ts';
import type { TrustedKey } from '../services/trust/trusted-keys.ts';

/** Everything that a version of a trust file says, a line each: what differs between two versions is what changes. */
export const versionLines = (version: TrustVersion): string[] => [
  `Organisation: ${plainLine(version.organisation)}`,
  ...(version.demo
    ? ['Demo keys: a program made them for a trial, and anybody on that computer has them.']
    : ['Keys of people and workers, and not of a trial.']),
  `Root keys that have to sign the next version: ${version.roots.threshold}`,
  ...version.roots.keys.map((key) => `Root key ${keyIdOfPem(key)}`),
  ...version.ledgers.map((one) => `Key of the private worker ${keyLine(one)}`),
  ...version.publishers.map((one) => `Key of a publisher ${keyLine(one)}`),
  ...version.approvers.map(
    ({ subject, series, ...one }) =>
      `Approver ${nameLine(subject)}, ${credentialLine(subject, one)}: ${placesOf(one.valid)}${series ? `, only ${series.join(', ')}` : ''}`,
  ),
  `Approvals that every release needs at least: ${version.required}`,
  `Of these, made elsewhere than at one host of pages: ${elsewhereOf(version, version.required)}`,
  `Hours that a release waits after its last approval, in which approvers can withdraw: ${coolingOf(version)}`,
  ...(version.ownReleases === 'refused' ? ['Who started a release cannot approve it'] : []),
  ...Object.entries(version.tips).map(([name, tip]) => `Binds what is charged after entry ${tip} of ${name}`),
];

/** A passkey is shown by a web page: its fingerprint is compared with its owner over another channel. */
const credentialLine = (subject: string, one: Credential): string =>
  one.passkey === undefined
    ? `key ${keyIdOfPem(one.key)}`
    : `passkey of ${one.passkey.relyingParty} on ${plainLine(one.passkey.origins.join(', '))} with the fingerprint ${passkeyFingerprint(subject, one.passkey)} (compare it with the person over another channel)`;

const keyLine = ({ key, valid }: TrustedKey): string => `${keyIdOfPem(key)}: ${placesOf(valid)}`;

function placesOf(valid: TrustedKey['valid']): string {
  if (valid === EVERYWHERE) return 'holds everywhere';
  const places = Object.entries(valid).map(
    ([name, { from, until }]) =>
      `${name}${from === undefined ? '' : ` from entry ${from}`}${until === undefined ? '' : ` up to entry ${until}`}`,
  );
  return places.length === 0 ? 'holds nowhere' : `holds in ${places.join(', ')} and nowhere else`;
}

/** A name, and whether it mixes scripts, as one does that is to be taken for another. */
const nameLine = (name: string): string =>
  plainLine(mixtureIn(name) === '' ? name : `${name} (CAREFUL: ${mixtureIn(name)})`);

/** `16 and 1e-6`, or `ρ 2 (ε at most 11.6 at δ 1e-6)`. */
function capText(cap: ChargedText, { delta }: { delta: string }): string {
  if (!isRho(cap)) return `${cap.epsilon} and ${cap.delta}`;
  const epsilon = epsilonOfRho(parseRational(cap.rho), parseRational(delta));
  return `ρ ${cap.rho}${epsilon === null ? '' : ` (ε at most ${upperText(parseRational(epsilon))} at δ ${delta})`}`;
}

/** Everything that a policy says. */
export const policyLines = ({ keys, populations, demo, revokedSeries }: Policy): string[] => [
  ...(demo ? ['Demo keys: a program made them for a trial.'] : []),
  ...Object.entries(populations).map(([name, one]) => {
    const { sources, unit, neighbours, mechanisms, release, caps, lateDays, clearance } = one;
    return `Population ${name}: ${sources.join(', ')}; unit ${unit}, ${neighbours}, ${mechanisms.join(' or ')}; ε ${release.epsilon} and δ ${release.delta}${release.rho === undefined ? '' : ` and ρ ${release.rho}`} a release, ${capText(caps.block, release)} a block, ${capText(caps.year, release)} over 365 days; an order after ${lateDays} days${clearance ? ', and a clearance of every window' : ''}.`;
  }),
  ...keys.map(
    ({ name, key, may, revoked }) =>
      `Key of ${nameLine(name)}, ${keyIdOfPem(key)}: ${revoked ? 'revoked' : `may sign ${may.join(', ')}`}`,
  ),
  ...revokedSeries.map((digest) => `Revoked series file ${digest}`),
];

/** What is in one of two lists alone. */
export function changeLines(before: readonly string[], after: readonly string[]): string[] {
  const removals = before.filter((line) => !after.includes(line)).map((line) => `  - ${line}`);
  const additions = after.filter((line) => !before.includes(line)).map((line) => `  + ${line}`);
  return removals.length + additions.length === 0 ? ['  Nothing but the number.'] : [...removals, ...additions];
}
